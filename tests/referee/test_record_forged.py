"""Records whose forger made the chain anew: what playing them again proves, and what it cannot.

A forger who recomputes every hash can only be caught by the rules, by arithmetic, or by the head
that was published. Every member of every kind of line is changed here in several ways; those
that can be changed unnoticed are listed in the README, and the list is held to be complete.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from arena.engine.cards import HAZARDS
from arena.engine.deal import commitment
from arena.engine.rulesets import PRESETS
from arena.engine.state import Reason, Stage
from arena.errors import InputError
from arena.referee.events import ForfeitReason, OutcomeKind, RejectionReason
from arena.referee.limits import FaultBudget, WindowMode
from arena.referee.reading import RecordError
from arena.referee.scripted import HostFails, Leave, Reply
from arena.referee.tally import Fault
from tests.referee.plans import TIME, hostile, in_turn, make_plan, patient
from tests.referee.recorded import chained, erratic, recorded, said_by, verified

README: Final = Path(__file__).parents[2] / "arena" / "referee" / "README.md"

Said = dict[str, Any]


def completed() -> list[bytes]:
    """Two legs with time-outs, illegal answers and standstills, played to their end."""
    plan = make_plan("classic", 2, seed="forge0", rotate=True, options={"target": 700})
    return recorded(plan, erratic(1, 0.15, stalls=True, grave=False), patient)


def forfeited() -> list[bytes]:
    """Partners, sealed windows, and a bot that is lost on the way."""
    budget = FaultBudget(max_strikes=3, surplus_messages=3)
    plan = make_plan("classic", 6, window=WindowMode.SEALED, seed="forge", faults=budget)
    return recorded(plan, *(erratic(bot, 0.03) for bot in range(6)))


def standing_and_void() -> list[bytes]:
    """Standing orders, a crash, and then a machine that fails."""
    plan = make_plan("plateau", 3, window=WindowMode.STANDING, seed="forge")
    fails = in_turn([[Reply(0)]] * 12 + [[HostFails()]], patient)
    return recorded(plan, fails, hostile, in_turn([[Reply(0)]] * 5 + [[Leave()]]))


RECORDS: Final = (completed, forfeited, standing_and_void)


def said(record: Callable[[], list[bytes]]) -> list[Said]:
    """What the lines of a record say."""
    return said_by(record())


def holds(lines: Iterable[Said]) -> bool:
    try:
        verified(chained(lines))
    except InputError:
        return False
    return True


# -- forging ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forgery:
    """A record with one value changed: in which member, from what, to what."""

    member: str
    old: object
    new: object
    lines: list[Said]


def forgeries(lines: Sequence[Said]) -> Iterator[Forgery]:
    """Every member of every sort of line, changed in every way that comes to mind."""
    for at in _telling(lines):
        kind = lines[at]["t"]
        for path, old in _leaves(lines[at]):
            texts = WORDS.get(str(path[0]), [])
            for new in _others(old, texts):
                if new == old and type(new) is type(old):  # 0 equals false, but is not the same
                    continue
                forged = list(lines)
                forged[at] = _changed(lines[at], path, new)
                name = ".".join(one for one in path if isinstance(one, str))
                yield Forgery(f"{kind} {name}", old, new, forged)


def _telling(lines: Sequence[Said]) -> list[int]:
    """Places of lines that differ in what matters: one of each sort."""
    sorts: dict[tuple[object, ...], int] = {}
    for at, line in enumerate(lines):
        facts = [line.get(name) for name in ("t", "kind", "fault", "reason", "answered")]
        sorts[(*facts, bool(line.get("lag")))] = at
    return sorted(sorts.values())


Path_ = tuple[str | int, ...]


WORDS: Final[dict[str, list[str]]] = {
    "kind": [*OutcomeKind, *Stage.__members__],
    "fault": list(Fault),
    "reason": [*ForfeitReason, *RejectionReason.__members__],
    "attack": [card.name for card in HAZARDS],
    "end": list(Reason.__members__),
    "action": ["draw pile", "pass", "stop", "discard D25", "discard D100", "play D50"],
    "preset": list(PRESETS),
}
"""What the text of a member could be instead."""


def _leaves(value: object, path: Path_ = ()) -> Iterator[tuple[Path_, object]]:
    """Every value in a line that is no object, with its path; of a list also its first item."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if path or name not in ("t", "format", "engine"):
                yield from _leaves(inner, (*path, name))
        return
    yield path, value
    if isinstance(value, list) and value:
        yield from _leaves(value[0], (*path, 0))


def _others(value: object, texts: Sequence[str]) -> list[object]:
    """Other values of the same form, or nearly."""
    match value:
        case bool():
            return [not value]
        case int():
            return [one for one in (0, value - 1, value + 1, value + 50_000_000) if one >= 0]
        case None:
            return [0, 1, "timed_out"]
        case str():
            return [*map(str, texts), "0" * len(value), None]
        case list():
            return [[], value[:-1], [*value, *value[-1:]], value[::-1]]
        case _:
            raise AssertionError(value)


def _changed(line: Said, path: Path_, value: object) -> Said:
    forged = copy.deepcopy(line)
    inner: Any = forged
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return forged


# -- what is found ----------------------------------------------------------------------------


def unproven() -> set[str]:
    """The members that the README says can be changed unnoticed, as `line member`."""
    text = README.read_text(encoding="utf-8").partition("## What playing it again cannot prove")[2]
    rows = re.findall(r"^\| ([a-z, ]+) \| (`.*) \|$", text, re.MULTILINE)
    return {
        f"{kind} {member}"
        for kinds, cell in rows
        for kind in kinds.split(", ")
        for member in re.findall(r"`(\w+)`", cell)
    }


def generalised(member: str) -> str:
    """A part goes by the name of the whole, `header limits`; times of lines are all alike."""
    whole = member.partition(".")[0]
    return "all at" if whole.endswith(" at") else whole


@pytest.mark.slow
def test_readme_lists_exactly_what_a_forger_can_change() -> None:
    found = {
        generalised(forgery.member)
        for record in RECORDS
        for forgery in forgeries(said(record))
        if holds(forgery.lines)
    }
    assert found == unproven()


# -- single works of a forger -------------------------------------------------------------------


@pytest.mark.parametrize("record", RECORDS)
def test_another_legal_action_is_caught(record: Callable[[], list[bytes]]) -> None:
    """Even one that the rules allow: what it leads to stands in the same line."""
    lines = said(record)
    for at, line in enumerate(lines):
        if line["t"] == "play" and line["action"].startswith("discard "):
            for other in {one["action"] for one in lines if one.get("kind") == "PLAY"}:
                if other != line["action"]:
                    assert not holds([*lines[:at], line | {"action": other}, *lines[at + 1 :]])
            return
    raise AssertionError("nobody discards")


def test_other_seeds_that_fit_new_commitments_are_caught() -> None:
    lines = said(completed)
    seed = bytes(32)
    lines[0] = lines[0] | {"commitments": [commitment(seed).hex()]}
    lines[-2] = lines[-2] | {"seeds": [seed.hex()]}
    with pytest.raises(RecordError, match=r"line \d: (seat|action|events)"):
        verified(chained(lines))


def test_time_taken_from_a_bank_is_caught_in_the_next_line_that_has_it() -> None:
    lines = said(completed)
    slow = [at for at, line in enumerate(lines) if line.get("spent", 0) > TIME.turn]
    line = lines[slow[0]]
    forged = line | {"spent": line["spent"] - 1, "bank": line["bank"] + 1}
    lines[slow[0]] = forged
    with pytest.raises(RecordError, match=r"(bank|spent) is") as caught:
        verified(chained(lines))
    assert caught.value.line > slow[0] + 1


def with_count(lines: Sequence[Said]) -> list[Said]:
    """The same with the right number of lines in the verdict."""
    return [line | {"lines": len(lines)} if line["t"] == "verdict" else line for line in lines]


@pytest.mark.parametrize("record", RECORDS)
def test_lines_left_out_doubled_or_exchanged_are_caught(
    record: Callable[[], list[bytes]],
) -> None:
    """All but those on which nothing depends, as the README says."""
    lines = said(record)
    last = len(lines) - 3  # before seeds and verdict
    void = lines[-1]["kind"] == "VOID"
    for at, line in enumerate(lines):
        if line["t"] == "surplus":
            continue
        if at != last or not void:
            without = [*lines[:at], *lines[at + 1 :]]
            assert not holds(with_count(without)), f"line {at + 1} left out"
        doubled = [*lines[: at + 1], *lines[at:]]
        assert not holds(with_count(doubled)), f"line {at + 1} doubled"
        following = lines[at + 1] if at + 1 < len(lines) else line
        if following["t"] != "surplus" and following != line:
            exchanged = [*lines[:at], following, line, *lines[at + 2 :]]
            assert not holds(with_count(exchanged)), f"lines {at + 1} and {at + 2} exchanged"


def test_surplus_lines_can_be_left_out_as_the_readme_says() -> None:
    lines = said(completed)
    kept = [line for line in lines if line["t"] != "surplus"]
    assert len(kept) < len(lines)
    assert holds(with_count(kept))


def test_head_tells_what_playing_it_again_cannot() -> None:
    lines = said(completed)
    forged = [lines[0] | {"created": "later"}, *lines[1:]]
    assert verified(chained(forged)).head != verified(chained(lines)).head
