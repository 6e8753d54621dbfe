"""What a team's table allows: may it drive, what may it play, what may be laid on it.

All of R06-R12, X05, P02-P05 and P14 depends on five facts about a table: the top card of its battle
pile, its safeties, whether it is limited, whether it has started, and the family of the rules. They
are worked out here once per rule set, for every combination; the game then only looks them up.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.engine.cards import (
    BIT,
    DISTANCE_MASK,
    REMEDY_FOR,
    SAFETIES,
    SAFETY_FOR,
    SAFETY_SHIFT,
    Card,
)
from arena.engine.rulesets import Family, RuleSet

NO_CARD: Final = 19
"""The "top card" of an empty pile."""

RIGHT_OF_WAY: Final = 1
"""Bit of Right of Way in a mask of safeties."""

SUFFERS_SHIFT: Final = 20
MOVING: Final = 1 << 30

_BATTLE_HAZARDS: Final = (Card.RED_LIGHT, Card.OUT_OF_GAS, Card.FLAT_TIRE, Card.ACCIDENT)


@lru_cache(maxsize=64)
def status_table(rules: RuleSet) -> tuple[int, ...]:
    """Every combination's status under `rules`.

    It stands at place `top << 6 | safeties << 2 | limited << 1 | started`, with `top` the top card
    of the battle pile or `NO_CARD`, and `safeties` a mask of four bits.

    A status is one integer: bits 0-18 the kinds that the team may play on its own table (all
    distances or none: what fits is not known here), bits 20-29 the hazards that others may lay on
    it, shifted by `SUFFERS_SHIFT`, and `MOVING` when it may play a distance card, limits aside.
    """
    return tuple(
        _status(rules, top, safeties, limited=bool(limited), started=bool(started))
        for top in range(NO_CARD + 1)
        for safeties in range(16)
        for limited in range(2)
        for started in range(2)
    )


def blocks(top: int, safeties: int) -> bool:
    """Whether the top card is an attack in force: one whose safety the team has not exposed."""
    if top == NO_CARD or not Card(top).is_hazard:
        return False
    return not has_safety(safeties, SAFETY_FOR[Card(top)])


def has_safety(safeties: int, safety: Card) -> bool:
    """Whether a mask of safeties holds `safety`."""
    return bool(safeties >> safety - SAFETY_SHIFT & 1)


def is_moving(rules: RuleSet, top: int, safeties: int, *, started: bool) -> bool:
    """Whether a table may play distance cards, limits aside (K19, R07, R11, X05, P02)."""
    if blocks(top, safeties):
        return False
    if rules.family is Family.CLASSIC:
        return top == Card.GREEN_LIGHT or has_safety(safeties, Card.RIGHT_OF_WAY)
    return started


def _status(rules: RuleSet, top: int, safeties: int, *, limited: bool, started: bool) -> int:
    moving = is_moving(rules, top, safeties, started=started)
    accepts = _parades(rules, top, safeties, moving=moving)
    if moving:
        accepts |= DISTANCE_MASK
    if limited:
        accepts |= BIT[Card.END_OF_LIMIT]
    for safety in SAFETIES:
        if not has_safety(safeties, safety):
            accepts |= BIT[safety]
    suffers = 0
    if moving:
        for hazard in _BATTLE_HAZARDS:
            if not has_safety(safeties, SAFETY_FOR[hazard]):
                suffers |= BIT[hazard]
    if not limited and not safeties & RIGHT_OF_WAY:
        suffers |= BIT[Card.SPEED_LIMIT]
    return accepts | suffers >> 5 << SUFFERS_SHIFT | (MOVING if moving else 0)


def _parades(rules: RuleSet, top: int, safeties: int, *, moving: bool) -> int:
    """The remedies that may be laid on the battle pile (R06, R10, X05, P02)."""
    if blocks(top, safeties):
        return BIT[REMEDY_FOR[Card(top)]]
    if moving:
        return 0
    # Not blocked and not moving: the car waits for a Green Light, to start or to go on.
    return BIT[Card.GREEN_LIGHT]
