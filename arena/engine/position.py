"""A POSITION (tests/conformance/README.md): a hand in progress as a JSON value, read and written.

A position says less than a state: it has no events, no counters of the stall rule (X17), and it can
stand only at the start of a turn or where a seat must play. Both directions are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from arena.engine.cards import (
    CARDS,
    DISTANCES,
    HAZARDS,
    KM,
    REMEDIES,
    SAFETIES,
    SAFETY_SHIFT,
    Card,
    cards_of,
)
from arena.engine.codes import PLAIN
from arena.engine.fields import Json, as_bool, as_cards, as_int, as_list, as_object, as_word
from arena.engine.flow import begin_turn, give, set_pile
from arena.engine.rulesets import Family, RuleSet
from arena.engine.state import (
    EMPTY_TABLE,
    NOBODY,
    SOMEBODY,
    Frame,
    HandState,
    Stage,
    TableEdit,
    TableView,
    limit_of_200s,
)
from arena.engine.status import RIGHT_OF_WAY, status_table
from arena.errors import PositionError

POSITION_KEYS: Final = ("hands", "tables", "draw", "discard", "turn", "target", "pile_exhausted")
TABLE_KEYS: Final = (
    "battle",
    "speed",
    "distance",
    "safeties",
    "coups_fourres",
    "bonus_km",
    "started",
)
BATTLE_CARDS: Final = (
    *(card for card in HAZARDS if card is not Card.SPEED_LIMIT),
    *(card for card in REMEDIES if card is not Card.END_OF_LIMIT),
)
SPEED_CARDS: Final = (Card.SPEED_LIMIT, Card.END_OF_LIMIT)
_TOKENS: Final = tuple(card for card in BATTLE_CARDS if card.is_hazard)


def read_position(
    frame: Frame, position: Json, *, path: str = "position", ask_all: bool = False
) -> HandState:
    """Build the state that a POSITION describes, and begin the turn where it stands at one's start.

    Raises:
        FieldError: a key or value breaks the format; the message begins with its path.
        PositionError: the position cannot occur: more copies of a card than the deck has, a wrong
            number of hands or tables, a coup fourré that is not among the safeties, and the like.
    """
    given = as_object(position, path, POSITION_KEYS)
    for key in ("hands", "tables", "turn"):
        if key not in given:
            raise PositionError(path, f"{key} is missing")
    state = HandState(frame, ask_all=ask_all)
    _read_target(state, given, path)
    _read_hands(state, given["hands"], f"{path}.hands")
    _read_tables(state, given["tables"], f"{path}.tables")
    state.discard = as_cards(given.get("discard", []), f"{path}.discard")
    set_pile(state, as_cards(given.get("draw", []), f"{path}.draw"), striped=False)
    # The key says whether the pile was out before this turn; now it is out if it is empty.
    ran_out = as_bool(given.get("pile_exhausted", not state.left), f"{path}.pile_exhausted")
    state.ran_out = state.ran_out or ran_out
    state.dry_start = ran_out and not state.left
    _check_copies(state, path)
    _read_turn(state, given["turn"], f"{path}.turn")
    return state


def _read_target(state: HandState, given: Mapping[str, Json], path: str) -> None:
    if "target" not in given:
        return
    target = as_int(given["target"], f"{path}.target")
    allowed = [state.rules.target] + ([1000] if state.rules.extension else [])
    if target not in allowed:
        names = " or ".join(map(str, allowed))
        raise PositionError(f"{path}.target", f"{target} km; under these rules it is {names}")
    state.target = target


def _read_hands(state: HandState, hands: Json, path: str) -> None:
    given = as_list(hands, path)
    if len(given) != state.players:
        raise PositionError(path, f"{len(given)} hands for {state.players} seats")
    for seat, hand in enumerate(given):
        cards = as_cards(hand, f"{path}[{seat}]")
        most = state.rules.hand_size + 1
        if len(cards) > most:
            raise PositionError(f"{path}[{seat}]", f"{len(cards)} cards; a hand has at most {most}")
        give(state, seat, cards)


def _read_tables(state: HandState, tables: Json, path: str) -> None:
    given = as_list(tables, path)
    if len(given) != len(state.tables):
        raise PositionError(path, f"{len(given)} tables for {len(state.tables)} teams")
    for team, table in enumerate(given):
        _read_table(state, team, table, f"{path}[{team}]")
    if state.rules.extension and state.target != state.rules.target:
        # The position does not say who extended: the only side that has come so far did.
        far = [team for team, table in enumerate(state.tables) if table.km >= state.rules.target]
        state.extended_by = far[0] if len(far) == 1 else SOMEBODY


def _read_table(state: HandState, team: int, value: Json, path: str) -> None:
    """Fill a table of a hand in play."""
    table = TableEdit(state.tables[team])
    given = fill_table(state.rules, table, value, path)
    if table.km >= state.target:
        raise PositionError(
            f"{path}.distance", f"{table.km} km, but a hand in play is below {state.target} km"
        )
    _read_started(state, table, given, path)
    state.put(team, table)


def read_table_view(rules: RuleSet, value: Json, path: str, most: int) -> TableView:
    """Read a TABLE at the end of a hand, with `most` km at the most.

    Raises:
        FieldError: a key or value breaks the format, or the table cannot occur.
    """
    table = TableEdit(EMPTY_TABLE)
    fill_table(rules, table, value, path)
    if table.km > most and rules.bonus_overflow != "allow":
        raise PositionError(f"{path}.distance", f"{table.km} km; a hand ends at {most} km (R30)")
    return table.view(status_table(rules), limit_of_200s(rules), most)


def fill_table(rules: RuleSet, table: TableEdit, value: Json, path: str) -> Mapping[str, Json]:
    """Read the piles, safeties and km of a TABLE into an empty table; returns the object read.

    Raises:
        FieldError: a key or value breaks the format, or the table cannot occur.
    """
    given = as_object(value, path, TABLE_KEYS)
    as_bool(given.get("started", False), f"{path}.started")
    on_table = rules.family.keeps_cards_on_table
    battle = BATTLE_CARDS if on_table else _TOKENS
    speed = SPEED_CARDS if on_table else SPEED_CARDS[:1]
    table.battle = as_cards(given.get("battle", []), f"{path}.battle", battle)
    table.speed = as_cards(given.get("speed", []), f"{path}.speed", speed)
    for name in ("battle", "speed"):
        if not on_table and len(getattr(table, name)) > 1:
            raise PositionError(f"{path}.{name}", "more than one token (P04)")
    table.safeties = _read_safeties(given.get("safeties", []), f"{path}.safeties")
    table.coups_fourres = _read_safeties(given.get("coups_fourres", []), f"{path}.coups_fourres")
    extra = table.coups_fourres & ~table.safeties
    if extra:
        names = ", ".join(str(card) for card in safeties_of(extra))
        raise PositionError(f"{path}.coups_fourres", f"{names} is not among the safeties")
    _read_km(rules, table, given, path)
    return given


def _read_safeties(value: Json, path: str) -> int:
    mask = 0
    for at, card in enumerate(as_cards(value, path, SAFETIES)):
        bit = 1 << card - SAFETY_SHIFT
        if mask & bit:
            raise PositionError(f"{path}[{at}]", f"{CARDS[card]} stands there twice")
        mask |= bit
    return mask


def _read_km(rules: RuleSet, table: TableEdit, given: Mapping[str, Json], path: str) -> None:
    table.distance = as_cards(given.get("distance", []), f"{path}.distance", DISTANCES)
    table.bonus_km = as_int(given.get("bonus_km", 0), f"{path}.bonus_km")
    table.km = sum(KM[card] for card in table.distance) + table.bonus_km
    two_hundreds = table.distance.count(Card.D200)
    if rules.max_200 is not None and two_hundreds > rules.max_200:
        raise PositionError(
            f"{path}.distance",
            f"{two_hundreds} cards of 200 km; at most {rules.max_200} (R29)",
        )


def _read_started(state: HandState, table: TableEdit, given: Mapping[str, Json], path: str) -> None:
    derived = table.started or bool(table.battle) or bool(table.safeties & RIGHT_OF_WAY)
    if "started" not in given:
        table.started = derived
        return
    started = as_bool(given["started"], f"{path}.started")
    if table.started:
        return  # Plateau: a car on the first space may drive, so the key says nothing
    if started != derived and (derived or state.rules.family is Family.CLASSIC):
        raise PositionError(
            f"{path}.started",
            f"{str(started).lower()}, but the battle pile and the safeties say otherwise",
        )
    table.started = started


def _check_copies(state: HandState, path: str) -> None:
    """No card may be there more often than the deck has it."""
    deck = state.rules.deck(state.players)
    counts = Counter(state.pile)
    for hand in state.hands:
        counts.update(cards_of(hand))
    discarded = Counter(state.discard)
    lying = Counter(b"".join(_table_cards(table) for table in state.tables))
    if state.frame.on_table:
        counts += discarded + lying
    elif state.rules.reshuffles:
        counts += discarded
    else:
        # Plateau: what the tables show lies on the discard pile, which a position may leave out.
        counts += discarded | lying
    for card in CARDS:
        if counts[card] > deck[card]:
            raise PositionError(path, f"{counts[card]} copies of {card}; the deck has {deck[card]}")


def _table_cards(table: TableView) -> bytes:
    safeties = bytes(safeties_of(table.safeties))
    return table.battle + table.speed + table.distance + safeties


def _read_turn(state: HandState, value: Json, path: str) -> None:
    given = as_object(value, path, ("seat", "stage"))
    for key in ("seat", "stage"):
        if key not in given:
            raise PositionError(path, f"{key} is missing")
    seat = as_int(given["seat"], f"{path}.seat", 0, state.players - 1)
    stage = as_word(given["stage"], f"{path}.stage", ("start", "play"))
    _check_sizes(state, seat if stage == "play" else NOBODY, path)
    if stage == "start":
        begin_turn(state, seat)
        return
    if not state.sizes[seat]:
        raise PositionError(path, f"seat {seat} must play, but has no card")
    state.seat = seat
    state.stage = Stage.PLAY.value


def _check_sizes(state: HandState, playing: int, path: str) -> None:
    """Nobody holds more cards than the rules deal, and one more when it must play."""
    for seat, size in enumerate(state.sizes):
        most = state.rules.hand_size + (seat == playing)
        if size > most:
            hands = f"{path.removesuffix('.turn')}.hands[{seat}]"
            raise PositionError(hands, f"{size} cards; at this point it has at most {most}")


# -- writing ----------------------------------------------------------------------------------


def write_position(state: HandState) -> dict[str, Json]:
    """The POSITION of a state; `read_position` gives the same hand back.

    What a position cannot say is left out: events, the stall rule's counters, who knows what.

    Raises:
        PositionError: the state is not at the start of a turn or where a seat must play.
    """
    stage = Stage(state.stage)
    if stage not in (Stage.PLAY, Stage.DRAW) or (stage is Stage.DRAW and state.due != 1):
        raise PositionError(
            "turn", f"a position stands at the start of a turn or a play, not at {stage.name}"
        )
    if state.stripes is not None:
        raise PositionError("draw", "a position has one shared draw pile, not stripes")
    position: dict[str, Json] = {
        "hands": [card_names(cards_of(hand)) for hand in state.hands],
        "tables": [write_table(table) for table in state.tables],
        "draw": card_names(state.draw_pile()),
        "discard": card_names(state.discard.translate(PLAIN)),
        "turn": {"seat": state.seat, "stage": "play" if stage is Stage.PLAY else "start"},
    }
    if state.target != state.rules.target:
        position["target"] = state.target
    if state.ran_out and state.left:
        position["pile_exhausted"] = True
    return position


def write_table(table: TableView) -> dict[str, Json]:
    """A TABLE; `started` only where the battle pile and the safeties do not tell it."""
    written: dict[str, Json] = {
        "battle": card_names(table.battle),
        "speed": card_names(table.speed),
        "distance": card_names(table.distance),
        "safeties": card_names(safeties_of(table.safeties)),
        "coups_fourres": card_names(safeties_of(table.coups_fourres)),
        "bonus_km": table.bonus_km,
    }
    if table.started and not table.battle and not table.safeties & RIGHT_OF_WAY:
        written["started"] = True
    return written


def card_names(cards: Sequence[int]) -> list[Json]:
    """The names of cards given by kind."""
    return [CARDS[card].name for card in cards]


def safeties_of(mask: int) -> tuple[Card, ...]:
    """The safeties of a mask, in deck order."""
    return tuple(card for at, card in enumerate(SAFETIES) if mask >> at & 1)
