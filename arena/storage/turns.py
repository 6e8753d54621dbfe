"""Whose challenge is begun next, inside of a transaction that somebody else has begun."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, func, select

from arena.storage.facts import MatchKind, MatchState
from arena.storage.schema import MATCHES

__all__ = ["next_challenge"]


def next_challenge(
    connection: Connection, turns: Mapping[int | None, int]
) -> tuple[int | None, int] | None:
    """An owner and the oldest challenge that it waits for; None: nobody waits.

    `turns` says when each owner has had its last one; whoever it does not name is first. Of owners
    whose turn it is as much, the one who has waited for longest is taken.
    """
    is_waiting = (MATCHES.c.state == MatchState.QUEUED) & (MATCHES.c.kind == MatchKind.CHALLENGE)
    owner, oldest = MATCHES.c.requested_by, func.min(MATCHES.c.number)
    rows = connection.execute(select(owner, oldest).where(is_waiting).group_by(owner)).all()
    for whose, number in sorted(rows, key=lambda row: (turns.get(row[0], 0), row[1])):
        query = select(MATCHES.c.number).where(is_waiting, MATCHES.c.number == number)
        # PostgreSQL passes over what another server is just taking; SQLite has but one.
        if connection.scalar(query.with_for_update(skip_locked=True)) is not None:
            return whose, number
    return None
