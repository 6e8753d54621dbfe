"""What an owner may ask: for uploads, for bots of their own, and for matches that are not rated."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import quoted
from arena.storage.facts import (
    Entrant,
    Match,
    MatchKind,
    MatchState,
    Moment,
    NewMatch,
    Page,
    Principal,
    Seat,
    Upload,
    Version,
    VersionState,
)
from arena.storage.matchlist import Filters
from arena.submissions.limits import ArchiveLimits, shown_size
from arena.tournament.answers import (
    MatchSummary,
    PublicEntrant,
    PublicVersion,
    UploadStatus,
    WhoAmI,
)
from arena.tournament.expectation import Expectation
from arena.tournament.refusals import Invalid, OverQuota, Unknown, WrongPhase
from arena.tournament.verbs import Ground, Lookup, PlayedTable
from arena.tournament.verbs_uploads import UploadQuotas, shown_upload

__all__ = ["BY_OWNER", "Authors", "NewUpload"]

BY_OWNER: Final = "its owner has paused it"
"""Why an entrant is paused that its owner has paused, and may resume."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LATEST: Final = 50
_NOT_OVER: Final = (MatchState.QUEUED, MatchState.LEASED)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUpload:
    """An upload as it was announced; `archive` is its digest, `length` in bytes."""

    request: str
    archive: str
    length: int


class Authors:
    """The answers; each is for the owner who asks."""

    def __init__(self, ground: Ground, lookup: Lookup, expectation: Expectation) -> None:
        self._ground = ground
        self._lookup = lookup
        self._expectation = expectation
        self._uploading = UploadQuotas(ground)
        self._counting = threading.Lock()  # between counting against a quota and adding to it
        self._activations: dict[str, list[Moment]] = {}  # of the last day, by owner

    def who_am_i(self, principal: Principal) -> WhoAmI:
        """What a token that was shown says."""
        token = self._ground.tokens.find(principal.token)
        assert token is not None
        assert token.owner is not None
        return WhoAmI(
            owner=token.owner,
            token=token.public,
            scopes=tuple(sorted(token.scopes)),
            expires=token.expires,
        )

    # -- bots -----------------------------------------------------------------------------------

    def create_entrant(self, owner: str, name: str) -> PublicEntrant:
        """Take a name; again: the same entrant.

        Raises:
            Invalid: that is no name.
            OverQuota: the owner has as many bots as it may.
        """
        if not _NAME.fullmatch(name):
            raise Invalid(
                "name", f"{quoted(name)}: must be 1 to 64 of A-Z a-z 0-9 . _ -, as in bot.toml"
            )
        with self._counting:
            found = self._ground.entrants.find(owner, name)
            if found is None:
                self.check_may_enter(owner, name)
                found = self._ground.entrants.create(owner, name)
        return self._lookup.shown_entrant(found, is_own=True)

    def check_may_enter(self, owner: str, name: str) -> None:
        """Whether an owner may have a bot of this name, which is its own already or is new.

        Raises:
            OverQuota: it may have no more.
        """
        most = self._ground.quotas.entrants
        page = self._ground.entrants.list(owner, most)
        if len(page.items) >= most and self._ground.entrants.find(owner, name) is None:
            raise OverQuota(
                "QUOTA_ENTRANTS",
                f"bot {quoted(name)}: you have {len(page.items)} bots, and may have {most}",
                most=most,
            )

    def entrants(self, owner: str, size: int, token: str) -> Page[PublicEntrant]:
        """The owner's bots."""
        page = self._ground.entrants.list(owner, size, token)
        shown = (self._lookup.shown_entrant(one, is_own=True) for one in page.items)
        return Page(tuple(shown), page.next)

    def entrant(self, owner: str, name: str) -> tuple[PublicEntrant, tuple[PublicVersion, ...]]:
        """One of the owner's bots with its latest versions; raises Unknown."""
        found = self._lookup.own_entrant(owner, name)
        versions = self._ground.entrants.versions(found.number, _LATEST)
        shown = (self._lookup.shown_version(one, is_own=True) for one in versions.items)
        return self._lookup.shown_entrant(found, is_own=True), tuple(shown)

    def pause(self, owner: str, name: str) -> PublicEntrant:
        """Begin no matches with a bot; raises Unknown."""
        found = self._lookup.own_entrant(owner, name)
        if not found.paused:  # an operator's pause stays one
            found = self._ground.entrants.pause(found.number, BY_OWNER)
        return self._lookup.shown_entrant(found, is_own=True)

    def resume(self, owner: str, name: str) -> PublicEntrant:
        """Begin matches with it again.

        Raises:
            Unknown: there is no such bot.
            WrongPhase: an operator has paused it.
        """
        found = self._lookup.own_entrant(owner, name)
        if found.paused and found.paused != BY_OWNER:
            raise WrongPhase(
                "PAUSED_BY_OPERATOR",
                f"bot {name}: an operator has paused it: {found.paused}",
                entrant=found.title,
            )
        if found.paused:
            found = self._ground.entrants.resume(found.number)
        return self._lookup.shown_entrant(found, is_own=True)

    def activate(self, owner: str, name: str, ordinal: int) -> PublicEntrant:
        """Have another version play.

        Raises:
            Unknown: there is no such bot, or version.
            WrongPhase: that version is held back, or the one that plays is.
            OverQuota: the owner has done so too often.
        """
        found = self._lookup.own_entrant(owner, name)
        version = self._lookup.version(found, ordinal)
        held = (VersionState.PROBATION, VersionState.QUARANTINED)
        if version.state in held:
            raise WrongPhase(
                "VERSION_NOT_FIT",
                f"version {ordinal} of {name}: is in {version.state}: {version.why}",
                ordinal=ordinal,
            )
        with self._counting:
            if self._lookup.own_entrant(owner, name).version != version.number:
                self._check_activations(owner)
            self._ground.entrants.activate(found.number, ordinal)
        return self._lookup.shown_entrant(self._lookup.own_entrant(owner, name), is_own=True)

    def _check_activations(self, owner: str) -> None:
        """Count one; since this server was started, which no author can bring about."""
        most, now = self._ground.quotas.activations, self._ground.clock()
        recent = [at for at in self._activations.get(owner, ()) if at > now - Lookup.DAY]
        if len(recent) >= most:
            raise OverQuota(
                "QUOTA_ACTIVATIONS",
                f"you have changed the version that plays {len(recent)} times in 24 hours, and may "
                f"{most} times",
                most=most,
            )
        self._activations[owner] = [*recent, now]

    # -- uploads --------------------------------------------------------------------------------

    def admit_upload(self, owner: str, request: str, digest: str, length: int) -> Upload | None:
        """Before the bytes of an upload: the upload that this request has made already, if any.

        Raises:
            Invalid: digest or length cannot be right.
            WrongPhase: the request was another archive's.
            OverQuota: the owner has uploaded too much.
        """
        most = ArchiveLimits().upload
        if not _DIGEST.fullmatch(digest):
            raise Invalid("digest", f"{quoted(digest)}: must be 64 hexadecimal digits, lower case")
        if not 0 < length <= most:
            raise Invalid(
                "length", f"{length} bytes: must be 1 to {most} ({shown_size(most)})", "BAD_UPLOAD"
            )
        known = self._uploaded_before(owner, request, digest)
        if known is None:
            self._uploading.check(owner)
        return known

    def add_upload(self, owner: str, new: NewUpload, keep: Callable[[], None]) -> UploadStatus:
        """Put an upload that has come into the queue, after `keep` has stored it.

        Raises as `admit_upload` does, and what `keep` raises.
        """
        with self._counting:
            known = self._uploaded_before(owner, new.request, new.archive)
            if known is None:
                self._uploading.check(owner)
                keep()
                known = self._ground.uploads.add(owner, new.request, new.archive, new.length)
                self._ground.on_upload()
        return self.shown_upload(known)

    def note_spoilt(self, owner: str) -> None:
        """Bytes of an upload have come that is not kept, by no fault of ours: it counts too."""
        self._uploading.note_spoilt(owner)

    def upload(self, owner: str, number: int) -> UploadStatus:
        """An upload of the owner's; raises Unknown."""
        return self.shown_upload(self._own_upload(owner, number))

    def uploads(self, owner: str, size: int, token: str) -> Page[UploadStatus]:
        """The owner's uploads, the newest first."""
        page = self._ground.uploads.list(owner, size, token)
        return Page(tuple(map(self.shown_upload, page.items)), page.next)

    def build_log(self, owner: str, number: int) -> tuple[str, ...]:
        """What the build of an upload has written; raises Unknown."""
        return self._own_upload(owner, number).log

    def shown_upload(self, upload: Upload) -> UploadStatus:
        """An upload as its owner sees it."""
        return shown_upload(upload, self._lookup.ordinal(upload.version), self._expectation)

    def _own_upload(self, owner: str, number: int) -> Upload:
        found = self._ground.uploads.find(number)
        if found is None or found.owner != owner:
            raise Unknown("upload", number)
        return found

    def _uploaded_before(self, owner: str, request: str, digest: str) -> Upload | None:
        token = ""
        while True:
            page = self._ground.uploads.list(owner, 500, token)
            for upload in page.items:
                if upload.request == request:
                    return _same(upload, digest)
            if not page.next:
                return None
            token = page.next

    # -- matches --------------------------------------------------------------------------------

    def match_log(self, owner: str, number: int, seat: int | None) -> io.BufferedReader:
        """What the owner's bot in a seat has written in a match; None: in its first; to be closed.

        Raises:
            Unknown: there is no such match in which it sits, or no log.
            WrongPhase: the match is not over.
        """
        match = self._ground.matches.find(number)
        # Of a competition that is not released to everybody nothing is known, not even to whoever
        # has played: a log tells how it went.
        own = [] if match is None or match.hidden else self._own_seats(owner, match)
        if match is None or not own or (seat is not None and seat not in own):
            raise Unknown("match", number)
        if match.state not in (MatchState.DONE, MatchState.CANCELLED):
            raise WrongPhase("MATCH_NOT_OVER", f"match {number}: is not over yet", match=number)
        at = own[0] if seat is None else seat
        digest = match.result.seats[at].log if match.result is not None else ""
        if not digest or digest not in self._ground.logs:
            raise Unknown("log", f"of match {number}, seat {at}")
        return self._ground.logs.open(digest)

    def _own_seats(self, owner: str, match: Match) -> list[int]:
        numbers = sorted({seat.entrant for seat in match.seats})
        found = self._ground.entrants.by_numbers(numbers)
        return [at for at, seat in enumerate(match.seats) if found[seat.entrant].owner == owner]

    def challenge(
        self, owner: str, name: str, opponents: Sequence[str], table: str
    ) -> MatchSummary:
        """Ask for a match that is not rated.

        Raises:
            Unknown: a bot or a table that is not there.
            Invalid: the number of opponents fits no table, or somebody would sit there twice.
            WrongPhase: somebody cannot play there at present.
            OverQuota: too many of the owner's challenges are not over.
        """
        found = self._lookup.own_entrant(owner, name)
        entrants = [found, *map(self._lookup.entrant, opponents)]
        if len({one.number for one in entrants}) < len(entrants):
            raise Invalid("opponent_ids", "a bot cannot sit at a table twice")
        played = self._table(table, len(entrants))
        seats = tuple(
            Seat(one.number, self._playing_version(one, played).number) for one in entrants
        )
        new = NewMatch(
            kind=MatchKind.CHALLENGE,
            table=played.name,
            seats=seats,
            teams=played.teams,
            terms=dict(played.terms),
            requested_by=owner,
            cause=f"{owner} has asked for it",
        )
        with self._counting:
            self._check_challenges(owner)
            number = self._ground.matches.create(new)
        self._ground.on_match()
        return self._lookup.shown_match(self._lookup.match(number))

    def _table(self, name: str, players: int) -> PlayedTable:
        tables = self._ground.tables
        if name and all(table.name != name for table in tables):
            raise Unknown("table", name)
        for table in tables:
            if table.players == players and name in ("", table.name):
                return table
        sizes = ", ".join(f"{table.name} has {table.players}" for table in tables)
        raise Invalid("opponent_ids", f"{players} seats fit no table that was asked for: {sizes}")

    def _playing_version(self, entrant: Entrant, table: PlayedTable) -> Version:
        """The version that would play there; raises WrongPhase."""
        version = (
            None if entrant.version is None else self._ground.entrants.version(entrant.version)
        )
        holder = self._ground.owners.find(entrant.owner)
        problem = ""
        if version is None:
            problem = "has no version that plays"
        elif version.state is not VersionState.ACTIVE:
            problem = f"is in {version.state}"
        elif entrant.paused or (holder is not None and holder.suspended):
            problem = "is paused"
        elif table.players not in version.players or table.ruleset not in version.rulesets:
            problem = f"does not play at tables like {table.name}"
        if problem or version is None:
            raise WrongPhase("CANNOT_PLAY", f"{entrant.title}: {problem}", entrant=entrant.title)
        return version

    def _check_challenges(self, owner: str) -> None:
        most = self._ground.quotas.challenges
        count = sum(self._count_challenges(owner, state) for state in _NOT_OVER)
        if count >= most:
            raise OverQuota(
                "QUOTA_CHALLENGES",
                f"{count} of your challenges are not over, and {most} may be; wait for one",
                most=most,
            )

    def _count_challenges(self, owner: str, state: MatchState) -> int:
        count, token = 0, ""
        while True:
            page = self._ground.matches.list(
                Filters(kind=MatchKind.CHALLENGE, state=state), 500, token
            )
            count += sum(match.requested_by == owner for match in page.items)
            if not page.next:
                return count
            token = page.next


def _same(upload: Upload, digest: str) -> Upload:
    if upload.archive != digest:
        raise WrongPhase(
            "REQUEST_REUSED",
            f"request_id {upload.request}: was another archive's; make up a new one",
            request_id=upload.request,
        )
    return upload
