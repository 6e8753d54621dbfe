"""The freeze: who plays, and with which version.

What counts is what was uploaded before the moment of the freeze. An upload that was under way then
may still come to its end, for as long as the regulations' grace says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from arena.storage.facts import (
    Entrant,
    Moment,
    Page,
    Standing,
    Upload,
    UploadState,
    Version,
    VersionState,
)
from arena.tournament.competition.checks import check_stages
from arena.tournament.competition.events import Closed, Frozen, FrozenEntry
from arena.tournament.competition.regulations import Source
from arena.tournament.competition.state import Competition, Phase

__all__ = ["Freezer", "Roster"]

_PAGE: Final = 100
_UNDER_WAY: Final = (UploadState.QUEUED, UploadState.AT_WORK)


class _Entrants(Protocol):
    def find(self, owner: str, name: str, /) -> Entrant | None: ...
    def versions(self, number: int, page_size: int, page_token: str, /) -> Page[Version]: ...


class _Standings(Protocol):
    def page(self, page_size: int, page_token: str, /) -> Page[Standing]: ...


class _Uploads(Protocol):
    def list(
        self,
        owner: str | None,
        page_size: int,
        page_token: str,
        /,
        *,
        state: UploadState | None = None,
    ) -> Page[Upload]: ...


@dataclass(frozen=True, slots=True)
class Roster:
    """Where the freeze looks who there is; every method raises HostFault."""

    entrants: _Entrants
    standings: _Standings
    uploads: _Uploads


class _Absent(Exception):  # noqa: N818 - no fault, but a reason
    """Why somebody cannot play."""


class Freezer:
    """Finds out who plays."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster

    def waits(self, here: Competition) -> bool:
        """Whether an upload that counts is still under way."""
        owners = {title.partition("/")[0] for title in self._titles(here)}
        return any(
            upload.owner in owners and upload.created <= (here.closed or 0)
            for state in _UNDER_WAY
            for upload in self._uploads(state)
        )

    def frozen(self, here: Competition, commitment: str) -> Frozen:
        """Who plays, in the order of their titles."""
        entries, absent = [], []
        for title in sorted(set(self._titles(here))):
            try:
                entries.append(self.entry(here, title, Moment(here.closed or 0)))
            except _Absent as why:
                absent.append((title, str(why)))
        return Frozen(tuple(entries), tuple(absent), commitment)

    def why_not(self, here: Competition, title: str, at: Moment) -> str:
        """Why a bot could not play now; empty: it could."""
        try:
            self.entry(here, title, at)
        except _Absent as why:
            return str(why)
        return ""

    def closed(self, here: Competition, at: Moment) -> Closed:
        """The closing, with the versions that are active now.

        Raises:
            InputError: with those who could play, a stage could not be played.
        """
        titles = sorted(set(self._titles(here)))
        check_stages(here, sum(not self.why_not(here, title, at) for title in titles))
        return Closed(at, tuple(self._active(titles)))

    def _active(self, titles: Iterable[str]) -> Iterator[tuple[str, int]]:
        for title in titles:
            owner, _, name = title.partition("/")
            entrant = self._roster.entrants.find(owner, name)
            if entrant is None or entrant.version is None or entrant.paused:
                continue
            for version in self._versions(entrant):
                if version.number == entrant.version:
                    yield title, version.ordinal
                    break

    def entry(self, here: Competition, title: str, at: Moment) -> FrozenEntry:
        """A bot with the version that it plays with if it was uploaded up to `at`."""
        owner, _, name = title.partition("/")
        entrant = self._roster.entrants.find(owner, name)
        if entrant is None:
            raise _Absent("there is no such bot")
        # Who was there when entries closed cannot get out by a pause, nor choose another version.
        if entrant.paused and title not in _settled(here):
            raise _Absent(f"it is paused: {entrant.paused}")
        version = self._version(here, entrant, at)
        return FrozenEntry(
            title=title,
            entrant=entrant.number,
            version=version.number,
            ordinal=version.ordinal,
            digest=version.digest,
            group=here.regulations.group_of(owner),
            mu=entrant.rating.mu,
            sigma=entrant.rating.sigma,
        )

    def _version(self, here: Competition, entrant: Entrant, at: Moment) -> Version:
        """The version that plays or, if it came too late, the newest one before it."""
        found = None
        was_active = _settled(here).get(entrant.title)
        for version in self._versions(entrant):
            if found is None and not _is_wanted(version, entrant, was_active, at):
                continue
            found = version
            if self._is_in_time(entrant, version, at):
                break
        else:
            raise _Absent("nothing of it was uploaded in time" if found else "it has no version")
        if found.state is VersionState.QUARANTINED:
            raise _Absent(f"version {found.ordinal} is quarantined")
        game = here.regulations.game
        if game.ruleset not in found.rulesets or game.players not in found.players:
            raise _Absent(
                f"version {found.ordinal} does not play {game.ruleset} at tables of {game.players}"
            )
        return found

    def _is_in_time(self, entrant: Entrant, version: Version, at: Moment) -> bool:
        if version.created <= at:
            return True
        # It was accepted afterwards: what counts is when it came.
        for upload in self._uploads(UploadState.ACCEPTED, entrant.owner):
            if upload.version == version.number:
                return upload.created <= at
        return False

    def _titles(self, here: Competition) -> Iterator[str]:
        rules = here.regulations.entrants
        if rules.source is Source.LADDER:
            yield from self._top(rules.top)
        elif rules.source is Source.INVITED:
            yield from rules.invited
        yield from here.applicants

    def _top(self, most: int) -> Iterator[str]:
        """The first of the ladder who could play."""
        token, left = "", most
        while left > 0:
            page = self._roster.standings.page(_PAGE, token)
            for line in page.items:
                if line.entrant.version is None or line.entrant.paused:
                    continue
                yield line.entrant.title
                left -= 1
                if not left:
                    return
            token = page.next
            if not token:
                return

    def _versions(self, entrant: Entrant) -> Iterator[Version]:
        token = ""
        while True:
            page = self._roster.entrants.versions(entrant.number, _PAGE, token)
            yield from page.items
            token = page.next
            if not token:
                return

    def _uploads(self, state: UploadState, owner: str | None = None) -> Iterator[Upload]:
        token = ""
        while True:
            page = self._roster.uploads.list(owner, _PAGE, token, state=state)
            yield from page.items
            token = page.next
            if not token:
                return


def _settled(here: Competition) -> Mapping[str, int]:
    """What was active when entries closed, as long as that is what counts.

    Who is added after the freeze comes as it is then.
    """
    return here.active if here.phase is Phase.CLOSING else {}


def _is_wanted(version: Version, entrant: Entrant, was_active: int | None, at: Moment) -> bool:
    """Whether it is the one that plays, if it came in time.

    That is the active one; since entries closed, the one that was active then, or one that was
    accepted afterwards.
    """
    if was_active is None:
        return version.number == entrant.version
    return version.ordinal == was_active or version.created > at
