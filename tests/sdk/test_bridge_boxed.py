"""Bots behind the bridge in containers, held still while nothing is asked of them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.sandbox.engine import connect
from arena.sandbox.images import resolve
from arena.tournament.matches import Sandbox, Venue
from tests.sdk.bridgehouse import manifest, played

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def venue() -> Venue:
    """Containers from the image of other languages; the honest bot is in that of Python."""
    try:
        with contextlib.closing(connect()) as engine:
            images = tuple(resolve(engine, name).id for name in ("other", "python"))
    except HostFault as fault:
        pytest.skip(str(fault))
    return Venue(sandbox=Sandbox.DOCKER, images=images, holds_still=True)


@pytest.mark.parametrize(
    ("does", "verdict", "words", "log"),
    [
        ("join()\nplay()", "COMPLETED", "", ""),
        (
            "join(); first_prompt(); print('hm'); play()",
            "FORFEIT PROTOCOL",
            "not a PlayRequest",
            "line 2 of the bot's standard output is no PlayRequest",
        ),
        ("join(); first_prompt(); sys.exit(3)", "FORFEIT CRASH", "exited with code 3", ""),
        (
            "join(); first_prompt(); os.kill(os.getpid(), signal.SIGSEGV)",
            "FORFEIT CRASH",
            "was killed by SIGSEGV",
            "",
        ),
        (
            "join(); first_prompt(); held = [bytearray(b'x' * 2**20) for _ in range(2000)]",
            "FORFEIT RESOURCE",
            "was killed for memory",
            "",
        ),
        (
            "join(); first_prompt(); subprocess.Popen(['sleep', '99']); sys.exit(4)",
            "FORFEIT CRASH",
            "exited with code 4",
            "",
        ),
        ("join()\nwhile True: write('x' * 65536)", "FORFEIT PROTOCOL", "16,384 allowed", "line 2"),
    ],
    ids=["plays", "prints", "exits", "crashes", "eats", "leaves_offspring", "never_ends_its_line"],
)
def test_a_bot_in_a_container_is_judged_as_any(
    does: str, verdict: str, words: str, log: str, venue: Venue, tmp_path: Path
) -> None:
    seen = played(manifest(tmp_path, does, "python3", "bot.py"), venue=venue)
    assert (seen.verdict, words in seen.words) == (verdict, True), (seen.words, seen.log)
    assert log in seen.log
    assert seen.left == ()
