"""The event loop that matches are played in."""

from __future__ import annotations

import asyncio
import selectors
from typing import Final

from arena.app import run_until_signalled

LATER: Final = 2e-4
"""Seconds; a loop that counts milliseconds would wait for a whole one."""


def test_a_match_is_played_in_a_loop_whose_waits_are_not_rounded_up() -> None:
    waits: list[float | None] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        selector: selectors.BaseSelector = loop._selector  # type: ignore[attr-defined]
        assert isinstance(selector, selectors.SelectSelector)
        select = selector._select  # type: ignore[attr-defined]

        def noted(readers: object, writers: object, none: object, timeout: float | None) -> object:
            waits.append(timeout)
            return select(readers, writers, none, timeout)

        selector._select = noted  # type: ignore[attr-defined]
        await asyncio.sleep(LATER)

    run_until_signalled(main())
    assert [one for one in waits if one is not None and 0 < one <= LATER]
