"""Whether the rows of a match agree with each other, and with the digests that they name.

A match, its seats, its attempts, its result and its place in the ledger are looked at together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from sqlalchemy import RowMapping

from arena.errors import InputError
from arena.storage.attempts import commitment
from arena.storage.checkcompetitions import broken_competition, broken_seed
from arena.storage.checkpieces import UNREADABLE, Findings, WholeMatch
from arena.storage.facts import AttemptState, MatchKind, MatchState
from arena.storage.inputs import digest_of
from arena.storage.recording import result_payload

__all__ = ["check_match"]

_FEWEST_TEAMS: Final = 2


def check_match(match: WholeMatch, findings: Findings) -> None:
    """Look at one match."""
    thing = f"match {match.number}"
    try:
        for promise, words in _broken(match):
            findings.add(promise, thing, words)
        for attempt in match.attempts:
            for promise, words in chain(broken_seed(match, attempt), _broken_attempt(attempt)):
                findings.add(promise, f"{thing}, attempt {attempt['number']}", words)
    except (InputError, *UNREADABLE) as error:
        findings.add(5, thing, "its rows make no sense: ", str(error))


def _broken(match: WholeMatch) -> Iterator[tuple[int, str]]:
    row, result = match.row, match.result
    yield from _broken_state(match)
    count = row["attempts"]
    if [one["number"] for one in match.attempts] != list(range(1, count + 1)):
        yield 1, "has other attempts than its row counts"
    if not 0 <= row["failed"] <= count:
        yield 1, "counts more failed attempts than it has had, or fewer than none"
    yield from _broken_seats(row, match.seats)
    yield from _broken_entry(match)
    yield from broken_competition(match)
    if result is not None:
        yield from _broken_result(match, result)


def _broken_state(match: WholeMatch) -> Iterator[tuple[int, str]]:
    """It waits, or is being played, or has exactly one result."""
    state, has_result = match.row["state"], match.result is not None
    states = [one["state"] for one in match.attempts]
    done, leased = states.count(AttemptState.DONE), states.count(AttemptState.LEASED)
    is_done, is_leased = state == MatchState.DONE, state == MatchState.LEASED
    rules = (
        ("is done and has no result", is_done and not has_result),
        ("has a result and is not done", has_result and not is_done),
        ("is done, and not by exactly one attempt", is_done and done != 1),
        ("has a finished attempt and is not done", done > 0 and not is_done),
        ("is leased, and not as exactly one attempt", is_leased and leased != 1),
        ("has a leased attempt and is not leased", leased > 0 and not is_leased),
        ("is in no state that there is", state not in list(MatchState)),
    )
    yield from ((1, words) for words, is_broken in rules if is_broken)


def _broken_seats(row: RowMapping, seats: Sequence[RowMapping]) -> Iterator[tuple[int, str]]:
    if [one["seat"] for one in seats] != list(range(len(seats))):
        yield 8, "its seats are not numbered from 0 on"
    if sorted(seat for team in row["teams"] for seat in team) != list(range(len(seats))):
        yield 8, "its teams do not hold each of its seats once"
    if len(row["teams"]) < _FEWEST_TEAMS or not all(row["teams"]):
        yield 8, "has fewer than two teams, or one without a seat"
    if any(one["of"] != one["entrant"] for one in seats):
        yield 8, "has a seat with a version of another entrant"
    if row["kind"] not in list(MatchKind):
        yield 8, "is of no kind that there is"
    if not isinstance(row["terms"], dict):
        yield 8, "its terms are none"


def _broken_entry(match: WholeMatch) -> Iterator[tuple[int, str]]:
    """Rated matches that are done are in the ledger once, and others are not."""
    is_rated = match.row["kind"] == MatchKind.RATED and match.row["state"] == MatchState.DONE
    if is_rated and len(match.entries) != 1:
        yield 2, "is rated and done, and has not one entry in the ledger"
    if not is_rated and match.entries:
        yield 2, "is not rated and done, and has an entry in the ledger"
    if match.result is not None:
        own = match.result["entry"]
        if is_rated and own is None:
            yield 2, "is rated and done, and its result names no entry in the ledger"
        if own is not None and list(match.entries) != [own]:
            yield 2, "its result names another entry in the ledger than is its own"
        if match.result["annulled"] and own is None:
            yield 2, "is annulled and was never rated"


def _broken_result(match: WholeMatch, result: RowMapping) -> Iterator[tuple[int, str]]:
    digest = digest_of(result_payload(result))
    if digest != result["payload_sha256"]:
        yield 5, "its result is not the one whose digest its row names"
    if len(result["seats"]) != len(match.seats):
        yield 8, "its result is about another number of seats"
    if len(result["ranks"]) != len(match.row["teams"]):
        yield 8, "its result has ranks for another number of teams"
    if result["verdict"] not in {"COMPLETED", "FORFEIT"}:
        yield 8, "its result has no verdict that there is"
    attempts = [one for one in match.attempts if one["state"] == AttemptState.DONE]
    for attempt in attempts:
        if attempt["number"] != result["attempt"]:
            yield 8, "its result is of another attempt than the one that is done"
        if attempt["report_sha256"] != digest:
            yield 5, "its attempt names the digest of another report than its result"
        if attempt["record"] != result["record"]:
            yield 5, "its attempt and its result name different records"
        if attempt["why"] != result["why"]:
            yield 8, "its attempt and its result differ in their words"


def _broken_attempt(row: RowMapping) -> Iterator[tuple[int, str]]:
    seed = bytes(row["seed"])
    if commitment(row["match"], row["number"], seed) != row["commitment"]:
        yield 5, "its commitment is not that of its seed"
    state = row["state"]
    if state not in list(AttemptState):
        yield 1, "is in no state that there is"
    elif state == AttemptState.VOID and row["report_sha256"]:
        yield from _broken_report(row)
    elif row["report"] not in _ALLOWED[state]:
        yield 5, "has a report without a digest"
    elif state != AttemptState.DONE and (row["report_sha256"] or row["record"]):
        yield 5, "names a report or a record, and has none"
    if (row["ended"] is None) != (state == AttemptState.LEASED):
        yield 8, "has a time at which it ended, and is being played, or neither"


_CAME_OF_PLAY: Final[Mapping[str, Any]] = {"of_play": True}
_ALLOWED: Final[Mapping[str, Sequence[Any]]] = {
    AttemptState.LEASED: (None,),
    AttemptState.DONE: (None,),
    AttemptState.VOID: (None, _CAME_OF_PLAY),
    AttemptState.LOST: (None, _CAME_OF_PLAY),
}
"""What stands in the place of a report that nobody has sent."""


def _broken_report(row: RowMapping) -> Iterator[tuple[int, str]]:
    said = row["report"]
    if digest_of(said) != row["report_sha256"]:
        yield 5, "its report is not the one whose digest its row names"
    right = {"match": row["match"], "attempt": row["number"], "verdict": "VOID"}
    right |= {name: row[name] for name in ("record", "why")}
    if any(said[name] != value for name, value in right.items()):
        yield 8, "its report and its row differ"
