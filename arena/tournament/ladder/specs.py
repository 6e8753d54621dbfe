"""From a lease to what is played: terms, versions and their files, and where it happens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.errors import HostFault, InputError
from arena.storage.facts import Lease, Version
from arena.submissions.bottoml import Manifest
from arena.submissions.shelf import version_of
from arena.tournament.ladder.attempt import HEARTBEAT, RatedSpec
from arena.tournament.ladder.health import Probe
from arena.tournament.ladder.pantry import ArtefactGone, Pantry
from arena.tournament.ladder.spool import title_of
from arena.tournament.ladder.terms import Terms, terms_from
from arena.tournament.matches import MatchSpec, Sandbox, Venue

__all__ = ["Preparation", "Sources", "spec_of"]

_MORE_THAN_TWO: Final = 2


def spec_of(
    lease: Lease,
    versions: Sequence[Version],
    bots: Sequence[Manifest],
    venue: Venue,
    *,
    heartbeat: float = HEARTBEAT,
) -> RatedSpec:
    """What is played under a lease; `versions` and `bots` are by seat, the venue has a spool.

    Raises:
        InputError: the terms are none, or do not fit the table.
    """
    new = lease.new
    terms: Terms = terms_from(new.terms)
    seating = terms.seating(new.teams)
    players = seating.players
    spec = MatchSpec(
        number=lease.match,
        attempt=lease.attempt,
        title=title_of(lease.match, lease.attempt),
        bots=tuple(bots),
        rules=terms.rules(players),
        seating=seating,
        seed=lease.seed,
        boards=tuple(range(terms.boards)),
        legs=terms.legs(players),
        limits=terms.limits,
        length=terms.length,
        striped=terms.striped,
        # A forfeiter ranks last, and what the others play on decides among them.
        play_on=len(new.teams) > _MORE_THAN_TWO,
        venue=replace(venue, policy=terms.sandbox),
        facts={
            "match": str(lease.match),
            "kind": str(new.kind),
            "table": new.table,
            "entrants": [seat.entrant for seat in new.seats],
            "versions": [version.digest for version in versions],
            "commitment": lease.commitment,
        },
    )
    return RatedSpec(
        match=lease.match,
        attempt=lease.attempt,
        token=lease.token,
        spec=spec,
        heartbeat=heartbeat,
    )


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where a preparation has everything from.

    Attributes:
        find_version: The version of a number; None: there is none.
        pantry: Unpacks artefacts.
        venue: Where matches are played, with the spool as its folder for records.
        missing_images: Which of some images, by id, the engine does not have.
        probe: Raises HostFault if what every match needs is not there.
        hold_back: Is told of a version that cannot be played any more, and why in detail.
    """

    find_version: Callable[[int], Version | None]
    pantry: Pantry
    venue: Venue
    missing_images: Callable[[Sequence[str]], Sequence[str]]
    probe: Probe
    hold_back: Callable[[Version, str], None] = lambda version, why: None
    heartbeat: float = HEARTBEAT


class Preparation:
    """Makes leases into attempts; `prepare` and `release` are the director's, from any thread."""

    def __init__(self, sources: Sources) -> None:
        self._from = sources
        self._lock = threading.Lock()
        self._taken: dict[tuple[int, int], list[str]] = {}
        self._missing: set[str] = set()

    def prepare(self, lease: Lease) -> RatedSpec:
        """Have everything there that an attempt needs. Blocks.

        Raises:
            ArtefactGone: what was built of a version is; that version has been held back.
            HostFault: something else is missing that was there once.
        """
        versions = [self._version(seat.version) for seat in lease.new.seats]
        venue = self._from.venue
        if venue.sandbox is Sandbox.DOCKER:
            images = tuple(version.image for version in versions)
            self._require(images)
            venue = replace(venue, images=images)
        bots = [self._bot(lease, version) for version in versions]
        try:
            return spec_of(lease, versions, bots, venue, heartbeat=self._from.heartbeat)
        except InputError as error:
            raise HostFault(f"match {lease.match} cannot be played as it is stored: {error}") from (
                None
            )

    def release(self, lease: Lease) -> None:
        """Say that an attempt is over; again is no fault."""
        with self._lock:
            taken = self._taken.pop((lease.match, lease.attempt), [])
        for digest in taken:
            self._from.pantry.give_back(digest)

    def probe(self) -> None:
        """See whether what matches need is there, also the images that were found missing.

        Raises:
            HostFault: it is not.
        """
        self._from.probe()
        with self._lock:
            missing = tuple(sorted(self._missing))
        if missing:
            self._require(missing)

    def _version(self, number: int) -> Version:
        version = self._from.find_version(number)
        if version is None:
            raise HostFault(f"version {number}: there is none in the store")
        return version

    def _bot(self, lease: Lease, version: Version) -> Manifest:
        try:
            manifest = version_of(version.content).manifest
        except ValueError as error:
            raise HostFault(
                f"version {version.number}: was stored by another version of the arena: {error}"
            ) from None
        try:
            folder = self._from.pantry.take(version.artefact)
        except ArtefactGone as error:
            self._from.hold_back(version, str(error))
            raise
        with self._lock:
            self._taken.setdefault((lease.match, lease.attempt), []).append(version.artefact)
        return replace(manifest, folder=folder)

    def _require(self, images: Sequence[str]) -> None:
        missing = self._from.missing_images(images)
        with self._lock:
            self._missing -= set(images) - set(missing)
            self._missing |= set(missing)
        if missing:
            raise HostFault(
                f"image {missing[0]}: is gone, and versions were validated in it; build or load "
                "it again, or have these versions taken out"
            )
