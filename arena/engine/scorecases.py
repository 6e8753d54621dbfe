"""The `score` and `match` checks of a conformance case (tests/conformance/README.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.engine.checks import Mismatch, as_ints, as_team
from arena.engine.fields import Json, as_bool, as_int, as_list, as_object, shown
from arena.engine.position import read_table_view
from arena.engine.rulesets import RuleSet
from arena.engine.scoring import (
    Ending,
    GameState,
    HandResult,
    Item,
    after_hand,
    score_sheets,
    start_game,
)
from arena.engine.seating import Seating
from arena.engine.state import NOBODY, Reason, TableView
from arena.errors import FieldError

SCORE_KEYS: Final = (
    "tables",
    "finisher",
    "extended",
    "pile_exhausted",
    "target",
    "points",
    "items",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCheck:
    """Tables at the end of a hand, and the points that they must give."""

    tables: tuple[TableView, ...]
    ending: Ending
    points: list[int]
    items: Mapping[int, Mapping[Item, int]]

    def run(self, rules: RuleSet, _seating: Seating) -> Mismatch | None:
        """The first difference, or None."""
        sheets = score_sheets(rules, self.tables, self.ending)
        for team, items in self.items.items():
            for item, wanted in items.items():
                if sheets[team][item] != wanted:
                    return Mismatch(f"score.items.{team}.{item}", wanted, sheets[team][item])
        points = [sum(sheet.values()) for sheet in sheets]
        return None if points == self.points else Mismatch("score.points", self.points, points)


def read_score(rules: RuleSet, seating: Seating, value: Json) -> ScoreCheck:
    """Read a `score` check.

    Raises:
        FieldError: a key or value breaks the format, or the rule set makes no points.
    """
    _require_points(rules, "score")
    given = as_object(value, "score", SCORE_KEYS)
    for key in ("tables", "points"):
        if key not in given:
            raise FieldError(f"score.{key}", "missing")
    teams = len(seating.teams)
    tables = as_list(given["tables"], "score.tables")
    if len(tables) != teams:
        raise FieldError("score.tables", f"{len(tables)} tables for {teams} teams")
    extended = as_bool(given.get("extended", False), "score.extended")
    target = as_int(given.get("target", 1000 if extended else rules.target), "score.target")
    if target not in (700, 1000):
        raise FieldError("score.target", f"{shown(target)} km; a hand ends at 700 or 1000 km")
    views = tuple(
        read_table_view(rules, table, f"score.tables[{at}]", target)
        for at, table in enumerate(tables)
    )
    finisher = as_team(given.get("finisher"), "score.finisher", teams)
    if finisher is not None and views[finisher].km != target:
        raise FieldError(
            "score.finisher", f"team {finisher} has {views[finisher].km} km, not {target}"
        )
    return ScoreCheck(
        tables=views,
        ending=Ending(
            finisher=NOBODY if finisher is None else finisher,
            extended=extended,
            caller=_caller(rules, views) if extended else NOBODY,
            delayed=as_bool(given.get("pile_exhausted", False), "score.pile_exhausted"),
        ),
        points=as_ints(given["points"], "score.points", teams),
        items=_read_items(given.get("items", {}), teams),
    )


def _require_points(rules: RuleSet, field: str) -> None:
    if not rules.is_scored:
        raise FieldError(field, f"{rules.preset} makes no points (X22)")


def _caller(rules: RuleSet, tables: Sequence[TableView]) -> int:
    """Who extended: the only side that came so far; NOBODY when the tables do not tell."""
    far = [team for team, table in enumerate(tables) if table.km >= rules.target]
    return far[0] if len(far) == 1 else NOBODY


def _read_items(value: Json, teams: int) -> dict[int, dict[Item, int]]:
    read: dict[int, dict[Item, int]] = {}
    names = [str(team) for team in range(teams)]
    for key, items in as_object(value, "score.items", names).items():
        path = f"score.items.{key}"
        read[int(key)] = {
            Item(name): as_int(points, f"{path}.{name}")
            for name, points in as_object(items, path, [item.value for item in Item]).items()
        }
    return read


@dataclass(frozen=True, slots=True)
class _AfterHand:
    """The points of one hand, and what must hold after it."""

    points: tuple[int, ...]
    expected: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class MatchCheck:
    """Match points before, and hands in order."""

    scores: tuple[int, ...]
    dealer: int
    hands: tuple[_AfterHand, ...]

    def run(self, rules: RuleSet, seating: Seating) -> Mismatch | None:
        """The first difference, or None."""
        game = start_game(rules, len(seating.teams), seating.players, totals=self.scores)
        game = replace(game, dealer=self.dealer)
        for at, hand in enumerate(self.hands):
            if game.over:
                return Mismatch(f"match.hands[{at}]", "a game that goes on", "over before")
            game = after_hand(game, rules, seating.players, _points_only(hand.points))
            found = _facts(game)
            for key, wanted in hand.expected.items():
                if found[key] != wanted:
                    return Mismatch(f"match.hands[{at}].expect.{key}", wanted, found[key])
        return None


def _points_only(points: tuple[int, ...]) -> HandResult:
    return HandResult(
        reason=Reason.EXHAUSTED, winner=NOBODY, km=(0,) * len(points), sheets=(), points=points
    )


def _facts(game: GameState) -> dict[str, Json]:
    return {
        "over": game.over,
        "totals": list(game.totals),
        "winner": None if game.winner == NOBODY else game.winner,
        "dealer": game.dealer,
    }


def read_match(
    rules: RuleSet, seating: Seating, value: Json, dealer: int, scores: Sequence[int]
) -> MatchCheck:
    """Read a `match` check; `dealer` deals its first hand, `scores` are the match points before it.

    Raises:
        FieldError: a key or value breaks the format, or the rule set makes no points.
    """
    _require_points(rules, "match")
    given = as_object(value, "match", ("scores", "hands"))
    if "hands" not in given:
        raise FieldError("match.hands", "missing")
    teams = len(seating.teams)
    hands = tuple(
        _read_hand(hand, f"match.hands[{at}]", seating)
        for at, hand in enumerate(as_list(given["hands"], "match.hands"))
    )
    if "scores" in given:
        scores = as_ints(given["scores"], "match.scores", teams)
    return MatchCheck(tuple(scores), dealer, hands)


def _read_hand(value: Json, path: str, seating: Seating) -> _AfterHand:
    teams = len(seating.teams)
    given = as_object(value, path, ("points", "expect"))
    if "points" not in given:
        raise FieldError(f"{path}.points", "missing")
    where = f"{path}.expect"
    expect = as_object(given.get("expect", {}), where, ("over", "totals", "winner", "dealer"))
    expected: dict[str, Json] = {}
    if "over" in expect:
        expected["over"] = as_bool(expect["over"], f"{where}.over")
    if "totals" in expect:
        expected["totals"] = as_ints(expect["totals"], f"{where}.totals", teams)
    if "winner" in expect:
        expected["winner"] = as_team(expect["winner"], f"{where}.winner", teams)
    if "dealer" in expect:
        expected["dealer"] = as_int(expect["dealer"], f"{where}.dealer", 0, seating.players - 1)
    return _AfterHand(tuple(as_ints(given["points"], f"{path}.points", teams)), expected)
