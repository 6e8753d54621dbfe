"""What a preparation needs, and what it says when it is not there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import FieldError, HostFault, InputError
from arena.sandbox.policy import PLAYING
from arena.storage.facts import Lease, Version
from arena.tournament.ladder.pantry import Pantry
from arena.tournament.ladder.specs import Preparation, Sources
from arena.tournament.ladder.terms import RATED_LIMITS, Terms, terms_from
from arena.tournament.matches import Sandbox, Venue
from tests.tournament.ladder.house import House


class Shelves:
    """A pantry that has everything, and counts who uses it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.uses: list[str] = []

    def take(self, digest: str) -> Path:
        self.uses.append(digest)
        return self.folder / digest

    def give_back(self, digest: str) -> None:
        self.uses.remove(digest)


class Kitchen:
    def __init__(self, house: House, folder: Path) -> None:
        self.house = house
        self.shelves = Shelves(folder)
        self.missing: tuple[str, ...] = ()
        pantry: Pantry = self.shelves  # type: ignore[assignment]
        self.preparation = Preparation(
            Sources(
                find_version=self.find,
                pantry=pantry,
                venue=Venue(sandbox=Sandbox.DOCKER, records=house.spool.folder),
                missing_images=self.missing_images,
                probe=house.probe,
            )
        )

    def find(self, number: int) -> Version | None:
        version = self.house.entrants.version(number)
        return None if version is None else replace(version, image=f"sha256:{number}")

    def missing_images(self, images: Sequence[str]) -> tuple[str, ...]:
        return tuple(image for image in images if image in self.missing)

    def lease(self, **change: object) -> Lease:
        self.house.queue()
        lease = self.house.book.lease("here", 1000)
        assert lease is not None
        return replace(lease, new=replace(lease.new, **change))  # type: ignore[arg-type]


@pytest.fixture
def kitchen(house: House, tmp_path: Path) -> Kitchen:
    return Kitchen(house, tmp_path)


def test_images_are_those_of_the_versions_and_folders_those_of_the_pantry(kitchen: Kitchen) -> None:
    lease = kitchen.lease()
    spec = kitchen.preparation.prepare(lease).spec
    assert spec.venue.images == tuple(f"sha256:{seat.version}" for seat in lease.new.seats)
    assert [bot.folder.name for bot in spec.bots] == ["1" * 64] * 2
    assert len(kitchen.shelves.uses) == 2
    kitchen.preparation.release(lease)
    kitchen.preparation.release(lease)
    assert kitchen.shelves.uses == []


def test_a_sandbox_is_that_of_the_terms(kitchen: Kitchen) -> None:
    terms = Terms(sandbox=replace(PLAYING, memory=128 << 20))
    spec = kitchen.preparation.prepare(kitchen.lease(terms=terms.as_json())).spec
    assert spec.venue.policy == terms.sandbox
    assert kitchen.preparation.prepare(kitchen.lease(terms={})).spec.venue.policy == PLAYING


def test_an_image_that_is_gone_keeps_the_machine_unwell_until_it_is_back(kitchen: Kitchen) -> None:
    lease = kitchen.lease()
    kitchen.missing = (f"sha256:{lease.new.seats[1].version}",)
    with pytest.raises(HostFault, match=f"image {kitchen.missing[0]}: is gone"):
        kitchen.preparation.prepare(lease)
    with pytest.raises(HostFault, match="is gone"):
        kitchen.preparation.probe()
    kitchen.missing = ()
    kitchen.preparation.probe()
    kitchen.preparation.prepare(lease)
    kitchen.house.fault = "no engine"
    with pytest.raises(HostFault, match="no engine"):
        kitchen.preparation.probe()


def test_terms_that_cannot_be_played_are_no_bots_fault(kitchen: Kitchen) -> None:
    lease = kitchen.lease(terms={"preset": "chess"})
    with pytest.raises(HostFault, match="cannot be played as it is stored"):
        kitchen.preparation.prepare(lease)
    kitchen.preparation.release(lease)
    assert kitchen.shelves.uses == []


def test_terms_say_what_is_wrong_with_them() -> None:
    with pytest.raises(FieldError, match=r"terms\.length"):
        terms_from({"length": 3})
    with pytest.raises(InputError, match="boards 0"):
        terms_from({"boards": 0})
    with pytest.raises(InputError, match="no limit is called"):
        terms_from({"limits": {"patience": 3}})
    assert terms_from({}) == Terms()
    assert str(RATED_LIMITS.window) == "sealed"
