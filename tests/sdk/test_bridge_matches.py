"""Bots behind the bridge in real matches: what comes of them is what comes of any bot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from arena.referee.limits import STANDARD_LIMITS, nanos
from arena.referee.tally import Fault
from tests.sdk.bridgehouse import manifest, played

BAD_LINE: Final = "right is one JSON object a line"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a bot does, and what has to come of it: verdict, its words, lines of the bot's log."""

    does: str
    verdict: str
    words: str = ""
    log: tuple[str, ...] = ()


OF_PROTOCOL: Final = {
    "greets": Case(
        does="write('Hello!\\n'); join(); play()",
        verdict="FORFEIT PROTOCOL",
        words="not a PlayRequest",
        log=("line 1 of the bot's standard output is no PlayRequest: no JSON", BAD_LINE, "Hello!"),
    ),
    "prints_what_it_thinks": Case(
        does="join(); first_prompt(); print('thinking ...'); play()",
        verdict="FORFEIT PROTOCOL",
        words="not a PlayRequest",
        log=("line 2 of", "no JSON", "'thinking ...'"),
    ),
    "invents_a_field": Case(
        does="join(); say(answer={'promptId': first_prompt()['promptId'], 'index': 0}); play()",
        verdict="FORFEIT PROTOCOL",
        words="not a PlayRequest",
        log=("line 2 of", 'no field named "index"', "'promptId', 'legalIndex'"),
    ),
    "is_binary": Case(
        does="join(); sys.stdout.buffer.write(b'\\x00\\xff\\xfe' * 99 + b'\\n'); play()",
        verdict="FORFEIT PROTOCOL",
        words="not a PlayRequest",
        log=("line 2 of", "no UTF-8"),
    ),
    "never_ends_its_line": Case(
        does="join()\nwhile True: write('x' * 65536)",
        verdict="FORFEIT PROTOCOL",
        words="16,385 bytes sent, 16,384 allowed",
        log=("line 2 of the bot's standard output has more than 16,384 bytes",),
    ),
    "floods": Case(
        does="join()\nwhile True: say(note={'text': 'and another thing'})",
        verdict="FORFEIT PROTOCOL",
        words="65 surplus messages",
    ),
    "joins_twice": Case(
        does="join(); join(); play()", verdict="FORFEIT PROTOCOL", words="a second join"
    ),
    "speaks_another_version": Case(
        does="join(protocolVersion=2); play()", verdict="FORFEIT PROTOCOL", words="version 2 asked"
    ),
}

OF_ITS_END: Final = {
    "exits": Case(
        does="join(); first_prompt(); sys.exit(3)",
        verdict="FORFEIT CRASH",
        words="exited with code 3",
    ),
    "exits_with_0": Case(
        does="join(); first_prompt()", verdict="FORFEIT CRASH", words="exited with code 0"
    ),
    "raises": Case(
        does="join(); first_prompt(); 1 / 0",
        verdict="FORFEIT CRASH",
        words="exited with code 1",
        log=("ZeroDivisionError",),
    ),
    "is_killed": Case(
        does="join(); first_prompt(); os.kill(os.getpid(), signal.SIGSEGV)",
        verdict="FORFEIT CRASH",
        words="was killed by SIGSEGV",
    ),
    "kills_its_bridge": Case(
        does="join(); first_prompt(); os.kill(os.getppid(), signal.SIGKILL); time.sleep(99)",
        verdict="FORFEIT CRASH",
        words="was killed by SIGKILL",
    ),
    "closes_its_output": Case(
        does="join(); first_prompt(); os.close(1); time.sleep(99)",
        verdict="FORFEIT CRASH",
        words="closed its stream",
    ),
    "leaves_somebody_behind": Case(
        does="join(); first_prompt(); subprocess.Popen(['sleep', '99']); sys.exit(4)",
        verdict="FORFEIT CRASH",
        words="exited with code 4",
    ),
    "never_joins": Case(does="sys.exit(5)", verdict="FORFEIT STARTUP", words="exited with code 5"),
}


@pytest.mark.parametrize("name", [*OF_PROTOCOL, *OF_ITS_END])
def test_what_a_bot_does_wrong_is_judged_as_over_grpc(name: str, tmp_path: Path) -> None:
    case = (OF_PROTOCOL | OF_ITS_END)[name]
    seen = played(manifest(tmp_path, case.does))
    assert seen.verdict == case.verdict, (seen.words, seen.log)
    assert case.words in seen.words
    assert [text for text in case.log if text not in seen.log] == [], seen.log
    assert "Traceback" not in seen.log or name == "raises"
    assert seen.left == ()


def test_one_that_plays_plays(tmp_path: Path) -> None:
    seen = played(manifest(tmp_path, "join()\nplay()"))
    assert (seen.verdict, sum(seen.tally.faults.values()), seen.log) == ("COMPLETED", 0, "")
    assert seen.left == ()


def test_its_own_files_are_no_modules_of_the_bridge(tmp_path: Path) -> None:
    for name in ("grpc", "arena", "asyncio", "google"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not me')")
    assert played(manifest(tmp_path, "join()\nplay()")).verdict == "COMPLETED"


def test_its_errors_notes_and_last_words_are_in_its_log(tmp_path: Path) -> None:
    script = """
join()
for prompt in prompts():
    sys.stderr.write("asked\\n")
    say(note={"text": "noted"})
    answer(prompt)
print("it is over, and nobody listens any more", file=sys.stderr)
"""
    seen = played(manifest(tmp_path, script), hands=1)
    assert seen.verdict == "COMPLETED"
    lines = seen.log.splitlines()
    assert lines.count("asked") == lines.count("noted") > 5
    assert lines[-1] == "it is over, and nobody listens any more"


def test_a_program_that_is_not_there_never_joins(tmp_path: Path) -> None:
    seen = played(manifest(tmp_path, "", "./no-such-program"))
    assert seen.verdict == "FORFEIT STARTUP"
    assert "exited with code 127" in seen.words
    assert "arena_sdk.bridge: cannot start './no-such-program': No such file" in seen.log


def test_one_that_neither_reads_nor_says_anything_is_out_of_time(tmp_path: Path) -> None:
    time = replace(STANDARD_LIMITS.time, turn=nanos(0.2), bank=nanos(0))
    limits = replace(STANDARD_LIMITS, time=time)
    seen = played(manifest(tmp_path, "join(); time.sleep(99)"), limits=limits)
    assert seen.verdict == "FORFEIT TIMEOUT"
    assert seen.left == ()


def test_answers_that_are_not_legal_are_strikes(tmp_path: Path) -> None:
    script = "join()\nfor prompt in prompts(): answer(prompt, 99)"
    seen = played(manifest(tmp_path, script))
    assert seen.verdict == "FORFEIT ILLEGAL"
    assert seen.tally.faults[Fault.ILLEGAL] == 3


def test_one_that_does_not_end_is_ended(tmp_path: Path) -> None:
    script = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
join()
play()
time.sleep(99)
"""
    seen = played(manifest(tmp_path, script), hands=1)
    assert seen.verdict == "COMPLETED"
    assert seen.left == ()
