"""A hand as a text that a person can read and the engine can replay.

    # a title
    ruleset classic target=700
    teams 0 1
    dealer 1
    deal 0011..ff hand 0 shared          (or: position {...} as one line of JSON)

    start
        seat 0 has D25 D50 ...           what follows from the lines above
      1 seat 0 play: discard D25         a decision: number, seat, what was asked, the answer
        seat 1 draws D100                what follows from it

Only the head and the numbered lines say anything; all others follow from them. `render` writes the
text anew from these, so a playthrough is right if `render(parse(text)) == text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from arena.engine.actions import Action, Verb, parse_action
from arena.engine.cards import CARDS, cards_of
from arena.engine.codes import EventKind, decode_events
from arena.engine.deal import Board, parse_seed
from arena.engine.flow import start_hand
from arena.engine.position import read_position, safeties_of
from arena.engine.rules import KIND_NAMES, apply, asked
from arena.engine.rulesets import Value, make_ruleset, parse_option
from arena.engine.scoring import HandResult, Item, hand_result
from arena.engine.seating import make_seating
from arena.engine.state import NOBODY, HandState, TableView, make_frame
from arena.errors import FieldError, IllegalAction, quoted


class LineKind(StrEnum):
    """What a line is about, for whoever shows it in colour."""

    HEAD = "head"
    ACTION = "action"
    COUP_FOURRE = "coup fourré"
    EVENT = "event"
    TABLE = "table"
    END = "end"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a playthrough."""

    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A hand dealt from a seed: the board's seed, the number of the hand, how one draws."""

    seed: bytes
    hand: int = 0
    striped: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer of one seat."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Playthrough:
    """Everything that a playthrough says; `render` makes the text."""

    title: str
    preset: str
    options: tuple[tuple[str, Value], ...]
    teams: tuple[tuple[int, ...], ...]
    dealer: int
    start: Deal | str
    decisions: tuple[Decision, ...] = ()

    def with_decisions(self, decisions: Sequence[Decision]) -> Playthrough:
        """The same start, played so."""
        return replace(self, decisions=tuple(decisions))

    def first_state(self) -> HandState:
        """The state that it starts from.

        Raises:
            InputError: the head does not describe a hand.
        """
        players = sum(map(len, self.teams))
        rules = make_ruleset(self.preset, dict(self.options), players=players)
        seating = make_seating(rules, self.teams)
        frame = make_frame(rules, seating, dealer=self.dealer)
        if isinstance(self.start, str):
            return read_position(frame, json.loads(self.start))
        board = Board(self.start.seed)
        return start_hand(
            frame,
            board.deck_order(self.start.hand, rules.deck(players)),
            striped=self.start.striped,
            chance=board.reshuffle_key(self.start.hand),
        )


# -- writing ----------------------------------------------------------------------------------


def render(playthrough: Playthrough) -> str:
    """The whole text.

    Raises:
        IllegalAction: a decision is refused by the rules.
    """
    return "\n".join(line.text for line in lines(playthrough)) + "\n"


def lines(playthrough: Playthrough) -> Iterator[Line]:
    """The text line by line.

    Raises:
        IllegalAction: a decision is refused by the rules; the message says which one.
    """
    yield from _head(playthrough)
    state = playthrough.first_state()
    yield Line(LineKind.HEAD, "start")
    yield from _start(state)
    for number, decision in enumerate(playthrough.decisions, 1):
        yield from _step(state, number, decision)
    yield from _end(state)


def _head(playthrough: Playthrough) -> Iterator[Line]:
    options = "".join(f" {name}={_option(value)}" for name, value in playthrough.options)
    teams = " ".join("+".join(map(str, team)) for team in playthrough.teams)
    start = playthrough.start
    if isinstance(start, Deal):
        draw = "striped" if start.striped else "shared"
        begin = f"deal {start.seed.hex()} hand {start.hand} {draw}"
    else:
        begin = f"position {start}"
    for text in (
        f"# {playthrough.title}",
        f"ruleset {playthrough.preset}{options}",
        f"teams {teams}",
        f"dealer {playthrough.dealer}",
        begin,
        "",
    ):
        yield Line(LineKind.HEAD, text)


def _option(value: Value) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


_INDENT: Final = " " * 8


def _start(state: HandState) -> Iterator[Line]:
    for seat, hand in enumerate(state.hands):
        yield Line(LineKind.EVENT, f"{_INDENT}seat {seat} has {_names(cards_of(hand))}")
    for team, table in enumerate(state.tables):
        yield Line(LineKind.TABLE, f"{_INDENT}{table_text(team, table)}")
    yield Line(LineKind.EVENT, f"{_INDENT}{_piles(state)}")


def _step(state: HandState, number: int, decision: Decision) -> Iterator[Line]:
    seat, action = decision.seat, decision.action
    kind = KIND_NAMES[state.stage]
    before, tables, left = state.event_count, state.tables[:], state.left
    attacker = state.seat
    try:
        apply(state, seat, action)
    except IllegalAction as refusal:
        raise IllegalAction(f"decision {number}: {refusal}") from None
    is_coup = action.verb is Verb.COUP_FOURRE
    style = LineKind.COUP_FOURRE if is_coup else LineKind.ACTION
    yield Line(style, f"{number:>7} seat {seat} {kind}: {action}")
    if is_coup:
        yield Line(style, f"{_INDENT}*** coup fourré ***{_skipped(state, attacker, seat)}")
    for event in list(decode_events(state.log[2 * (before - state.log_start) :])):
        text = _event_text(event.kind, event.seat, str(event.card))
        if text:
            yield Line(LineKind.EVENT, _INDENT + text)
    for team, table in enumerate(state.tables):
        text = table_text(team, table)
        if text != table_text(team, tables[team]):
            yield Line(LineKind.TABLE, _INDENT + text)
    if left and not state.left:
        yield Line(LineKind.EVENT, f"{_INDENT}the draw pile is empty")


def _skipped(state: HandState, attacker: int, defender: int) -> str:
    """Who loses a turn by a coup fourré: the seats between attacker and defender (R18)."""
    players = state.players
    between = [
        str((attacker + step) % players) for step in range(1, (defender - attacker) % players)
    ]
    return f" skips seat {' and '.join(between)}" if between else ""


def _event_text(kind: EventKind, seat: int, card: str) -> str:
    """What an event adds to the line of the decision; nothing if that says it all."""
    texts = {
        EventKind.DRAWN: f"seat {seat} draws {card}",
        EventKind.TAKEN: f"seat {seat} takes {card} from the discard pile",
        EventKind.RESHUFFLED: "the discard pile becomes the draw pile",
    }
    return texts.get(kind, "")


def _piles(state: HandState) -> str:
    return f"draw pile {state.left}, discard pile {len(state.discard)}"


def table_text(team: int, table: TableView) -> str:
    """One team's table in one line."""
    parts = [f"team {team}: {table.km} km"]
    if table.bonus_km:
        parts.append(f"of which {table.bonus_km} from safeties")
    parts.append("rolls" if table.moving else "stands")
    if table.limited:
        parts.append("limited")
    parts.append(f"battle {_names(table.battle)}")
    parts.append(f"speed {_names(table.speed)}")
    parts.append(f"distance {_names(table.distance)}")
    safeties = [
        f"{card}!" if table.coups_fourres >> at & 1 else str(card)
        for at, card in enumerate(safeties_of(0b1111))
        if table.safeties >> at & 1
    ]
    parts.append(f"safeties {' '.join(safeties) or '-'}")
    return ", ".join(parts)


def _names(cards: Sequence[int]) -> str:
    return " ".join(CARDS[card].name for card in cards) or "-"


def _end(state: HandState) -> Iterator[Line]:
    if not state.over:
        seats = " and ".join(map(str, asked(state)))
        yield Line(LineKind.END, f"asked: seat {seats}, {KIND_NAMES[state.stage]}")
        return
    result = hand_result(state)
    winner = "nobody wins" if result.winner == NOBODY else f"team {result.winner} wins"
    yield Line(LineKind.END, f"over: {result.reason.name.lower()}, {winner}, {_piles(state)}")
    yield from _score(result)


def _score(result: HandResult) -> Iterator[Line]:
    yield Line(LineKind.SCORE, f"{'km':>16}" + "".join(f"{km:>7}" for km in result.km))
    if not result.points:
        return
    for item in Item:
        row = [sheet[item] for sheet in result.sheets]
        if any(row):
            text = f"{item.value:>16}" + "".join(f"{points:>7}" for points in row)
            yield Line(LineKind.SCORE, text)
    totals = "".join(f"{points:>7}" for points in result.points)
    yield Line(LineKind.SCORE, f"{'points':>16}{totals}")


# -- reading ----------------------------------------------------------------------------------

_DECISION: Final = re.compile(r" *\d+ seat (\d) \w+: (.+)")
_DEAL: Final = re.compile(r"deal ([0-9a-f]{64}) hand (\d+) (shared|striped)")


def parse(text: str) -> Playthrough:
    """Read the head and the decisions of a text.

    Raises:
        InputError: the head is not as described above, or a decision is no action.
    """
    given = text.split("\n")
    if len(given) < 6:
        raise FieldError("line 1", "a playthrough begins with title, ruleset, teams, dealer, deal")
    title, ruleset, teams, dealer, begin = given[:5]
    preset, *options = _after(ruleset, "ruleset", 2).split()
    decisions = [
        Decision(int(found[1]), parse_action(found[2]))
        for found in map(_DECISION.fullmatch, given[5:])
        if found
    ]
    return Playthrough(
        title=_after(title, "#", 1),
        preset=preset,
        options=tuple(map(parse_option, options)),
        teams=tuple(
            tuple(_number(seat, "line 3") for seat in team.split("+"))
            for team in _after(teams, "teams", 3).split()
        ),
        dealer=_number(_after(dealer, "dealer", 4), "line 4"),
        start=_parse_start(begin),
        decisions=tuple(decisions),
    )


def _after(line: str, word: str, number: int) -> str:
    if not line.startswith(f"{word} "):
        raise FieldError(f"line {number}", f"{quoted(line)} does not begin with `{word} `")
    return line.removeprefix(f"{word} ")


def _number(text: str, where: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise FieldError(where, f"{quoted(text)} is not a seat's number")
    return int(text)


def _parse_start(line: str) -> Deal | str:
    if line.startswith("position "):
        return line.removeprefix("position ")
    found = _DEAL.fullmatch(line)
    if found is None:
        raise FieldError(
            "line 5",
            f"{quoted(line)} is neither `deal SEED hand N shared|striped` nor `position JSON`",
        )
    return Deal(seed=parse_seed(found[1]), hand=int(found[2]), striped=found[3] == "striped")
