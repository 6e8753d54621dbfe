"""Fills a data folder with a ladder's past, so that `arena bench server` has something to ask for.

    owners -> entrants, one version each -> matches with seats, attempt, result, ledger entry
                                                                      '-> a rating event a seat

What is stored is what a ladder would have stored, row for row and with a true chain, so that
what a ladder promises holds but for two things. There are no files of uploads, and ratings are made
by a plain formula, for TrueSkill takes too long for a million matches; a rebuild puts them right.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select

from arena.errors import HostFault
from arena.storage.attempts import commitment
from arena.storage.entries import GENESIS, link
from arena.storage.facts import AttemptState, EntryKind, MatchKind, MatchState, VersionState
from arena.storage.inputs import digest_of
from arena.storage.recording import result_payload
from arena.storage.schema import (
    ATTEMPTS,
    ENTRANTS,
    LEDGER,
    MATCH_SEATS,
    MATCHES,
    OWNERS,
    RATING_EVENTS,
    RESULTS,
    VERSIONS,
)
from arena.storage.store import Store
from arena.tournament.ladder.terms import Terms

__all__ = ["ACTIVE", "BOTS_OF_ONE", "Size", "fill", "size_of"]

Tell = Callable[[int], None]
"""Is told how many matches more are stored."""

Row = dict[str, Any]

ACTIVE: Final = 2000
"""So many entrants play, at the most; the others rest."""

_PIECE: Final = 5000  # matches in a transaction
_CACHE: Final = 512 * 1024  # KiB, for indexes that grow in no order
BOTS_OF_ONE: Final = 2
_NEAR: Final = 200  # places between two who meet, at the most
_STARTED: Final = 1_700_000_000_000
_BETWEEN: Final = 20_000  # milliseconds between two matches
_TALLY: Final = {
    "prompts": 1480,
    "strikes": 0,
    "surplus": 0,
    "coups_fourres": 7,
    "faults": {},
    "think_p50_ms": 0.41,
    "think_p99_ms": 1.73,
    "think_max_ms": 6.02,
    "start_up_max_ms": 310.5,
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is stored."""

    entrants: int
    matches: int


@dataclass(slots=True)
class _Bot:
    """An entrant as it stands; its number is its version's too."""

    number: int
    owner: int
    strength: float
    mu: float
    sigma: float
    matches: int = 0
    last: int = 0


@dataclass(slots=True)
class _Past:
    """What has happened so far."""

    bots: list[_Bot]
    random: Random = field(default_factory=lambda: Random(1))
    chain: str = GENESIS
    matches: int = 0


def size_of(store: Store) -> Size:
    """How much a store holds."""

    def count(connection: Connection, table: Table) -> int:
        return connection.scalar(select(func.count()).select_from(table)) or 0

    return store.database.read(
        lambda connection: Size(count(connection, ENTRANTS), count(connection, MATCHES))
    )


def fill(store: Store, size: Size, tell: Tell = lambda done: None) -> None:
    """Fill an empty store; one that already holds just that much is left as it is.

    Raises:
        HostFault: it holds something else, or is no SQLite database.
    """
    found = size_of(store)
    if found == size:
        tell(size.matches)
        return
    if found != Size(0, 0) or not store.database.is_sqlite:
        raise HostFault(
            f"data folder {store.folder.path}: holds {found.entrants:,} entrants and "
            f"{found.matches:,} matches already; name one with {size.entrants:,} and "
            f"{size.matches:,}, or a new one"
        )
    past = _Past(_bots(store, size.entrants))
    with store.database.writing() as connection:
        connection.exec_driver_sql(f"PRAGMA cache_size = -{_CACHE}")  # of this connection
        _put(connection, OWNERS, _owners(past.bots))
        _put(connection, ENTRANTS, (_entrant(store, bot) for bot in past.bots))
        _put(connection, VERSIONS, map(_version, past.bots))
    while past.matches < size.matches:
        pieces = min(_PIECE, size.matches - past.matches)
        with store.database.writing() as connection:
            _put_matches(connection, past, pieces)
        tell(pieces)
    with store.database.writing() as connection:
        _stand(connection, past.bots)


def _put(connection: Connection, table: Table, rows: Iterable[Row]) -> None:
    """Insert rows that have what a driver takes, all with the same keys."""
    values = list(rows)
    statement = insert(table).values(dict.fromkeys(values[0]))
    compiled = statement.compile(dialect=connection.dialect, column_keys=list(values[0]))
    order = compiled.positiontup or list(values[0])
    connection.exec_driver_sql(str(compiled), [tuple(row[key] for key in order) for row in values])


# -- who plays ------------------------------------------------------------------------------------


def _bots(store: Store, count: int) -> list[_Bot]:
    random = Random(0)
    start = store.parameters.start
    return [
        _Bot(number, 1 + (number - 1) // BOTS_OF_ONE, random.gauss(25, 6), start.mu, start.sigma)
        for number in range(1, count + 1)
    ]


def _owners(bots: list[_Bot]) -> Iterator[Row]:
    for number in sorted({bot.owner for bot in bots}):
        yield {"number": number, "name": f"owner-{number}", "created": _STARTED}


def _entrant(store: Store, bot: _Bot) -> Row:
    start = store.parameters.start
    return {
        "number": bot.number,
        "owner": bot.owner,
        "name": f"bot-{bot.number}",
        "created": _STARTED,
        "version": bot.number,
        "mu": start.mu,
        "sigma": start.sigma,
        "conservative": start.conservative,
        "paused": "" if bot.number <= ACTIVE else "its owner lets it rest",
    }


def _version(bot: _Bot) -> Row:
    digest = hashlib.sha256(f"version {bot.number}".encode()).hexdigest()
    return {
        "number": bot.number,
        "entrant": bot.number,
        "ordinal": 1,
        "digest": digest,
        "archive": digest,
        "artefact": digest,
        "image": "",
        "label": "1.0",
        "content": b"{}",
        "players": "[2,3,4,6]",
        "rulesets": '["classic"]',
        "created": _STARTED,
        "state": VersionState.ACTIVE.value,
    }


def _stand(connection: Connection, bots: list[_Bot]) -> None:
    """Put down where everybody stands in the end."""
    moved = [
        (bot.mu, bot.sigma, bot.mu - 3 * bot.sigma, bot.matches, bot.last, bot.number)
        for bot in bots
    ]
    connection.exec_driver_sql(
        "UPDATE entrants SET mu=?, sigma=?, conservative=?, matches=?, last_entry=? WHERE number=?",
        moved,
    )
    played = [(bot.matches, bot.number) for bot in bots]
    connection.exec_driver_sql("UPDATE versions SET matches=? WHERE number=?", played)


# -- what was played ------------------------------------------------------------------------------


def _put_matches(connection: Connection, past: _Past, count: int) -> None:
    rows: dict[Table, list[Row]] = {
        table: [] for table in (MATCHES, MATCH_SEATS, ATTEMPTS, RESULTS, LEDGER, RATING_EVENTS)
    }
    for _ in range(count):
        _add_match(past, rows)
    for table, of_table in rows.items():
        _put(connection, table, of_table)


def _add_match(past: _Past, rows: dict[Table, list[Row]]) -> None:
    past.matches += 1
    number, at = past.matches, _STARTED + _BETWEEN * past.matches
    pair = _pair(past)
    rows[MATCHES].append(_match(number, at, pair))
    for place, bot in enumerate(pair):
        seat = {"match": number, "seat": place, "entrant": bot.number, "version": bot.number}
        rows[MATCH_SEATS].append(seat)
    rows[ATTEMPTS].append(attempt := _attempt(number, at))
    share = 1 / (1 + math.exp((pair[1].strength - pair[0].strength) / 6))
    is_won = past.random.random() < share
    payload, result = _result(number, at, ranks=(0, 1) if is_won else (1, 0))
    attempt["report_sha256"] = payload
    rows[RESULTS].append(result)
    said: Row = {
        "number": number,
        "kind": EntryKind.RESULT.value,
        "at": at,
        "match": number,
        "entrant": None,
        "version": None,
    }
    past.chain = link(past.chain, said, payload)
    rows[LEDGER].append(said | {"chain": past.chain})
    rows[RATING_EVENTS] += _events(number, pair, (float(is_won), float(not is_won)))


def _pair(past: _Past) -> tuple[_Bot, _Bot]:
    """Two bots of different owners; who is near by number is met more often."""
    bots, random = past.bots, past.random
    while True:
        one = random.randrange(len(bots))
        other = (one + random.randint(1, _NEAR)) % len(bots)
        if bots[one].owner != bots[other].owner:
            return bots[one], bots[other]


_TERMS: Final = json.dumps(Terms().as_json())


def _match(number: int, at: int, pair: tuple[_Bot, _Bot]) -> Row:
    return {
        "number": number,
        "kind": MatchKind.RATED.value,
        "table": "classic-2",
        "state": MatchState.DONE.value,
        "created": at - _BETWEEN,
        "teams": "[[0],[1]]",
        "terms": _TERMS,
        "cause": f"owner-{pair[0].owner}/bot-{pair[0].number} has had least of its share of "
        f"matches; against owner-{pair[1].owner}/bot-{pair[1].number} (not met of late)",
        "attempts": 1,
    }


def _attempt(number: int, at: int) -> Row:
    seed = hashlib.sha256(f"seed {number}".encode()).digest()
    return {
        "match": number,
        "number": 1,
        "state": AttemptState.DONE.value,
        "worker": "local",
        "token": seed.hex(),
        "seed": seed,
        "commitment": commitment(number, 1, seed),
        "leased": at - _BETWEEN,
        "lease_ends": at,
        "ended": at,
        "why": "completed",
        "record": "",
    }


def _seats(ranks: tuple[int, int]) -> list[Row]:
    return [
        {
            "points": 61_200 - 9_000 * rank,
            "wins": 12.0 - 4 * rank,
            "forfeit": "",
            "detail": "",
            "tally": _TALLY,
            "log": "",
        }
        for rank in ranks
    ]


_OUTCOMES: Final = {
    ranks: (_seats(ranks), json.dumps(ranks), json.dumps(_seats(ranks)))
    for ranks in ((0, 1), (1, 0))
}
"""Ranks and seats of a match that either has won, as values and as they are stored."""


def _result(number: int, at: int, ranks: tuple[int, int]) -> tuple[str, Row]:
    """The digest of its payload, and its row."""
    seats, stored_ranks, stored_seats = _OUTCOMES[ranks]
    row: Row = {
        "match": number,
        "attempt": 1,
        "verdict": "COMPLETED",
        "why": "completed",
        "ranks": ranks,
        "seats": seats,
        "games": 20,
        "record": "",
        "head": hashlib.sha256(f"head {number}".encode()).hexdigest(),
        "started": at - _BETWEEN,
        "ended": at,
    }
    payload = digest_of(result_payload(row))  # type: ignore[arg-type]  # it is read as a row is
    stored = {"ranks": stored_ranks, "seats": stored_seats}
    return payload, row | stored | {"payload_sha256": payload, "entry": number}


def _events(number: int, pair: tuple[_Bot, _Bot], actual: tuple[float, float]) -> Iterator[Row]:
    spread = pair[0].sigma + pair[1].sigma
    ahead = 1 / (1 + math.exp((pair[1].mu - pair[0].mu) / (4 + spread)))
    for bot, got, expected in zip(pair, actual, (ahead, 1 - ahead), strict=True):
        before = bot.mu, bot.sigma
        bot.mu += 0.6 * bot.sigma * (got - expected)
        bot.sigma = max(1.0, 0.985 * bot.sigma)
        bot.matches += 1
        bot.last = number
        yield {
            "entry": number,
            "entrant": bot.number,
            "version": bot.number,
            "before_mu": before[0],
            "before_sigma": before[1],
            "after_mu": bot.mu,
            "after_sigma": bot.sigma,
            "expected": expected,
            "actual": got,
            "rank": int(1 - got),
        }
