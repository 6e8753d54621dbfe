"""What an operator may do. That it was done, and by whom, is noted by whoever lets them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arena.errors import quoted
from arena.storage.facts import (
    AuditEntry,
    Entrant,
    Match,
    MatchKind,
    MatchState,
    Owner,
    Page,
    Rebuilt,
    Token,
    TokenKind,
    UploadState,
    VersionState,
)
from arena.storage.matchlist import Filters
from arena.tournament.answers import (
    MatchSummary,
    PublicEntrant,
    PublicVersion,
    SettingLine,
    UploadStatus,
)
from arena.tournament.expectation import Expectation
from arena.tournament.refusals import Invalid, Unknown, WrongPhase
from arena.tournament.verbs import Ground, Lookup
from arena.tournament.verbs_uploads import shown_upload

__all__ = ["Operators"]

_LONGEST_WHY: Final = 500
_HELD: Final = (VersionState.PROBATION, VersionState.QUARANTINED)
_NOT_OVER: Final = (MatchState.QUEUED, MatchState.LEASED, MatchState.SET_ASIDE)


class Operators:
    """The deeds and answers."""

    def __init__(self, ground: Ground, lookup: Lookup, expectation: Expectation) -> None:
        self._ground = ground
        self._lookup = lookup
        self._expectation = expectation

    # -- owners and tokens ----------------------------------------------------------------------

    def create_owner(self, name: str) -> Owner:
        """Take in an owner; again: the same one. Raises InputError for what is no name."""
        return self._ground.owners.find(name) or self._ground.owners.create(name)

    def owners(self, size: int, token: str) -> Page[Owner]:
        """All owners."""
        return self._ground.owners.list(size, token)

    def suspend_owner(self, name: str, why: str) -> Owner:
        """Let an owner do nothing; raises Unknown, Invalid without a reason."""
        self._owner(name)
        return self._ground.owners.suspend(name, _reason(why))

    def reinstate_owner(self, name: str) -> Owner:
        """Take a suspension back; raises Unknown."""
        self._owner(name)
        return self._ground.owners.resume(name)

    def issue_token(
        self,
        kind: TokenKind,
        owner: str,
        scopes: tuple[str, ...],
        lifetime_ms: int | None,
        note: str,
    ) -> tuple[str, Token]:
        """A token and what is kept of it; raises Unknown for the owner, InputError for the rest."""
        if owner:
            self._owner(owner)
        return self._ground.tokens.issue(kind, owner or None, scopes or None, lifetime_ms, note)

    def revoke_token(self, public: str) -> Token:
        """Make a token worthless; raises Unknown."""
        if self._ground.tokens.find(public) is None:
            raise Unknown("token", public)
        return self._ground.tokens.revoke(public)

    def tokens(self, owner: str, size: int, token: str) -> Page[Token]:
        """The tokens of an owner, or all; raises Unknown."""
        if owner:
            self._owner(owner)
        return self._ground.tokens.list(owner or None, size, token)

    def _owner(self, name: str) -> Owner:
        found = self._ground.owners.find(name)
        if found is None:
            raise Unknown("owner", name)
        return found

    # -- who plays ------------------------------------------------------------------------------

    def pause_ladder(self, why: str) -> None:
        """Begin no more matches; raises Invalid without a reason."""
        self._ground.switch.pause(_reason(why))

    def resume_ladder(self) -> None:
        """Begin matches again."""
        self._ground.switch.resume()

    def pause_entrant(self, title: str, why: str) -> PublicEntrant:
        """Begin no matches with a bot; raises Unknown."""
        found = self._lookup.entrant(title)
        return self._shown(self._ground.entrants.pause(found.number, _reason(why)))

    def resume_entrant(self, title: str) -> PublicEntrant:
        """Begin matches with it again; raises Unknown."""
        found = self._lookup.entrant(title)
        return self._shown(self._ground.entrants.resume(found.number))

    def quarantine_version(self, title: str, ordinal: int, why: str) -> PublicVersion:
        """Take a version out; raises Unknown."""
        version = self._lookup.version(self._lookup.entrant(title), ordinal)
        changed = self._ground.entrants.set_version_state(
            version.number, VersionState.QUARANTINED, _reason(why)
        )
        return self._lookup.shown_version(changed, is_own=True)

    def release_version(self, title: str, ordinal: int) -> PublicVersion:
        """Take a version out of quarantine or probation; raises Unknown, WrongPhase."""
        version = self._lookup.version(self._lookup.entrant(title), ordinal)
        if version.state not in _HELD:
            raise WrongPhase(
                "NOT_HELD",
                f"version {ordinal} of {title}: is {version.state}, so nothing holds it back",
                ordinal=ordinal,
            )
        changed = self._ground.entrants.set_version_state(version.number, VersionState.ACTIVE)
        return self._lookup.shown_version(changed, is_own=True)

    def _shown(self, entrant: Entrant) -> PublicEntrant:
        return self._lookup.shown_entrant(entrant, is_own=True)

    # -- matches --------------------------------------------------------------------------------

    def rerun_match(self, number: int) -> MatchSummary:
        """Put a match that was set aside into the queue again; raises Unknown, WrongPhase."""
        self._match_in(number, (MatchState.SET_ASIDE,), "was not set aside")
        return self._after(number, self._ground.matches.rerun, number)

    def void_attempt(self, number: int, why: str) -> MatchSummary:
        """Declare the running attempt void; raises Unknown, WrongPhase."""
        reason = _reason(why)
        self._match_in(number, (MatchState.LEASED,), "is not being played")
        return self._after(number, self._ground.matches.void, number, reason)

    def cancel_match(self, number: int, why: str) -> MatchSummary:
        """Let a match never be played; raises Unknown, WrongPhase."""
        reason = _reason(why)
        self._match_in(number, _NOT_OVER, "is over")
        return self._after(number, self._ground.matches.cancel, number, reason)

    def annul_match(self, number: int, why: str) -> tuple[MatchSummary, Rebuilt]:
        """Have a result not count, and all ratings follow from the rest; then check them all.

        Raises:
            Unknown: there is no such match.
            WrongPhase: it is not over, not rated, or annulled already.
        """
        reason = _reason(why)
        match = self._match_in(number, (MatchState.DONE,), "is not over", "MATCH_NOT_OVER")
        if match.kind is not MatchKind.RATED or match.result is None:
            raise WrongPhase("MATCH_NOT_RATED", f"match {number}: is not rated", match=number)
        if match.result.annulled:
            raise WrongPhase(
                "WRONG_STATE",
                f"match {number}: is annulled already: {match.result.annulled}",
                match=number,
            )
        changed = self._after(number, self._ground.ledger.annul, number, reason)
        return changed, self._ground.ledger.rebuild(write=False)

    def rebuild(self, *, check_only: bool) -> Rebuilt:
        """Work out all ratings from the ledger."""
        return self._ground.ledger.rebuild(write=not check_only)

    def set_aside_matches(self, size: int, token: str) -> Page[MatchSummary]:
        """Matches that a person has to look at, with all attempts."""
        filters = Filters(state=MatchState.SET_ASIDE, with_hidden=True)
        page = self._ground.matches.list(filters, size, token)
        shown = (
            self._lookup.shown_match(self._lookup.match(one.number, with_hidden=True))
            for one in page.items
        )
        return Page(tuple(shown), page.next)

    def _match_in(
        self,
        number: int,
        states: tuple[MatchState, ...],
        problem: str,
        reason: str = "WRONG_STATE",
    ) -> Match:
        match = self._lookup.match(number, with_hidden=True)
        if match.state not in states:
            raise WrongPhase(
                reason, f"match {number}: {problem}; it is {match.state}", match=number
            )
        return match

    def _after(self, number: int, do: Callable[..., object], *arguments: Any) -> MatchSummary:
        do(*arguments)
        return self._lookup.shown_match(self._lookup.match(number, with_hidden=True))

    # -- uploads, settings, the log -------------------------------------------------------------

    def set_aside_uploads(self, size: int, token: str) -> Page[UploadStatus]:
        """Uploads that a person has to look at."""
        page = self._ground.uploads.list(None, size, token, state=UploadState.SET_ASIDE)
        shown = (shown_upload(one, None, self._expectation) for one in page.items)
        return Page(tuple(shown), page.next)

    def retry_upload(self, number: int) -> UploadStatus:
        """Put an upload that was set aside into the queue again; raises Unknown, WrongPhase."""
        found = self._ground.uploads.find(number)
        if found is None:
            raise Unknown("upload", number)
        if found.state is not UploadState.SET_ASIDE:
            raise WrongPhase(
                "WRONG_STATE",
                f"upload {number}: was not set aside; it is {found.state}",
                upload=number,
            )
        return shown_upload(self._ground.uploads.rerun(number), None, self._expectation)

    def settings(self) -> tuple[SettingLine, ...]:
        """The settings in force."""
        return self._ground.settings

    def audit(self, size: int, token: str) -> Page[AuditEntry]:
        """The audit log, the latest first."""
        return self._ground.audit.list(size, token)


def _reason(why: str) -> str:
    """Return `why`; raises Invalid for none, or one that is too long."""
    if not why.strip() or len(why) > _LONGEST_WHY:
        raise Invalid("reason", f"{quoted(why)}: must have 1 to {_LONGEST_WHY} characters")
    return why
