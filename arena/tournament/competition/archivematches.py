"""The matches of an archive against its journal: none missing, none too many, no attempt hidden.

A result that somebody did not like cannot be played away unseen: every attempt at a match has a
number and a seed of its own, and so has every run of a pairing. Attempts that came to nothing are
allowed, for machines fail; how many there were for whom is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import InputError, quoted
from arena.formats.story import Score
from arena.storage.attempts import commitment
from arena.storage.facts import AttemptState, Match, MatchState
from arena.tournament.competition.archivefolder import Findings, lines_of
from arena.tournament.competition.archiveformat import (
    JOURNAL,
    MATCHES,
    ArchivedAttempt,
    ArchivedMatch,
    ArchivedResult,
    match_from,
    record_name,
    restored,
    result_of,
)
from arena.tournament.competition.archivejournal import UNREADABLE, Run, Told
from arena.tournament.competition.scores import score_of

__all__ = ["Attempts", "MatchBook", "ToReplay"]

_NOTHING: Final = (AttemptState.VOID, AttemptState.LOST)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToReplay:
    """A record, and what it has to say.

    Attributes:
        file: Its path in the archive.
        line: The line of matches.jsonl that names it.
        match, attempt: Whose record it is.
        digest: SHA-256 that it must have.
        run: What its match has to be.
        entrants, versions: By seat, the entrant's number and the version's digest.
        commitment: Of the attempt.
        seed: From which its boards follow; None: nobody can tell yet.
        result: What it must have come to; None: it must be void.
        score: What that must be as a score.
        scored: The line of the journal that takes the score down; 0: none does.
    """

    file: str
    line: int
    match: int
    attempt: int
    digest: str
    run: Run
    entrants: tuple[int, ...]
    versions: tuple[str, ...]
    commitment: str
    seed: bytes | None
    result: ArchivedResult | None
    score: Score | None
    scored: int


@dataclass(frozen=True, slots=True)
class Attempts:
    """How many attempts there were with a bot, how many of these came to nothing, and reruns."""

    title: str
    attempts: int
    void: int
    reruns: int


@dataclass(slots=True)
class MatchBook:
    """What matches.jsonl says.

    Attributes:
        records: The records that have to be there, with what they have to say.
        by_pairing: The matches by what they are played for, for views.
    """

    told: Told
    findings: Findings
    tell: Callable[[str], None]
    records: list[ToReplay] = field(default_factory=list)
    by_pairing: dict[str, Match] = field(default_factory=dict)
    _lines: dict[str, tuple[int, ArchivedMatch]] = field(default_factory=dict)
    _numbers: set[int] = field(default_factory=set)
    _tried: Counter[str] = field(default_factory=Counter)
    _void: Counter[str] = field(default_factory=Counter)
    _reruns: Counter[str] = field(default_factory=Counter)

    def read(self, folder: Path) -> None:
        """Go through the file."""
        number = 0
        try:
            for number, line in enumerate(lines_of(folder, MATCHES), 1):
                self._take(number, line)
        except InputError as error:
            self.findings.add(MATCHES, number + 1, str(error).partition(": ")[2])
        self._check_scored()
        for name, run in self.told.runs.items():
            if name not in self._lines:
                self.findings.add(
                    MATCHES,
                    0,
                    f"has no match for {name}, to be played by line {run.line} of the journal",
                )

    @property
    def attempts(self) -> tuple[Attempts, ...]:
        """Of every bot that has played."""
        return tuple(
            Attempts(title, count, self._void[title], self._reruns[title])
            for title, count in sorted(self._tried.items())
        )

    def _take(self, number: int, line: bytes) -> None:
        try:
            match = match_from(line)
            run = self._run(number, match)
            if run is None:
                return
            self._lines[match.pairing] = number, match
            self.by_pairing[match.pairing] = restored(self.told.competition, match)
            self._check_agreed(number, match, run)
            self._check_attempts(number, match)
            self._list_records(number, match, run)
        except InputError as error:
            self.findings.add(MATCHES, number, str(error))
        except UNREADABLE as error:
            self.findings.add(MATCHES, number, f"makes no sense: {error}")

    def _add(self, line: int, match: ArchivedMatch, what: str) -> None:
        self.findings.add(MATCHES, line, f"match {match.number}: {what}")

    def _run(self, number: int, match: ArchivedMatch) -> Run | None:
        run = self.told.runs.get(match.pairing)
        if run is None:
            self._add(
                number, match, f"is for {quoted(match.pairing)}, which never had to be played"
            )
        elif match.pairing in self._lines:
            self._add(number, match, f"there is another match for {match.pairing}; one is allowed")
            return None
        if match.number in self._numbers:
            self._add(number, match, "is there twice")
        self._numbers.add(match.number)
        return run

    # -- what was agreed, and tried -------------------------------------------------------------

    def _check_agreed(self, number: int, match: ArchivedMatch, run: Run) -> None:
        said: Mapping[str, tuple[object, object]] = {
            "table": (match.table, run.new.table),
            "teams": (match.teams, run.new.teams),
            "terms": (match.terms, run.new.terms),
            "seats": (tuple(seat.title for seat in match.seats), run.titles),
        }
        for name, (is_, right) in said.items():
            if is_ != right:
                told = (
                    f"{name} are {quoted(is_, 200)}, by the journal they are {quoted(right, 200)}"
                )
                self._add(number, match, told)
        entries = {one.title: one for one in self.told.competition.entries}
        for seat in match.seats:
            entry = entries[seat.title]
            if (seat.ordinal, seat.digest) != (entry.ordinal, entry.digest):
                self._add(
                    number,
                    match,
                    f"{seat.title} sits there with version {seat.ordinal}, {seat.digest[:12]}...; "
                    f"frozen was version {entry.ordinal}, {entry.digest[:12]}...",
                )

    def _check_attempts(self, number: int, match: ArchivedMatch) -> None:
        for place, attempt in enumerate(match.attempts, 1):
            if attempt.number != place:
                self._add(number, match, f"attempt {place} is missing; {attempt.number} is there")
                break
        for attempt in match.attempts:
            self._check_seed(number, match, attempt)
            for seat in match.seats:
                self._tried[seat.title] += 1
            if attempt.state in _NOTHING:
                for seat in match.seats:
                    self._void[seat.title] += 1
                self.tell(
                    f"match {match.number} ({match.pairing}): attempt {attempt.number} "
                    f"({attempt.state}) came to nothing: {attempt.why}"
                )
        self._check_states(number, match)
        if not match.pairing.endswith("/1"):
            for seat in match.seats:
                self._reruns[seat.title] += 1

    def _check_seed(self, number: int, match: ArchivedMatch, attempt: ArchivedAttempt) -> None:
        seed = self.told.seed_of(match.pairing, attempt.number)
        what = f"attempt {attempt.number}"
        if seed is not None and attempt.seed not in {"", seed.hex()}:
            self._add(number, match, f"{what}: its seed does not come from the secret seed")
        known = bytes.fromhex(attempt.seed) if seed is None else seed
        if not known:
            return
        if attempt.commitment != commitment(match.number, attempt.number, known):
            self._add(number, match, f"{what}: its commitment is not that of its seed")

    def _check_states(self, number: int, match: ArchivedMatch) -> None:
        for attempt in match.attempts[:-1]:
            if attempt.state not in _NOTHING:
                told = f"attempt {attempt.number} is {attempt.state}, and there is one after it"
                self._add(number, match, told)
        last = match.attempts[-1] if match.attempts else None
        is_done = last is not None and last.state is AttemptState.DONE
        if not is_done == (match.state is MatchState.DONE) == (match.result is not None):
            self._add(number, match, f"is {match.state}, but its attempts or its result say other")
        elif match.result is not None and last is not None:
            both = (match.result.attempt, match.result.record), (last.number, last.record)
            if both[0] != both[1]:
                self._add(number, match, "its result is not of its last attempt")

    # -- what it came to ------------------------------------------------------------------------

    def _check_scored(self) -> None:
        """Every score of the journal has a match that has come to it."""
        for name, (line, event) in self.told.scored.items():
            if name not in self._lines:
                continue  # told as a match that is missing
            _, match = self._lines[name]
            run, result = self.told.runs[name], match.result
            if result is None:
                told = f"says that {name} was played; match {match.number} has no result"
                self.findings.add(JOURNAL, line, told)
                continue
            said = (event.match, event.attempt, event.record, event.head)
            right = (match.number, result.attempt, result.record, result.head)
            for what, is_, must in zip(
                ("match", "attempt", "record", "head"), said, right, strict=True
            ):
                if is_ != must:
                    told = f"{name}: its {what} is {is_}; {MATCHES} says {must}"
                    self.findings.add(JOURNAL, line, told)
            self._check_score(line, name, event.score, score_by(run, match.number, result))
        for name, (_, match) in self._lines.items():
            if match.result is not None and name not in self.told.scored:
                self.tell(
                    f"match {match.number} ({name}) was played, and no score was taken from it"
                )

    def _check_score(self, line: int, name: str, said: Score, right: Score | str) -> None:
        if said != right:
            told = right if isinstance(right, str) else shown(right)
            self.findings.add(
                JOURNAL, line, f"{name}: the score is {shown(said)}; its result makes {told}"
            )

    def _list_records(self, number: int, match: ArchivedMatch, run: Run) -> None:
        line, event = self.told.scored.get(match.pairing, (0, None))
        for attempt in match.attempts:
            if not attempt.record:
                if attempt.state is AttemptState.DONE:
                    self._add(number, match, f"attempt {attempt.number} is done and has no record")
                continue
            is_last = match.result is not None and attempt.number == match.result.attempt
            self.records.append(
                ToReplay(
                    file=record_name(match.number, attempt.number),
                    line=number,
                    match=match.number,
                    attempt=attempt.number,
                    digest=attempt.record,
                    run=run,
                    entrants=tuple(seat.entrant for seat in run.new.seats),
                    versions=tuple(seat.digest for seat in match.seats),
                    commitment=attempt.commitment,
                    seed=self.told.seed_of(match.pairing, attempt.number),
                    result=match.result if is_last else None,
                    score=event.score if event is not None and is_last else None,
                    scored=line,
                )
            )


def score_by(run: Run, number: int, result: ArchivedResult) -> Score | str:
    """The score by a result, or why it makes none."""
    try:
        return score_of(run.seats, result_of(number, result), run.games)
    except (InputError, *UNREADABLE) as error:
        return f"none ({error})"


def shown(score: Score) -> str:
    """A score in a few words."""
    boards = ", ".join(f"{one:.4f}".rstrip("0").rstrip(".") for one in score.boards)
    ranks, faults = (", ".join(map(str, one)) for one in (score.ranks, score.faults))
    return f"ranks {ranks}, board points {boards}, faults {faults}, games {score.games}"
