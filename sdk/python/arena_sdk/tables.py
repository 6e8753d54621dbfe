"""What lies on the tables, in words: for bots that would rather not read masks and bytes.

    from arena_sdk import tables

    if tables.stopped_by(view.table) is Card.FLAT_TIRE: ...
    weakest = max(tables.rivals(view), key=lambda team: tables.to_go(view, team))

Every function looks at a `View` or at one `TableView` of it, and at nothing else.
"""

from __future__ import annotations

from arena.engine.cards import CARDS, KM, REMEDIES, SAFETIES, SAFETY_FOR, SAFETY_SHIFT, Card
from arena.engine.state import TableView
from arena.engine.status import NO_CARD, blocks
from arena.engine.view import View

__all__ = [
    "accepts",
    "hazards",
    "is_immune",
    "km",
    "needs",
    "rivals",
    "safeties",
    "stopped_by",
    "suffers",
    "to_go",
    "top",
    "unseen",
]


def rivals(view: View) -> tuple[int, ...]:
    """The other teams."""
    return tuple([team for team in range(len(view.tables)) if team != view.team])


def to_go(view: View, team: int | None = None) -> int:
    """Kilometres that a team has still to drive; without `team`, one's own."""
    return view.target - view.tables[view.team if team is None else team].km


def unseen(view: View) -> dict[Card, int]:
    """How many of each card the reader cannot place: in other hands, the pile, face down."""
    return dict(zip(CARDS, view.unseen, strict=True))


def stopped_by(table: TableView) -> Card | None:
    """The hazard that keeps a car from driving, if one does.

    A car may stand without: it waits for a Green Light then (see `needs`), and `table.moving` is
    False.
    """
    pile = table.battle
    return Card(pile[-1]) if blocks(pile[-1] if pile else NO_CARD, table.safeties) else None


def hazards(table: TableView) -> tuple[Card, ...]:
    """The hazards in force: the one that stops the car, and a speed limit."""
    stop = stopped_by(table)
    stops = () if stop is None else (stop,)
    return (*stops, Card.SPEED_LIMIT) if table.limited else stops


def needs(table: TableView) -> tuple[Card, ...]:
    """The remedies that would help now, in deck order; none if nothing is wrong."""
    return tuple([card for card in REMEDIES if table.accepts >> card & 1])


def accepts(table: TableView) -> tuple[Card, ...]:
    """Every card that its own team could play on it now, if it had it."""
    return _cards(table.accepts)


def suffers(table: TableView) -> tuple[Card, ...]:
    """The hazards that other teams could lay on it now."""
    return _cards(table.suffers)


def safeties(table: TableView) -> tuple[Card, ...]:
    """The safeties exposed."""
    return tuple([card for card in SAFETIES if table.safeties >> card - SAFETY_SHIFT & 1])


def is_immune(table: TableView, hazard: Card) -> bool:
    """Whether an exposed safety protects it from a hazard for the rest of the hand."""
    return bool(table.safeties >> SAFETY_FOR[hazard] - SAFETY_SHIFT & 1)


def top(pile: bytes) -> Card | None:
    """The top card of a pile, such as `table.speed`."""
    return Card(pile[-1]) if pile else None


def km(card: Card) -> int:
    """Kilometres of a card; 0 if it is no distance."""
    return KM[card] if card.is_distance else 0


def _cards(mask: int) -> tuple[Card, ...]:
    return tuple([card for card in CARDS if mask >> card & 1])
