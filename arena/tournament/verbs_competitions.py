"""What can be asked of competitions, and done to them: by everyone, by owners, by organisers.

Who may see results is decided here, once, for everybody who asks: see `may_see`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import HostFault, InputError, quoted
from arena.storage.facts import Clock, Page
from arena.storage.files import FileStore
from arena.tournament.answers import MatchSummary
from arena.tournament.competition import events
from arena.tournament.competition.events import Event, Level
from arena.tournament.competition.freezing import Freezer
from arena.tournament.competition.keeping import Keeping, Kept
from arena.tournament.competition.notes import countable, notes_of
from arena.tournament.competition.regulations import Source
from arena.tournament.competition.regulationsfile import regulations_from
from arena.tournament.competition.results import take_in
from arena.tournament.competition.state import Competition, Phase, Stage
from arena.tournament.competition.views import (
    CompetitionInfo,
    EntryLine,
    NoteLine,
    PairingLine,
    StageInfo,
    TableLine,
    entries_of,
    info_of,
    pairings_of,
    stages_of,
    table_of,
)
from arena.tournament.refusals import Forbidden, Invalid, Unknown, WrongPhase
from arena.tournament.verbs import Lookup
from arena.tournament.verbs_public import Record, record_of

__all__ = ["Asker", "CompetitionVerbs", "Desk", "OrganiserVerbs", "may_see"]

_ALL: Final = slice(None)
_LONGEST_WHY: Final = 500
_LONGEST_VALUE: Final = 1000


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: nobody in particular, an owner, or an operator, who may see all."""

    owner: str = ""
    is_operator: bool = False


def _nobody() -> None:
    """Who conducts looks by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the verbs stand on; `wake` is called when something has been done."""

    keeping: Keeping
    freezer: Freezer
    clock: Clock
    records: FileStore
    wake: Callable[[], object] = _nobody


def may_see(here: Competition, asker: Asker) -> bool:
    """Whether somebody may see the results of a competition."""
    if asker.is_operator or here.level is Level.PUBLIC:
        return True
    return here.level is Level.PARTICIPANTS and asker.owner in here.owners()


class CompetitionVerbs:
    """What everybody may ask and owners may do."""

    def __init__(self, desk: Desk) -> None:
        self._keeping = desk.keeping
        self._freezer = desk.freezer
        self._clock = desk.clock
        self._wake = desk.wake
        self._records = desk.records

    # -- asked ----------------------------------------------------------------------------------

    def list(self, asker: Asker, size: int, token: str) -> Page[CompetitionInfo]:
        """All competitions, the newest first."""
        page = self._keeping.list(size, token)
        return Page(tuple(_info_of(kept, asker) for kept in page.items), page.next)

    def info(self, name: str, asker: Asker) -> CompetitionInfo:
        """One of them; raises Unknown."""
        return _info_of(self._keeping.find(name), asker)

    def entries(self, name: str, asker: Asker) -> tuple[EntryLine, ...]:
        """Who takes part; raises Unknown."""
        here = self._keeping.find(name).competition
        return entries_of(here, is_visible=may_see(here, asker))

    def stages(self, name: str, asker: Asker) -> tuple[StageInfo, ...]:
        """Its stages; raises Unknown, Forbidden."""
        return stages_of(self._visible(name, asker).competition)

    def table(self, name: str, stage: int, asker: Asker) -> tuple[TableLine, ...]:
        """The table of a stage that has begun; raises Unknown, Forbidden."""
        here = self._visible(name, asker).competition
        return table_of(here, _stage(here, stage))

    def pairings(
        self, name: str, stage: int, asker: Asker, wanted: slice = _ALL
    ) -> tuple[PairingLine, ...]:
        """The pairings of a stage that has begun, or some of them; raises Unknown, Forbidden."""
        kept = self._visible(name, asker)
        here = kept.competition
        of = _stage(here, stage)
        are_open = self._keeping.open_runs(kept)
        scores = of.story().scores
        # Neither open nor with a score: an operator has cancelled it, or it has just ended.
        names = [
            of.name_of(key)
            for key in list(of.pairings)[wanted]
            if key not in scores and of.name_of(key) not in are_open
        ]
        others = self._keeping.matches_of(kept, names) if names else {}
        return pairings_of(here, of, {**are_open, **others}, wanted)

    def notes(self, name: str, asker: Asker) -> tuple[NoteLine, ...]:
        """Its journal, as far as somebody may see it; raises Unknown."""
        kept = self._keeping.find(name)
        here = kept.competition
        return notes_of(here, kept.lines, is_visible=may_see(here, asker))

    def record(self, name: str, number: int, attempt: int, asker: Asker) -> Record:
        """The record of an attempt at a match, 0 for the one that counts; to be closed.

        Raises:
            Unknown: there is no such competition or match, or no record of that attempt.
            Forbidden: the results are not for the asker.
            WrongPhase: the match is not over.
        """
        kept = self._visible(name, asker)
        match = next(iter(self._keeping.page(kept, number - 1, 1)), None)
        if match is None or match.number != number:
            raise Unknown("match", number)
        return record_of(self._records, match, attempt)

    def _visible(self, name: str, asker: Asker) -> Kept:
        kept = self._keeping.find(name)
        if not may_see(kept.competition, asker):
            raise Forbidden(
                "NOT_RELEASED",
                f"competition {name}: its results are for {_for(kept.competition.level)} now",
                competition=name,
            )
        return kept

    # -- done by owners -------------------------------------------------------------------------

    def enter(self, name: str, owner: str, bot: str) -> EntryLine:
        """Have an owner's bot take part; again: no fault.

        Raises:
            Unknown: there is no such competition.
            WrongPhase: nobody can enter, or not this bot.
        """
        title = f"{owner}/{bot}"

        def deed(here: Competition) -> Sequence[Event]:
            if title in here.applicants:
                return []
            if here.phase is Phase.ANNOUNCED:
                raise InputError("it is not open yet")
            rules = here.regulations
            if rules.entrants.source is not Source.OPEN:
                raise InputError(f"who plays is decided otherwise: from = {rules.entrants.source}")
            if rules.groups and not rules.group_of(owner):
                raise InputError(f"{quoted(owner)}: is in none of its groups")
            why = self._freezer.why_not(here, title, self._clock())
            if why:
                raise InputError(f"{quoted(title)}: {why}")
            return [events.Entered(title, rules.group_of(owner))]

        here = self._act(name, f"owner {owner}", deed)
        return next(one for one in entries_of(here, is_visible=False) if one.title == title)

    def leave(self, name: str, owner: str, bot: str, why: str) -> CompetitionInfo:
        """Take a bot back: before the freeze without a trace in the tables, then as withdrawn.

        Raises:
            Unknown: there is no such competition.
            WrongPhase: it is over, or the bot is not in it.
        """
        title = f"{owner}/{bot}"
        reason = _reason(why)

        def deed(here: Competition) -> Sequence[Event]:
            return [_gone(here, title, events.Withdrawn, reason)]

        self._act(name, f"owner {owner}", deed)
        return self.info(name, Asker(owner))

    def _act(
        self, name: str, who: str, deed: Callable[[Competition], Sequence[Event]]
    ) -> Competition:
        return _act(self._keeping, self._wake, (name, who), deed)


class OrganiserVerbs:
    """What operators may do to competitions."""

    def __init__(self, desk: Desk, lookup: Lookup) -> None:
        self._keeping = desk.keeping
        self._freezer = desk.freezer
        self._clock = desk.clock
        self._wake = desk.wake
        self._lookup = lookup

    def announce(self, text: str, who: str) -> CompetitionInfo:
        """Have a new competition; raises InputError with the file's mistakes."""
        self._check_moments(text)
        kept = self._keeping.announce(text, who)
        self._wake()
        return self._info(kept.stored.name)

    def _check_moments(self, text: str) -> None:
        """Refuse a file whose freeze or start is over; raises InputError, for mistakes too."""
        schedule = regulations_from(text, "competition.toml").schedule
        for key in ("freeze", "start"):
            moment = getattr(schedule, key)
            if moment is not None and moment <= self._clock():
                raise InputError(
                    f"competition.toml: schedule.{key}: {schedule.written.get(key, moment)} is "
                    "over already; name a moment that is to come, or leave it out"
                )

    def open(self, name: str, who: str) -> CompetitionInfo:
        """Let owners enter now, whatever the schedule says."""
        return self._do(name, who, lambda here: [events.Opened()])

    def freeze(self, name: str, who: str) -> CompetitionInfo:
        """Take no more entries; the versions are settled when no upload is under way."""
        return self._do(name, who, lambda here: [self._freezer.closed(here, self._clock())])

    def mix(self, name: str, who: str, value: str) -> CompetitionInfo:
        """Say what the public value is that was named in advance."""
        text = value.strip()
        if not text or len(text) > _LONGEST_VALUE or not text.isprintable():
            raise Invalid("value", f"must be one line of 1 to {_LONGEST_VALUE} characters")
        return self._do(name, who, lambda here: [events.Mixed(text)])

    def start(self, name: str, who: str) -> CompetitionInfo:
        """Begin to play now."""
        return self._do(name, who, lambda here: [events.Started()])

    def pause(self, name: str, who: str, why: str) -> CompetitionInfo:
        """Begin no more matches; those that are played go on."""
        reason = _reason(why)
        return self._do(name, who, lambda here: [events.Paused(reason)])

    def resume(self, name: str, who: str) -> CompetitionInfo:
        """Begin matches again."""
        return self._do(name, who, lambda here: [events.Resumed()])

    def finish(self, name: str, who: str) -> CompetitionInfo:
        """Let the result stand, and tell the secret seed."""

        def deed(_: Competition) -> Sequence[Event]:
            return [events.Finished(self._keeping.revealed(self._keeping.find(name)))]

        return self._do(name, who, deed)

    def cancel(self, name: str, who: str, why: str) -> CompetitionInfo:
        """End it without a result."""
        reason = _reason(why)
        return self._do(name, who, lambda here: [events.Cancelled(reason)])

    def release(self, name: str, who: str, level: Level) -> CompetitionInfo:
        """Say who may see results; again: no fault."""
        return self._do(
            name, who, lambda here: [] if here.level is level else [events.Released(level)]
        )

    def withdraw(self, name: str, who: str, title: str, why: str) -> CompetitionInfo:
        """Have an entry play no more, by its owner's wish."""
        reason = _reason(why)
        return self._do(name, who, lambda here: [_gone(here, title, events.Withdrawn, reason)])

    def disqualify(self, name: str, who: str, title: str, why: str) -> CompetitionInfo:
        """Have an entry play no more, by the organiser's decision."""
        reason = _reason(why)
        return self._do(name, who, lambda here: [_gone(here, title, events.Disqualified, reason)])

    def reinstate(self, name: str, who: str, title: str, why: str) -> CompetitionInfo:
        """Take back that an entry plays no more, if nobody was paired without it since."""
        reason = _reason(why)

        def deed(here: Competition) -> Sequence[Event]:
            if here.phase in _NOT_FROZEN:
                raise InputError(
                    f"{quoted(title)}: nobody is out before the freeze; add it, if it is to play"
                )
            return [events.Reinstated(here.entry(title), reason)]

        return self._do(name, who, deed)

    def add(self, name: str, who: str, title: str) -> CompetitionInfo:
        """Have a bot take part: before the freeze like its owner would.

        Afterwards with the version that it has now: until the first stage begins like all others,
        later from the next round on, in a stage whose format takes latecomers.
        """

        def deed(here: Competition) -> Sequence[Event]:
            owner = title.partition("/")[0]
            now = self._clock()
            why = self._freezer.why_not(here, title, now)
            if why:
                raise InputError(f"{quoted(title)}: {why}")
            if here.phase in _NOT_FROZEN:
                return [events.Entered(title, here.regulations.group_of(owner))]
            return [events.Joined(len(here.stages), self._freezer.entry(here, title, now))]

        return self._do(name, who, deed)

    def rerun(self, name: str, who: str, stage: int, key: str, why: str) -> CompetitionInfo:
        """Have a pairing played once more; what it had is kept, and does not count."""
        reason = _reason(why)
        event = events.Rerun(stage=stage, key=key, why=reason)
        return self._do(name, who, lambda here: [event])

    def decide(  # noqa: PLR0913, PLR0917 - each is what a person has said
        self, name: str, who: str, stage: int, key: str, ranks: tuple[int, ...], why: str
    ) -> CompetitionInfo:
        """Say how a pairing ended: by team, 1 for the best."""
        event = events.Decided(stage=stage, key=key, ranks=ranks, why=_reason(why))
        return self._do(name, who, lambda here: [event])

    # -- for the archive ------------------------------------------------------------------------

    def journal(self, name: str) -> Sequence[bytes]:
        """The lines of the journal as they are stored."""
        return self._keeping.stored_lines(self._keeping.find(name))

    def matches(self, name: str, size: int, token: str) -> Page[tuple[MatchSummary, str]]:
        """Matches with all attempts, and what each was played for; raises Invalid for the token."""
        if token and not (token.isascii() and token.isdigit()):
            raise Invalid("page_token", "is none of this list")
        page = self._keeping.page(self._keeping.find(name), int(token or 0), size + 1)
        shown = [(self._lookup.shown_match(one), one.pairing) for one in page[:size]]
        return Page(tuple(shown), str(page[size - 1].number) if len(page) > size else "")

    def _do(
        self, name: str, who: str, deed: Callable[[Competition], Sequence[Event]]
    ) -> CompetitionInfo:
        _act(self._keeping, self._wake, (name, who), deed)
        return self._info(name)

    def _info(self, name: str) -> CompetitionInfo:
        return _info_of(self._keeping.find(name), Asker(is_operator=True))


_NOT_FROZEN: Final = (Phase.ANNOUNCED, Phase.OPEN, Phase.CLOSING)


def _gone(
    here: Competition,
    title: str,
    kind: type[events.Withdrawn | events.Disqualified],
    reason: str,
) -> Event:
    """That somebody does not play; before the freeze there is nothing yet to be out of."""
    if here.phase in _NOT_FROZEN:
        return events.Left(title)
    return kind(here.entry(title), reason)


def _info_of(kept: Kept, asker: Asker) -> CompetitionInfo:
    """A competition as somebody may see it."""
    here = kept.competition
    is_visible = may_see(here, asker)
    return info_of(here, countable(kept.lines, is_visible=is_visible), is_visible=is_visible)


def _act(
    keeping: Keeping,
    wake: Callable[[], object],
    whose: tuple[str, str],
    deed: Callable[[Competition], Sequence[Event]],
) -> Competition:
    """Do something; what cannot be done now is refused as such.

    What is played already counts before what a person does now: a match must not be lost because
    somebody in it has left before anybody has looked.
    """
    name, who = whose
    try:
        # What cannot be taken in is told by who conducts it, and may need this very deed.
        with contextlib.suppress(InputError, HostFault):
            take_in(keeping, name)
        kept = keeping.act(name, who, deed)
    except (Unknown, Forbidden, WrongPhase):
        raise
    except InputError as error:
        raise WrongPhase("NOT_POSSIBLE", f"competition {name}: {error}", competition=name) from None
    wake()
    return kept.competition


def _stage(here: Competition, number: int) -> Stage:
    try:
        return here.stage_of(number)
    except InputError as error:
        raise Unknown("stage", number) from error


def _for(level: Level) -> str:
    return "operators" if level is Level.HIDDEN else "those who take part"


def _reason(why: str) -> str:
    """Return `why`; raises Invalid for none, or one that is too long."""
    if not why.strip() or len(why) > _LONGEST_WHY or not why.isprintable():
        raise Invalid(
            "reason", f"{quoted(why)}: must be one line of 1 to {_LONGEST_WHY} characters"
        )
    return why
