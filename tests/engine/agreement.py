"""Where the engine and the second referee disagree about a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arena.engine.cards import CARDS, Card
from arena.engine.codes import Event, decode_events
from arena.engine.rules import KIND_NAMES, asked, legal
from arena.engine.state import NOBODY, HandState, Reason, TableView
from tests.engine.games import Move, Setup, play
from tests.engine.model import Model
from tests.engine.reference import (
    KINDS,
    KM,
    SAFETIES,
    SAFETY,
    accepts_own,
    is_limited,
    is_moving,
    km_of,
    suffers,
)

Pairs = dict[str, tuple[object, object]]
"""What is compared, by name: the engine's value and the model's."""


def in_lockstep(setup: Setup) -> Iterator[Move]:
    """Play a hand with the model beside it; every state is compared before it is passed on.

    The state at the end is compared too, with all its events.
    """
    model = Model(setup)
    move = None
    for move in play(setup):
        _agree(setup, model, move.state)
        yield move
        model.apply(move.seat, move.action.text)
    assert move is not None
    _agree(setup, model, move.state)
    assert [_event(event) for event in decode_events(move.state.log)] == model.log, setup


def _agree(setup: Setup, model: Model, state: HandState) -> None:
    found = disagreements(model, state)
    assert not found, f"{setup}\nafter {model.log[-8:]}\n" + "\n".join(found)


def disagreements(model: Model, state: HandState) -> list[str]:
    """Everything in which a state differs from the model, masks and counters included."""
    pairs = {
        **_asking(model, state),
        **_cards(model, state),
        **_counters(model, state),
    }
    for team, (table, lists) in enumerate(zip(state.tables, model.tables, strict=True)):
        pairs |= {
            f"tables[{team}].{name}": pair for name, pair in _table(model, table, lists).items()
        }
    return [f"{name}: engine {a}, model {b}" for name, (a, b) in pairs.items() if a != b]


def _asking(model: Model, state: HandState) -> Pairs:
    reason = Reason(state.reason).name.lower() if state.over else None
    pairs: Pairs = {
        "kind": (KIND_NAMES[state.stage], model.kind),
        "asked": (list(asked(state)), model.asked()),
        "turn": (state.seat, model.turn),
        "due": (state.due, model.due),
        "reason": (reason, model.reason),
        "winner": (state.winner, _or_nobody(model.winner)),
        "extended_by": (state.extended_by, _or_nobody(model.extended_by)),
        "target": (state.target, model.target),
    }
    for seat in range(model.players):
        found = {action.text for action in legal(state, seat)}
        pairs[f"legal[{seat}]"] = (sorted(found), sorted(model.legal(seat)))
    return pairs


def _cards(model: Model, state: HandState) -> Pairs:
    pile = [card for stripe in model.piles for card in stripe]
    pairs: Pairs = {
        "draw": (_names(state.draw_pile()), pile),
        "left": (state.left, len(pile)),
        "discard": (_codes(state.discard), model.discard),
        "sizes": (list(state.sizes), [len(hand) for hand in model.hands]),
        "masks": (state.masks, [_mask(set(hand)) for hand in model.hands]),
    }
    if model.striped:
        pairs["stripes"] = (list(state.stripes or b""), [len(stripe) for stripe in model.piles])
    for seat, hand in enumerate(model.hands):
        pairs[f"hands[{seat}]"] = (state.hands[seat], _counts(hand))
        if state.known is not None:
            pairs[f"known[{seat}]"] = (state.known[seat], _counts(model.known[seat]))
    return pairs


def _counters(model: Model, state: HandState) -> Pairs:
    last = list(decode_events(state.log[-8:]))
    pairs: Pairs = {
        "ran_out": (state.ran_out, model.pile_ran_out),
        "reshuffled": (state.reshuffled, model.reshuffles),
        "fresh": (state.fresh, model.may_reshuffle_again),
        "event_count": (state.event_count, len(model.log)),
        "last events": ([_event(event) for event in last], model.log[-4:]),
    }
    if model.express:
        everywhere = [card for cards in (*model.hands, *model.piles) for card in cards]
        pairs["distances"] = (state.distances, sum(card in KM for card in everywhere))
    else:
        pairs["dry_start"] = (state.dry_start, model.dry_start)
    return pairs


def _table(model: Model, table: TableView, lists: dict[str, Any]) -> Pairs:
    safeties = [card for card in SAFETIES if card in lists["safeties"]]
    coups = [card for card in SAFETIES if card in lists["coups_fourres"]]
    pairs: Pairs = {
        "battle": (_names(table.battle), lists["battle"]),
        "speed": (_names(table.speed), lists["speed"]),
        "distance": (_names(table.distance), lists["distance"]),
        "safeties": (_safeties(table.safeties), safeties),
        "coups_fourres": (_safeties(table.coups_fourres), coups),
        "km": (table.km, km_of(lists)),
        "bonus_km": (table.bonus_km, lists["bonus_km"]),
        "started": (table.started, lists["started"]),
        "limited": (table.limited, is_limited(lists)),
        "moving": (table.moving, is_moving(model.rules, lists)),
    }
    if model.kind in ("draw", "play", "respond"):
        pairs["accepts, suffers"] = ((table.accepts, table.suffers), _allowed(model, lists))
    return pairs


def _allowed(model: Model, lists: dict[str, Any]) -> tuple[int, int]:
    """The kinds that may be played on a table, and the attacks that may be laid on it, as masks."""
    rules, target = model.rules, model.target
    key = (target, *(str(value) for value in lists.values()))
    if key not in model.allowed:
        own = [card for card in KINDS if card not in SAFETY]
        accepted = [card for card in own if accepts_own(rules, target, lists, card)]
        suffered = [card for card in SAFETY if suffers(rules, lists, card)]
        model.allowed[key] = (_mask(accepted), _mask(suffered))
    return model.allowed[key]


def _mask(cards: Sequence[str] | set[str]) -> int:
    return sum(1 << _CODE[card] for card in cards)


def _counts(cards: Sequence[str]) -> bytearray:
    counts = bytearray(len(CARDS))
    for card in cards:
        counts[_CODE[card]] += 1
    return counts


def _names(codes: bytes) -> list[str]:
    return [_NAMES[code] for code in codes]


def _safeties(mask: int) -> list[str]:
    return [card for at, card in enumerate(SAFETIES) if mask >> at & 1]


def _codes(pile: bytes) -> list[tuple[str, int | None]]:
    """The codes of a discard pile: the card and the only seat that has seen it."""
    return [(_NAMES[code % 19], code // 19 - 1 if code >= 19 else None) for code in pile]


def _event(event: Event) -> tuple[str, int, str | None]:
    return (event.kind.name.lower(), event.seat, None if event.card is None else event.card.name)


def _or_nobody(number: int | None) -> int:
    return NOBODY if number is None else number


_CODE = {card.name: int(card) for card in Card}
_NAMES = [card.name for card in CARDS]
