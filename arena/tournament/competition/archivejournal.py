"""An archive's journal, gone through once more: its chain, every step, and what follows by itself.

What the arena has appended itself is worked out again from the lines before it and the secret seed,
which the last line reveals. Before that, what the seed decides has to be believed: that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.errors import InputError, quoted
from arena.formats.story import Pairing
from arena.storage.attempts import competition_commitment, competition_seed
from arena.storage.facts import NewMatch
from arena.tournament.competition import events
from arena.tournament.competition.archivefolder import Findings, lines_of, read_whole
from arena.tournament.competition.archiveformat import JOURNAL, REGULATIONS
from arena.tournament.competition.due import SeedOf, due
from arena.tournament.competition.events import Event
from arena.tournament.competition.journal import Journal, Line
from arena.tournament.competition.matching import games_of, match_of, team_seats
from arena.tournament.competition.regulations import Source
from arena.tournament.competition.regulationsparts import MOST_BOARDS
from arena.tournament.competition.state import Competition, Stage
from arena.tournament.competition.writers import wrong_writer

__all__ = ["UNREADABLE", "Run", "Told", "told_by"]

UNREADABLE: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What comes of lines that no arena has written: they may be anything."""

_MOST_ROUNDS: Final = 100_000

_Deed = (
    events.Joined
    | events.Rerun
    | events.Decided
    | events.Withdrawn
    | events.Disqualified
    | events.Reinstated
)
"""What a person does that changes who plays or wins: no fault, but everybody should know of it."""

_FATES: Final = {
    events.Withdrawn: "withdraws",
    events.Disqualified: "is disqualified",
    events.Reinstated: "plays on, as if it had never left",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of a pairing that is to be played: what its match has to be.

    Attributes:
        line: The line of the journal that it comes from.
        new: The match.
        titles: Who sits there, by seat.
        seats: By team of the pairing, its seats.
        games: How many games it has.
    """

    line: int
    new: NewMatch
    titles: tuple[str, ...]
    seats: tuple[tuple[int, ...], ...]
    games: int


@dataclass(slots=True)
class Told:
    """What a journal says.

    Attributes:
        competition: What it comes to.
        lines: The journal itself, read to its end.
        runs: By name (STAGE/KEY/RUN), what had to be played.
        scored: By the same name, the score that was taken down for it, and in which line.
        secret: The secret seed; None: it is not revealed.
    """

    competition: Competition
    lines: Sequence[Line]
    runs: dict[str, Run] = field(default_factory=dict)
    scored: dict[str, tuple[int, events.Scored]] = field(default_factory=dict)
    secret: bytes | None = None

    @property
    def head(self) -> str:
        """The chain of its last line."""
        return self.lines[-1].chain

    @property
    def heads(self) -> dict[str, int]:
        """The number of every line by its chain."""
        return {line.chain: line.number for line in self.lines}

    def seed_of(self, what: str, attempt: int) -> bytes | None:
        """What the secret seed makes of something; None: it is not revealed."""
        if self.secret is None:
            return None
        return competition_seed(self.secret, self.competition.mixed, what, attempt)


def told_by(folder: Path, findings: Findings, tell: Callable[[str], None]) -> Told | None:
    """Go through the journal of an archive; `tell` is told what cannot be checked.

    Returns:
        None: it breaks off at a line that is wrong, which is among the findings.
    """
    lines: list[Line] = []
    try:
        lines.extend(Journal().read_all(lines_of(folder, JOURNAL)))
    except InputError as error:
        findings.add(JOURNAL, *_placed(error))
        return None
    except UNREADABLE as error:
        findings.add(JOURNAL, 0, f"makes no sense: {error}")
        return None
    if not lines:
        findings.add(JOURNAL, 0, "is empty; a journal begins with the announcement")
        return None
    secret = _secret(lines, findings)
    walk = _begun(lines, findings, tell)
    if walk is None:
        return None
    walk.secret = walk.told.secret = secret
    if what := wrong_writer(walk.told.competition, lines[0]):
        findings.add(JOURNAL, 1, what)
    for line in lines[1:]:
        if not walk.take(line):
            return None
    walk.end(lines[-1])
    _check_text(folder, walk.told.competition, findings)
    return walk.told


def _placed(error: InputError) -> tuple[int, str]:
    """Line and words of an error of the journal, which names its line itself."""
    text = str(error).removeprefix("journal: ")
    number, _, rest = text.removeprefix("line ").partition(": ")
    if text.startswith("line ") and number.isdigit():
        return int(number), rest
    return 0, text


def _secret(lines: Sequence[Line], findings: Findings) -> bytes | None:
    """The secret seed, from the line that finishes the competition."""
    for line in reversed(lines):
        if isinstance(line.event, events.Finished):
            try:
                return bytes.fromhex(line.event.secret)
            except ValueError:
                told = quoted(line.event.secret, 70)
                findings.add(JOURNAL, line.number, f"its secret {told} is not hexadecimal")
    return None


def _begun(lines: Sequence[Line], findings: Findings, tell: Callable[[str], None]) -> _Walk | None:
    try:
        return _Walk(Told(Competition(lines[0]), lines), findings, tell)
    except InputError as error:
        findings.add(JOURNAL, 1, str(error))
    except UNREADABLE as error:
        findings.add(JOURNAL, 1, f"makes no sense: {error}")
    return None


@dataclass(slots=True)
class _Walk:
    """The way through a journal."""

    told: Told
    findings: Findings
    tell: Callable[[str], None]
    secret: bytes | None = None

    def take(self, line: Line) -> bool:
        """Check a line and take it in; False: nothing after it can be understood."""
        here = self.told.competition
        try:
            here.require(line.event)
            self._check(here, line)
            here.take(line)
            self._follow(here, line)
        except InputError as error:
            _, what = _placed(error)
            self.findings.add(JOURNAL, line.number, what)
            return False
        except UNREADABLE as error:
            self.findings.add(JOURNAL, line.number, f"makes no sense: {error}")
            return False
        return True

    def end(self, last: Line) -> None:
        """Look at the whole, once all lines are taken in."""
        here, told = self.told.competition, self.told
        if here.commitment and told.secret is not None:
            right = competition_commitment(here.regulations.name, told.secret)
            if here.commitment != right:
                self.findings.add(
                    JOURNAL,
                    last.number,
                    f"the secret seed that it reveals has the commitment {right}, not that of the "
                    f"freeze, {quoted(here.commitment, 70)}",
                )
        if told.secret is None:
            self.tell(
                f"the competition is {here.phase}, and its secret seed is not revealed: that the "
                "boards and the lots come from it cannot be checked yet"
            )
        if here.commitment and not here.regulations.seed.public:
            self.tell(
                "no public value was named in advance, so whoever ran the server could have known "
                "all deals before they were played"
            )
        if here.mixed:
            self.tell(
                f"the public value mixed in is {quoted(here.mixed, 200)}; compare it with what was "
                f"named in advance: {here.regulations.seed.public}"
            )

    # -- before a line is taken in --------------------------------------------------------------

    def _check(self, here: Competition, line: Line) -> None:
        event = line.event
        if what := wrong_writer(here, line):
            self._add(line, what)
        if isinstance(event, events.Paired):
            _refuse_endless(event)
        if isinstance(event, events.StageBegun | events.Paired):
            self._check_due(here, line, event)
        elif isinstance(event, events.Frozen):
            self._check_frozen(here, line, event)

    def _check_due(
        self, here: Competition, line: Line, event: events.StageBegun | events.Paired
    ) -> None:
        right = due(here, self._seeds(here, event))
        if right == event:
            return
        if right is None:
            self._add(line, f"{_spoken(event)}, though nothing follows from the lines before it")
        else:
            self._add(line, f"{_spoken(event)}; {_difference(event, right)}")

    def _seeds(self, here: Competition, event: events.StageBegun | events.Paired) -> SeedOf:
        secret, mixed = self.secret, here.mixed
        if secret is not None:
            return lambda what, attempt: competition_seed(secret, mixed, what, attempt)
        claimed = bytes.fromhex(event.seed) if isinstance(event, events.StageBegun) else bytes(32)
        return lambda what, attempt: claimed

    def _check_frozen(self, here: Competition, line: Line, event: events.Frozen) -> None:
        rules = here.regulations.entrants
        titles = {one.title for one in event.entries} | {title for title, _ in event.absent}
        wanted = set(here.applicants)
        if rules.source is Source.INVITED:
            wanted |= set(rules.invited)
        for title in sorted(wanted - titles):
            self._add(line, f"says nothing of {title}, who wanted to take part")
        if rules.source is not Source.LADDER:
            for title in sorted(titles - wanted):
                self._add(line, f"has {quoted(title)}, who did not want to take part")
        for entry in event.entries:
            group = here.regulations.group_of(entry.owner)
            if entry.group != group:
                self._add(
                    line,
                    f"has {entry.title} in the group {quoted(entry.group)}, not {quoted(group)}",
                )

    def _add(self, line: Line, what: str) -> None:
        self.findings.add(JOURNAL, line.number, what)

    # -- after it -------------------------------------------------------------------------------

    def _follow(self, here: Competition, line: Line) -> None:
        """Take down what has to be played by this line, and what was."""
        event = line.event
        if isinstance(event, _Deed):
            self.tell(f"{JOURNAL}, line {line.number}, by {line.who}: {_deed(here, event)}")
        if isinstance(event, events.Paired):
            stage = here.stages[event.stage - 1]
            self._to_play(here, stage, event.pairings, line)
        elif isinstance(event, events.Rerun):
            stage = here.stages[event.stage - 1]
            self._to_play(here, stage, (stage.pairings[event.key],), line)
        elif isinstance(event, events.Reinstated):
            for stage in here.stages:
                self._to_play(here, stage, _of_entry(stage, event.entry), line)
        elif isinstance(event, events.Scored):
            name = here.stages[event.stage - 1].name_of(event.key)
            self.told.scored[name] = line.number, event

    def _to_play(
        self, here: Competition, stage: Stage, pairings: tuple[Pairing, ...], line: Line
    ) -> None:
        scores = stage.story().scores
        for pairing in pairings:
            if pairing.key in scores:
                continue  # it was played, is a bye, or somebody in it plays no more
            new = match_of(here, stage, pairing, 0)
            seats = team_seats(stage)
            titles = {
                seat: here.entries[stage.entries[place]].title
                for team, places in zip(seats, pairing.teams, strict=True)
                for seat, place in zip(team, places, strict=True)
            }
            self.told.runs[new.pairing] = Run(
                line=line.number,
                new=new,
                titles=tuple(titles[seat] for seat in sorted(titles)),
                seats=seats,
                games=games_of(here, stage, pairing),
            )


def _refuse_endless(event: events.Paired) -> None:
    """Numbers that would be counted up to; no regulations come near them."""
    for one in event.pairings:
        if not 0 <= one.boards <= MOST_BOARDS or not 1 <= one.round <= _MOST_ROUNDS:
            raise InputError(f"pairing {quoted(one.key)}: cannot have this round or these boards")


def _of_entry(stage: Stage, entry: int) -> tuple[Pairing, ...]:
    """The pairings that an entry is in."""
    return tuple(
        one
        for one in stage.pairings.values()
        if entry in (stage.entries[place] for place in one.entrants)
    )


def _deed(here: Competition, event: _Deed) -> str:
    """What a person has done that changes who wins, and why."""
    if isinstance(event, events.Rerun | events.Decided):
        pairing = here.stages[event.stage - 1].pairings[event.key]
        what = "is played again" if isinstance(event, events.Rerun) else "is decided"
        return f"{event.stage}/{event.key}, {pairing.title}, {what}: {event.why}"
    if isinstance(event, events.Joined):
        when = "in a stage that has begun" if event.stage else "before the first stage"
        return f"{event.entry.title} is added {when}, with its version {event.entry.ordinal}"
    return f"{here.entries[event.entry].title} {_FATES[type(event)]}: {event.why}"


def _spoken(event: events.StageBegun | events.Paired) -> str:
    if isinstance(event, events.StageBegun):
        return f"begins stage {event.stage}"
    return f"announces {len(event.pairings)} pairings in stage {event.stage}"


def _difference(said: Event, right: Event) -> str:
    """What of an event is another than what follows from the lines before."""
    if isinstance(said, events.StageBegun) and isinstance(right, events.StageBegun):
        for name in ("stage", "seed", "entries", "groups"):
            one, other = getattr(said, name), getattr(right, name)
            if one != other:
                return f"its {name} must be {quoted(_listed(other), 200)}, not {_cut(one)}"
    if isinstance(said, events.Paired) and isinstance(right, events.Paired):
        for one, other in zip(said.pairings, right.pairings, strict=False):
            if one != other:
                return f"pairing {quoted(one.key)} is {_pairing(one)}; it must be {_pairing(other)}"
        return f"there must be {len(right.pairings)}"
    return f"what follows from the lines before is another: {type(right).__name__}"


def _cut(value: object) -> str:
    return quoted(_listed(value), 200)


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _pairing(one: Pairing) -> str:
    teams = " - ".join("+".join(map(str, team)) for team in one.teams)
    return f"{quoted(one.key)}, {quoted(one.title)}, places {teams}, boards {one.boards}"


def _check_text(folder: Path, here: Competition, findings: Findings) -> None:
    try:
        text = read_whole(folder, REGULATIONS)
    except InputError as error:
        findings.add(REGULATIONS, 0, str(error))
        return
    if text != here.regulations.text.encode():
        findings.add(REGULATIONS, 0, "is not the file that the first line of the journal announces")
