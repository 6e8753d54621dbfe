"""Owners, bots and matches for the tests, made in a few words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from arena.storage.facts import (
    Lease,
    MatchKind,
    NewMatch,
    NewVersion,
    Receipt,
    Report,
    Seat,
    SeatReport,
    Version,
)
from arena.storage.store import Store

__all__ = ["MINUTE", "World", "digest", "new_match", "new_version", "report_on"]

MINUTE = 60_000


def digest(text: str) -> str:
    """Some digest, the same for the same text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def new_version(name: str = "bot", label: str = "1") -> NewVersion:
    """A version whose content follows from its name and label, and is what its digest says."""
    players, rulesets = (2,), ("classic",)
    said = {
        "archive": digest("archive"),
        "artefact": digest("artefact"),
        "image": "",
        "manifest": {"name": name, "version": label, "players": players, "rulesets": rulesets},
    }
    content = json.dumps(said, sort_keys=True).encode()
    return NewVersion(
        digest=hashlib.sha256(content).hexdigest(),
        archive=digest("archive"),
        artefact=digest("artefact"),
        image="",
        name=name,
        label=label,
        content=content,
        players=players,
        rulesets=rulesets,
    )


def new_match(
    *versions: Version,
    kind: MatchKind = MatchKind.RATED,
    teams: Sequence[Sequence[int]] = (),
    requested_by: str = "",
) -> NewMatch:
    """A match between these versions, each in a team of its own if nothing else is said."""
    return NewMatch(
        kind=kind,
        table=f"classic-{len(versions)}",
        seats=tuple(Seat(one.entrant, one.number) for one in versions),
        teams=tuple(map(tuple, teams)) or tuple((seat,) for seat in range(len(versions))),
        terms={"boards": 10, "ruleset": "classic"},
        requested_by=requested_by,
        cause="a test wants it",
    )


def report_on(
    lease: Lease,
    ranks: Sequence[int] = (),
    *,
    verdict: str = "COMPLETED",
    why: str = "",
    forfeits: Sequence[int] = (),
    blamed: int | None = None,
) -> Report:
    """A report of an attempt; the first team wins if nothing else is said."""
    seats = len(lease.new.seats)
    return Report(
        match=lease.match,
        attempt=lease.attempt,
        token=lease.token,
        verdict=verdict,
        why=why or verdict,
        ranks=() if verdict == "VOID" else tuple(ranks) or tuple(range(len(lease.new.teams))),
        seats=tuple(
            SeatReport(
                points=100 * seat,
                wins=seat / 2,
                forfeit="CRASH" if seat in forfeits else "",
                tally={"strikes": seat, "longest": 0.1 + seat},
            )
            for seat in range(seats)
        ),
        games=20,
        record=digest(f"record {lease.match}-{lease.attempt}"),
        head=digest(f"head {lease.match}-{lease.attempt}"),
        started=lease.ends,
        ended=lease.ends,
        machine_time=1001,
        blamed=blamed,
    )


class World:
    """A store with owners whose bots play."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._requests = 0

    def owners(self, *names: str) -> None:
        """Add owners."""
        for name in names:
            self.store.owners.create(name)

    def upload(self, owner: str, name: str = "bot", label: str = "1") -> Version:
        """Take in a version, for an owner who is made if need be."""
        if self.store.owners.find(owner) is None:
            self.store.owners.create(owner)
        self._requests += 1
        self.store.uploads.add(owner, f"request {self._requests}", digest("archive"), 1000)
        upload = self.store.uploads.begin()
        assert upload is not None
        return self.store.uploads.finish_accepted(upload.number, new_version(name, label))

    def bots(self, *owners: str) -> list[Version]:
        """One version for each of these owners."""
        return [self.upload(owner) for owner in owners]

    def lease(self, *versions: Version, kind: MatchKind = MatchKind.RATED) -> Lease:
        """The right to play a match between these."""
        return self.store.matches.lease_new(new_match(*versions, kind=kind), "worker", MINUTE)

    def play(self, *versions: Version, ranks: Sequence[int] = ()) -> int:
        """The number of a match that was played and recorded."""
        lease = self.lease(*versions)
        assert self.store.matches.record(report_on(lease, ranks)) is Receipt.RECORDED
        return lease.match
