"""A replay as one JSON value. Names, numbers and times (nanoseconds) are those of the record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from arena.engine.cards import CARDS, Card, cards_of
from arena.engine.codes import Event, decode_pile
from arena.engine.position import safeties_of
from arena.referee.record import limits_facts

if TYPE_CHECKING:
    from arena.cli.frames import OpenFrames, SeatFrames
    from arena.engine.state import TableView
    from arena.engine.view import View
    from arena.referee.entries import GameLine, HandLine, ResultLine
    from arena.referee.replay import Replay

__all__ = ["open_facts", "seat_facts"]

Facts = dict[str, object]


def open_facts(frames: OpenFrames, chosen: Iterable[int]) -> Facts:
    """Everything, of the frames with these numbers from 0."""
    replay = frames.replay
    steps = [_open_step(frames, at) for at in chosen]
    return {**_header(replay), "head": replay.verified.head, "steps": steps, **_ends(replay)}


def seat_facts(frames: SeatFrames, chosen: Iterable[int]) -> Facts:
    """What a seat knew, of the frames with these numbers from 0."""
    replay = frames.replay
    steps = [_seat_step(frames, at) for at in chosen]
    return {**_header(replay), "as_seat": frames.seat, "steps": steps, **_ends(replay)}


def _header(replay: Replay) -> Facts:
    header, plan = replay.header, replay.plan
    return {
        "match": header.match,
        "attempt": header.attempt,
        "created": header.created,
        "bots": [bot._asdict() for bot in header.bots],
        "preset": plan.rules.preset,
        "rules": plan.rules.options(),
        "teams": plan.seating.teams,
        "hands": plan.length.hands,
        "striped": plan.striped,
        "limits": limits_facts(plan.limits),
    }


def _ends(replay: Replay) -> Facts:
    """What everybody is told in the end: of hands, of games, of the match."""
    verdict = replay.verified.verdict
    return {
        "games": [
            {
                **_without_time(game.began),
                "hands": [_without_time(hand.end) for hand in game.hands if hand.end is not None],
                "result": None if game.result is None else _without_time(game.result),
            }
            for game in replay.games
        ],
        "verdict": {"kind": verdict.kind, "void": verdict.void, "ranks": verdict.ranks},
    }


def _without_time(line: GameLine | HandLine | ResultLine) -> Facts:
    return {name: value for name, value in line._asdict().items() if name != "at"}


# -- steps ------------------------------------------------------------------------------------


def _open_step(frames: OpenFrames, at: int) -> Facts:
    step, before, after = frames.states(at)
    return {
        "step": at + 1,
        "line": step.line,
        "game": step.game,
        "hand": step.hand,
        **step.said._asdict(),
        "strikes": step.strikes,
        "held": _names(cards_of(before.hands[step.seat])),
        "tables": [_table(table) for table in after.tables],
        "draw_pile": after.left,
        "discard_pile": _names(decode_pile(after.discard)),
    }


def _seat_step(frames: SeatFrames, at: int) -> Facts:
    before, after = frames.views(at)
    own, place = frames.own(at), frames.places[at]
    facts: Facts = {"step": at + 1, "game": place.game, "hand": place.hand}
    if own is not None:
        said = own.said._asdict()
        facts |= {name: said[name] for name in _OWN} | {
            "strikes": own.strikes,
            "held": _names(before.cards),
            "legal": [action.text for action in before.legal],
        }
    return {
        **facts,
        "own": own is not None,
        "events": [_event(event) for event in after.history],
        "view": _view(after),
    }


_OWN: Final = (
    *("seat", "kind", "action", "answered", "fault"),
    *("prompt", "spent", "lag", "bank"),
)


def _view(seen: View) -> Facts:
    return {
        "hand": _names(seen.cards),
        "sizes": list(seen.sizes),
        "tables": [_table(table) for table in seen.tables],
        "draw_pile": seen.draw_count,
        "discard_pile": _names(seen.discard_pile),
        "known": [_names(cards_of(counts)) for counts in seen.known],
        "target": seen.target,
        "scores": seen.scores,
    }


def _event(event: Event) -> Facts:
    return {
        "seat": event.seat,
        "kind": event.kind.name.partition("_ON_")[0],
        "card": None if event.card is None else event.card.name,
        "team": event.team,
    }


def _table(table: TableView) -> Facts:
    return {
        "km": table.km,
        "moving": table.moving,
        "limited": table.limited,
        "battle": _kinds(table.battle),
        "speed": _kinds(table.speed),
        "distance": _kinds(table.distance),
        "safeties": _names(safeties_of(table.safeties)),
        "coups_fourres": _names(safeties_of(table.coups_fourres)),
    }


def _kinds(pile: bytes) -> list[str | None]:
    return _names(CARDS[card] for card in pile)


def _names(cards: Iterable[Card | None]) -> list[str | None]:
    """Cards by name, null for one that the reader may not know."""
    return [None if card is None else card.name for card in cards]
