"""What has to hold on a site after whatever has happened to its servers.

arena check-data    promises 1, 2, 3, 5 and 7 of the storage, every record played again
here                no token of a lease twice, no upload lost or doubled, nothing left over
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from arena.referee.verifying import verify
from arena.storage.check import Checked, check_data
from arena.storage.facts import MatchState, UploadState
from arena.storage.schema import ATTEMPTS, MATCHES, UPLOADS
from tests.faults.site import Site

__all__ = ["Acknowledged", "Found", "broken", "look"]


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An upload that the server has said it has: its number, owner, request and digest."""

    number: int
    owner: str
    request: str
    archive: str


@dataclass(frozen=True, slots=True)
class Found:
    """What was found: what is wrong, and how many there are of what."""

    wrong: tuple[str, ...]
    checked: Checked
    matches: Mapping[str, int]
    uploads: Mapping[str, int]
    attempts: int


def look(site: Site, acknowledged: Sequence[Acknowledged] = ()) -> Found:
    """Look at everything, while no server runs."""
    checked = check_data(site.data, url=site.url, verify=head_of)
    wrong = [f"promise {one.promise}: {one.what}" for one in checked.violations]
    with site.open() as store:
        tokens, matches, uploads = store.database.read(_counted)
        for one in acknowledged:
            kept = store.uploads.find(one.number)
            if kept is None:
                wrong.append(f"upload {one.number} of {one.owner} is lost")
            elif (kept.owner, kept.request, kept.archive) != (one.owner, one.request, one.archive):
                wrong.append(f"upload {one.number} is another one: {kept}")
            if not (site.data / "archives" / one.archive[:2] / one.archive).is_file():
                wrong.append(f"upload {one.number}: its archive is lost")
        numbers = Counter(one.number for one in acknowledged)
        wrong += [f"upload {one} was acknowledged twice" for one, n in numbers.items() if n > 1]
    wrong += [f"{count} attempts have the same token" for count in tokens.values() if count > 1]
    wrong += [f"left: {one}" for one in site.left()]
    return Found(tuple(wrong), checked, matches, uploads, sum(tokens.values()))


def broken(data: Path) -> list[str]:
    """What does not hold in a data folder whose versions have no archives, and only short records.

    That is what most houses for tests are; nothing is played again.
    """
    prefixes = tuple(f"{data / name}/" for name in ("archives", "artefacts"))
    violations = check_data(data).violations
    return [one.what for one in violations if not one.what.startswith(prefixes)]


def head_of(record: Path) -> str:
    """The head of a record, which was played again by the rules."""
    with record.open("rb") as file:
        return verify(file).head


def _counted(connection: Connection) -> tuple[Counter[str], dict[str, int], dict[str, int]]:
    tokens = Counter(connection.scalars(select(ATTEMPTS.c.token)))
    matches = Counter(connection.scalars(select(MATCHES.c.state)))
    uploads = Counter(connection.scalars(select(UPLOADS.c.state)))
    return (
        tokens,
        {state: matches[state] for state in MatchState},
        {state: uploads[state] for state in UploadState},
    )
