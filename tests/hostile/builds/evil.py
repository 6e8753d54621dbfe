"""Builds that strangers might send, each a shell script with what its author is told.

A script runs in `/build`, with the bot's files around it. `told` is a regular expression for the
whole problem; empty: the build succeeds, because what it tried has come to nothing. `log` must be
found in the lines that its author sees, `unseen` must not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["EVIL", "Evil"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evil:
    """One build; `threat` is the row of the threat list that it is about."""

    threat: str
    script: str
    told: str = ""
    log: str = ""
    unseen: str = ""


EVIL: Final[Mapping[str, Evil]] = {
    "fails": Evil(
        threat="E9",
        script="echo cc: error: no input files >&2; exit 4",
        told=r"it exited with code 4",
        log=r"cc: error: no input files",
    ),
    "is_endless": Evil(
        threat="E9",
        script="echo begun; while :; do sleep 1; done",
        told=r"it was not over after 4 s",
        log="begun",
    ),
    "is_killed_by_itself": Evil(
        threat="E9", script="kill -SEGV $$", told=r"it was killed by SIGSEGV"
    ),
    "fills_the_disk": Evil(
        threat="E9",
        script="dd if=/dev/zero of=big bs=1M count=100",
        told=r"it exited with code 1; by its log the disk was full: a build has 24 MiB and "
        r"2000 files, and 8 MiB in /tmp",
        log="No space left on device",
    ),
    "fills_it_with_names": Evil(
        threat="E9",
        script="i=0; while [ $i -lt 3000 ]; do : > f$i || exit 1; i=$((i+1)); done",
        told=r"it exited with code \d; by its log the disk was full: .*2000 files.*",
        log="No space left on device",
    ),
    "forks_for_ever": Evil(
        threat="E9",
        script="exec python -c '\n"
        "import os\n"
        "try:\n"
        "    while True: os.fork()\n"
        "except OSError as error:\n"
        '    os.write(2, f"{error}\\n".encode())\n'
        "    os._exit(3)\n"
        "'",
        told=r"it exited with code 3",
        log="Resource temporarily unavailable",
    ),
    "wants_all_memory": Evil(
        threat="E9",
        script="exec python -c 'bytearray(10**9)[:]'",
        told=r"it was killed for memory: it wanted more than 128 MiB",
    ),
    "has_a_child_that_wants_all_memory": Evil(
        threat="E9",
        script="python -c 'bytearray(10**9)[:]'; exit 2",
        told=r"it exited with code 2; 1 of what it started was killed for memory: together they "
        r"may have 128 MiB",
    ),
    "leaves_a_daemon": Evil(
        threat="E9",
        script="setsid sh -c 'while :; do date > /build/alive; sleep 0.01; done' & sleep 0.1",
    ),
    "needs_a_network": Evil(
        threat="E9",
        script="exec python -c '\n"
        "import socket\n"
        'socket.create_connection(("192.0.2.1", 80), timeout=2)\n'
        "'",
        told=r"it exited with code 1",
        log=r"Address family not supported|Network is unreachable|Operation not permitted",
    ),
    "reads_what_is_the_hosts": Evil(
        threat="E10",
        script="cat /etc/shadow /proc/1/environ /proc/1/mem /dev/mem /var/run/docker.sock; "
        "ls /run/arena /root /source/.. /proc/1/root /proc/1/cwd; id; exit 1",
        told=r"it exited with code 1",
        log=r"Permission denied",
        unseen=r"root:[*$!]|CANARY",
    ),
    "looks_for_other_submissions": Evil(
        threat="E13",
        script="grep -r CANARY / --include='*.py' --include='*.toml' -l -s "
        "--exclude-dir=proc --exclude-dir=sys; env; mount; exit 1",
        told=r"it exited with code 1",
        log=r"HOME=/tmp",
        unseen=r"CANARY|secret_bot",
    ),
    "leaves_a_link": Evil(
        threat="E11",
        script="ln -s /etc/passwd out; ln -s /etc/shadow out2",
        told=r"what it leaves is refused: 'out2?' and 1 more: is neither file nor folder, or too "
        r"deep; let the build remove links, pipes and sockets \(rule: kind\)",
    ),
    "leaves_a_pipe": Evil(
        threat="E11",
        script="mkfifo out",
        told=r"what it leaves is refused: 'out': is neither file nor folder.*",
    ),
    "makes_a_link_of_a_folder": Evil(
        threat="E11",
        script="rm -f data.txt; ln -s / root; ln bot.toml hard",
        told=r"what it leaves is refused: 'root': is neither file nor folder.*",
    ),
    "leaves_a_bad_name": Evil(
        threat="E11",
        script="touch \"$(printf 'a\\033[2Jb')\"",
        told=r"what it leaves is refused: entry 'a\\x1b\[2Jb': its name holds something else than "
        r"A-Z a-z 0-9 \. _ - and / \(rule: name\)",
    ),
    "leaves_twins": Evil(
        threat="E11",
        script="touch Twin twin",
        told=r"what it leaves is refused: entry '[Tt]win': .* are one name on some machines "
        r"\(rule: twice\)",
    ),
    "lies_deep": Evil(
        threat="E11",
        script="mkdir -p a/b/c/d/e/f/g/h/i/j/k/l && touch a/b/c/d/e/f/g/h/i/j/k/l/m",
        told=r"what it leaves is refused: entry 'a/b/.*': lies 13 deep; at most 12 are allowed "
        r"\(rule: path\)",
    ),
    "changes_its_manifest": Evil(
        threat="E11",
        script="echo 'name = \"other\"' > bot.toml",
        told=r"what it leaves is refused: entry 'bot\.toml': the build has changed it "
        r"\(rule: bot\.toml\)",
    ),
    "swaps_while_it_is_read": Evil(
        threat="E11",
        script="setsid sh -c 'while :; do rm -f data.txt; ln -s /etc/passwd data.txt; rm data.txt; "
        "echo x > data.txt; done' 2>/dev/null & exit 0",
        # Nothing of the program is left when its files are read: it is the link or the file.
        told=r"(what it leaves is refused: 'data\.txt': is neither file nor folder.*)?",
    ),
    "floods_its_log": Evil(
        threat="E12",
        script="printf 'first \\033[31mred\\033[2J\\033]0;title\\007\\n'; "
        "yes 0123456789abcdef | head -c 20000000; "
        "printf '\\nlast \\342\\200\\256\\r\\b\\n'; exit 1",
        told=r"it exited with code 1",
        log=r"first \?\[31mred\?\[2J\?\]0;title\?\n(0123456789abcdef\n)+"
        r"\[\.\.\. \d+ lines \.\.\.\]\n(0123456789abcdef\n)+[0-9a-f]*\nlast \?",
        unseen=r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]",
    ),
    "names_no_program": Evil(
        threat="E9",
        script="exec no-such-compiler",
        told=(r"it exited with code 127"),
        log="not found",
    ),
}
