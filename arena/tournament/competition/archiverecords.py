"""A record of an archive: played again by the rules, and held against all that is said of it.

In a process of its own, so whatever a forged record does to it ends there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from arena.engine.deal import commitment as board_commitment
from arena.errors import HostFault, InputError, quoted
from arena.referee.events import OutcomeKind
from arena.referee.reading import BrokenOff, RecordError
from arena.referee.verifying import Verified, verify
from arena.storage.facts import MatchKind, Moment, Report, Result
from arena.storage.inputs import cleaned
from arena.submissions.bottoml import Manifest
from arena.tournament.competition.archivefolder import Finding, open_file
from arena.tournament.competition.archivejournal import UNREADABLE
from arena.tournament.competition.archivematches import ToReplay, shown
from arena.tournament.competition.scores import score_of
from arena.tournament.ladder.again import Seen
from arena.tournament.ladder.terms import Terms, terms_from
from arena.tournament.matches import MatchSpec

__all__ = ["Checked", "check_records"]

_MORE_THAN_TWO: Final = 2
_NOBODY: Final = Manifest(name="", version="", language="", run=(), folder=Path())


@dataclass(frozen=True, slots=True)
class Checked:
    """What playing some records again has brought."""

    findings: tuple[Finding, ...]
    games: int
    actions: int


def check_records(folder: Path, records: Sequence[ToReplay]) -> Checked:
    """Play records again and compare."""
    found: list[Finding] = []
    games = actions = 0
    for one in records:
        try:
            replayed = _replayed(folder, one)
        except (BrokenOff, RecordError) as error:
            line, what = error.line, str(error).removeprefix(f"line {error.line}: ")
            found.append(Finding(one.file, line, what))
        except (InputError, HostFault, *UNREADABLE) as error:
            found.append(Finding(one.file, 0, str(error)))
        else:
            games += replayed.verified.games
            actions += replayed.verified.actions
            try:
                found += [Finding(one.file, line, what) for line, what in _wrong(one, replayed)]
            except (InputError, *UNREADABLE) as error:
                found.append(Finding(one.file, 1, f"makes no sense: {error}"))
    return Checked(tuple(found), games, actions)


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A record that holds: what its header says besides, and what the arena makes of its games."""

    verified: Verified
    facts: Mapping[str, Any]
    report: Report


def _replayed(folder: Path, one: ToReplay) -> _Replayed:
    seen = Seen()
    with open_file(folder, one.file) as file:
        verified = verify(file, seen)
        facts = _header(file)
    return _Replayed(verified, facts, seen.report(verified))


def _header(file: BinaryIO) -> Mapping[str, Any]:
    file.seek(0)
    header: dict[str, Any] = json.loads(file.readline())
    return header


# -- compared -----------------------------------------------------------------------------------

Wrong = Iterable[tuple[int, str]]
"""Line and words of what is wrong."""


def _wrong(one: ToReplay, replayed: _Replayed) -> Wrong:
    for name, said, right in _agreed(one, replayed):
        if said != right:
            yield 1, f"its {name} must be {quoted(right, 200)}, not {quoted(said, 200)}"
    last = replayed.verified.lines
    for name, said, right in _came_to(one, replayed):
        if said != right:
            yield (
                last,
                f"it comes to {name} {quoted(said, 200)}; matches.jsonl, line {one.line}, says "
                f"{quoted(right, 200)}",
            )
    if one.score is not None:
        score = score_of(one.run.seats, _result(one, replayed.report), one.run.games)
        if score != one.score:
            yield (
                last,
                f"it makes the score {shown(score)}; journal.jsonl, line {one.scored}, says "
                f"{shown(one.score)}",
            )


def _result(one: ToReplay, report: Report) -> Result:
    return Result(
        match=one.match,
        attempt=one.attempt,
        verdict=report.verdict,
        why=report.why,
        ranks=report.ranks,
        seats=report.seats,
        games=report.games,
        record=one.digest,
        head=report.head,
        started=Moment(0),
        ended=Moment(0),
    )


Pair = tuple[str, object, object]
"""A name, what is said and what must be."""


def _agreed(one: ToReplay, replayed: _Replayed) -> Iterable[Pair]:
    """What the header has to say; of the host's delays the regulations do not say anything."""
    header, facts = replayed.verified.header, replayed.facts
    plan, new = header.agreed, one.run.new
    terms = terms_from(new.terms)
    players = len(new.seats)
    right = _spec(one, terms)
    rules, limits = right.rules, right.limits
    yield "match", header.match, str(one.match)
    yield "attempt", header.attempt, one.attempt
    yield "kind", facts.get("kind"), str(MatchKind.COMPETITION)
    yield "table", facts.get("table"), new.table
    yield "entrants", facts.get("entrants"), list(one.entrants)
    yield "versions", facts.get("versions"), list(one.versions)
    yield "commitment", facts.get("commitment"), one.commitment
    yield "rule set", plan.rules.preset, rules.preset
    yield "options", plan.rules.options(), rules.options()
    yield "teams", plan.seating.teams, right.seating.teams
    yield "games", plan.legs, terms.legs(players)
    yield "hands", plan.length.hands, terms.hands
    yield "stripes", plan.striped, terms.striped
    yield "playing on", plan.play_on, right.play_on
    yield "times", plan.limits.time, limits.time
    yield "faults", plan.limits.faults, limits.faults
    yield "window", str(plan.limits.window), str(limits.window)
    yield "boards", header.boards, right.boards
    if one.seed is not None:
        deals = tuple(board_commitment(board.seed).hex() for board in right.plan().boards)
        for number, (said, must) in enumerate(zip(header.commitments, deals, strict=False)):
            yield f"board {number}, by the attempt's seed,", said, must
        yield "bots' seeds", header.bot_seeds, _bot_seeds(right)


def _spec(one: ToReplay, terms: Terms) -> MatchSpec:
    """What the arena plays for a lease of this match; see `ladder.specs.spec_of`."""
    teams = one.run.new.teams
    seating = terms.seating(teams)
    return MatchSpec(
        number=one.match,
        attempt=one.attempt,
        bots=tuple(_NOBODY for _ in range(seating.players)),
        rules=terms.rules(seating.players),
        seating=seating,
        seed=one.seed or bytes(32),
        boards=tuple(range(terms.boards)),
        legs=terms.legs(seating.players),
        limits=terms.limits,
        length=terms.length,
        striped=terms.striped,
        play_on=len(teams) > _MORE_THAN_TWO,
    )


def _bot_seeds(spec: MatchSpec) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(spec.bot_seed(bot, leg) for bot in range(len(spec.bots)))
        for leg in range(len(spec.legs))
    )


def _came_to(one: ToReplay, replayed: _Replayed) -> Iterable[Pair]:
    """What the result has to be; what has the second column is the record's."""
    report, result = replayed.report, one.result
    if result is None:
        yield "the verdict", report.verdict, str(OutcomeKind.VOID)
        return
    for name in ("head", "verdict", "ranks", "games"):
        yield f"the {name}" if name != "ranks" else "the ranks", *_both(report, result, name)
    yield "the words", cleaned(report.why), result.why
    for seat, (is_, said) in enumerate(zip(report.seats, result.seats, strict=False)):
        for name in ("points", "wins", "shares", "forfeit"):
            yield f"seat {seat}: {name}", *_both(is_, said, name)
        yield f"seat {seat}: the detail", cleaned(is_.detail), said.detail
        yield f"seat {seat}: strikes", is_.tally["strikes"], said.tally.get("strikes")
    yield "seats", len(report.seats), len(result.seats)


def _both(one: object, other: object, name: str) -> tuple[object, object]:
    return getattr(one, name), getattr(other, name)
