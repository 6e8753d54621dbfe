"""Competitions as a server keeps them: journals in the store, and what they come to in memory.

    act(name, who, deed) --Competition--> deed --events--> required, folded on a copy
        --lines, matches to be made, matches to be cancelled--> one transaction

A deed says what happens, given what there is. It is asked again when somebody else was faster, so
that nothing is ever written on top of what its writer has not seen.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from arena.errors import InputError, quoted
from arena.storage.attempts import competition_commitment, competition_seed
from arena.storage.competitions import JournalChange, StoredCompetition
from arena.storage.facts import Clock, Match, Moment, NewMatch, OpenRun, Page
from arena.tournament.competition import events
from arena.tournament.competition.events import Event
from arena.tournament.competition.journal import Journal, Line
from arena.tournament.competition.matching import match_of
from arena.tournament.competition.state import Competition, Phase
from arena.tournament.refusals import Unknown

__all__ = ["CompetitionBook", "Deed", "Keeping", "Kept"]

Deed = Callable[[Competition], Sequence[Event]]
"""What happens, given what there is; raises InputError if it cannot."""

_SECRET: Final = 32  # bytes
_TRIES: Final = 20


class CompetitionBook(Protocol):
    """The competitions in the store; every method raises HostFault."""

    def create(self, name: str, lines: Sequence[bytes], secret: bytes, /) -> StoredCompetition: ...
    def find(self, name: str, /) -> StoredCompetition | None: ...
    def list(self, page_size: int, page_token: str, /) -> Page[StoredCompetition]: ...
    def running(self) -> Sequence[StoredCompetition]: ...
    def secret(self, number: int, /) -> bytes: ...
    def journal(self, number: int, after: int = 0, /) -> Sequence[bytes]: ...
    def append(
        self, number: int, after: int, lines: Sequence[bytes], change: JournalChange, /
    ) -> object | None: ...
    def matches_of(self, number: int, pairings: Sequence[str], /) -> Sequence[Match]: ...
    def page(self, number: int, after: int, size: int, /) -> Sequence[Match]: ...
    def open_runs(self, number: int, /) -> Mapping[str, OpenRun]: ...


@dataclass(frozen=True, slots=True)
class Kept:
    """A competition in memory, as far as its journal was read; `lines` are those lines."""

    stored: StoredCompetition
    competition: Competition
    journal: Journal
    lines: tuple[Line, ...]


class Keeping:
    """All competitions of a server; may be used from any thread."""

    def __init__(self, book: CompetitionBook, clock: Clock) -> None:
        self._book = book
        self._clock = clock
        self._kept: dict[str, Kept] = {}
        self._lock = threading.Lock()
        # Whoever writes waits for others who write; whoever only asks waits for nobody.
        self._writing = threading.Lock()

    # -- found ----------------------------------------------------------------------------------

    def find(self, name: str) -> Kept:
        """A competition as it is now.

        Raises:
            Unknown: there is none of this name.
            InputError: its journal cannot be read.
        """
        stored = self._book.find(name)
        if stored is None:
            raise Unknown("competition", name)
        return self._renewed(stored)

    def running_names(self) -> tuple[str, ...]:
        """Those in which something may happen yet, whether their journals can be read or not."""
        return tuple(one.name for one in self._book.running())

    def running(self) -> tuple[Kept, ...]:
        """The same, without those whose journals cannot be read."""
        return self._readable(self._book.running())

    def list(self, size: int, token: str) -> Page[Kept]:
        """All of them, the newest first, without those whose journals cannot be read."""
        page = self._book.list(size, token)
        return Page(self._readable(page.items), page.next)

    def _readable(self, found: Iterable[StoredCompetition]) -> tuple[Kept, ...]:
        kept = []
        for stored in found:
            with contextlib.suppress(InputError):  # told by whoever conducts it
                kept.append(self._renewed(stored))
        return tuple(kept)

    def seed_of(self, kept: Kept) -> Callable[[str, int], bytes]:
        """What the secret seed of a competition makes."""
        secret = self._book.secret(kept.stored.number)
        mixed = kept.competition.mixed
        return lambda what, attempt: competition_seed(secret, mixed, what, attempt)

    def commitment(self, kept: Kept) -> str:
        """What is published of the secret seed."""
        return competition_commitment(kept.stored.name, self._book.secret(kept.stored.number))

    def revealed(self, kept: Kept) -> str:
        """The secret seed itself, in hexadecimal digits."""
        return self._book.secret(kept.stored.number).hex()

    def stored_lines(self, kept: Kept, after: int = 0) -> Sequence[bytes]:
        """The lines of a journal from `after` on, as they are stored."""
        return self._book.journal(kept.stored.number, after)

    def matches_of(self, kept: Kept, runs: Sequence[str]) -> Mapping[str, Match]:
        """The matches for some runs of pairings, by those."""
        found = self._book.matches_of(kept.stored.number, runs)
        return {one.pairing: one for one in found}

    def page(self, kept: Kept, after: int, size: int) -> Sequence[Match]:
        """At most so many of its matches, those with the next numbers above `after`."""
        return self._book.page(kept.stored.number, after, size)

    def open_runs(self, kept: Kept) -> Mapping[str, OpenRun]:
        """The runs of pairings whose matches are not over."""
        return self._book.open_runs(kept.stored.number)

    # -- done -----------------------------------------------------------------------------------

    def announce(self, text: str, who: str) -> Kept:
        """Have a new competition by its file.

        Raises:
            InputError: the file is wrong, or there is one of this name.
        """
        journal = Journal()
        line, stored_line = journal.write(self._clock(), who, events.Announced(text))
        name = Competition(line).regulations.name
        with self._writing:
            if self._book.find(name) is not None:
                raise InputError(f"competition {quoted(name)}: there is one of this name already")
            self._book.create(name, [stored_line], secrets.token_bytes(_SECRET))
        return self.find(name)

    def act(self, name: str, who: str, deed: Deed, *, at: Moment | None = None) -> Kept:
        """Have something happen, and what it leads to, in one transaction.

        `at` is when, for a deed that depends on it: the clock may be set back meanwhile. None: now.

        Raises:
            Unknown: there is no such competition.
            InputError: it cannot happen now.
        """
        with self._writing:
            for _ in range(_TRIES):
                kept = self.find(name)
                happened = deed(kept.competition)
                moment = self._clock() if at is None else at
                if not happened or self._append(kept, moment, who, happened):
                    return self.find(name)
                # Somebody else has written meanwhile.
        raise InputError(
            f"competition {quoted(name)}: is changed by others all the time; try again"
        )

    def _append(self, kept: Kept, at: Moment, who: str, happened: Sequence[Event]) -> bool:
        journal, after = Journal.at(kept.journal), kept.competition.copy()
        written = []
        for event in happened:
            after.require(event)
            line, stored = journal.write(at, who, event)
            after.take(line)
            written.append(stored)
        change = self._change(kept, after)
        number, length = kept.stored.number, kept.competition.length
        return self._book.append(number, length, written, change) is not None

    def _change(self, kept: Kept, after: Competition) -> JournalChange:
        before = kept.competition
        had, has = _to_play(before), _to_play(after)
        number = kept.stored.number
        made: list[NewMatch] = []
        for name in has:
            if name not in had:
                stage, key = after.stages[has[name][0] - 1], has[name][1]
                made.append(match_of(after, stage, stage.pairings[key], number))
        # What this very change has scored is over in the store, and nothing has to be asked.
        gone = [name for name in had if name not in has and not _is_scored(after, name, had[name])]
        open_ones = self.open_runs(kept) if gone else {}
        return JournalChange(
            matches=tuple(made),
            cancel=tuple(
                (open_ones[name].match, "what it was played for has been decided")
                for name in gone
                if name in open_ones
            ),
            level=after.level if after.level != kept.stored.level else None,
            mixed=after.mixed if after.mixed != before.mixed else None,
            paused=after.phase is not Phase.RUNNING,
            over=after.is_settled,
        )

    def _renewed(self, stored: StoredCompetition) -> Kept:
        """A competition as its journal has it now; what was handed out before stays as it was."""
        with self._lock:
            kept = self._kept.get(stored.name)
        news = self._book.journal(stored.number, 0 if kept is None else kept.competition.length)
        if kept is None:
            journal = Journal()
            first = journal.read(news[0])
            kept, news = Kept(stored, Competition(first), journal, (first,)), news[1:]
        if news:
            journal, competition = Journal.at(kept.journal), kept.competition.copy()
            lines = tuple(journal.read_all(news))
            for line in lines:
                competition.take(line)
            kept = Kept(stored, competition, journal, kept.lines + lines)
        elif kept.stored != stored:
            kept = replace(kept, stored=stored)
        with self._lock:
            other = self._kept.get(stored.name)
            if other is None or other.competition.length <= kept.competition.length:
                self._kept[stored.name] = kept
        return kept


def _to_play(here: Competition) -> dict[str, tuple[int, str]]:
    """The runs of pairings that have to be played, each with its stage and its key."""
    if here.is_over:
        return {}
    return {
        stage.name_of(pairing.key): (stage.number, pairing.key)
        for stage in here.stages
        for pairing in stage.to_play()
    }


def _is_scored(here: Competition, name: str, at: tuple[int, str]) -> bool:
    """Whether a run of a pairing counts by its own match."""
    stage, key = here.stages[at[0] - 1], at[1]
    result = stage.results.get(key)
    return (
        result is not None and isinstance(result.by, events.Scored) and stage.name_of(key) == name
    )
