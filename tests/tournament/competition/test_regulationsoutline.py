"""What will happen under regulations, in numbers."""

from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.tournament.competition.regulations import (
    EntrantRules,
    GameRules,
    Regulations,
    StageKind,
    StageRules,
)
from arena.tournament.competition.regulationsoutline import outline

SWISS = StageRules(kind=StageKind.SWISS, rounds=5, advance=4)
FINAL = StageRules(kind=StageKind.ELIMINATION, boards=24, best_of=3)
FOUR = GameRules(players=4, ruleset="express")


def regulations(*stages: StageRules, game: GameRules | None = None, most: int = 64) -> Regulations:
    return Regulations(
        name="cup",
        title="Cup",
        stages=stages,
        game=game or GameRules(),
        entrants=EntrantRules(most=most),
    )


def test_the_outline_counts_stages_as_they_are_played() -> None:
    swiss, final = outline(regulations(SWISS, FINAL, most=11))
    assert (swiss.entrants, swiss.rounds, swiss.matches, swiss.going_on) == (11, 5, 25, 4)
    assert (swiss.games, swiss.most_games) == (25 * 24, 25 * 24)
    assert (final.entrants, final.rounds, final.boards, final.going_on) == (4, 2, 24, 0)
    assert (final.matches, final.most_matches) == (6, 9)  # 3 duels, the best of 3


def test_the_outline_of_fewer_entrants_than_the_most() -> None:
    swiss, final = outline(regulations(SWISS, FINAL), 3)
    assert (swiss.entrants, swiss.matches, swiss.going_on) == (3, 5, 3)
    assert final.entrants == 3


def test_the_outline_of_a_double_elimination_knows_of_the_reset() -> None:
    made = regulations(StageRules(kind=StageKind.DOUBLE_ELIMINATION))
    (final,) = outline(made, 8)
    assert (final.matches, final.most_matches) == (14, 15)


def test_the_outline_of_tables_says_how_even_they_are() -> None:
    made = regulations(StageRules(kind=StageKind.TABLES, rounds=5), game=FOUR)
    (tables,) = outline(made, 16)
    assert (tables.rounds, tables.matches) == (5, 20)
    assert "two entrants meet: 1" in tables.balance


def test_too_few_for_a_stage_are_refused_by_its_name() -> None:
    made = regulations(StageRules(kind=StageKind.GROUPS, groups=4))
    with pytest.raises(InputError, match="Groups with 7 entrants: groups: 4 of them: needs 8"):
        outline(made, 7)


@pytest.mark.parametrize(
    ("given", "entrants", "rounds", "matches"),
    [
        ({"kind": StageKind.ROUND_ROBIN, "times": 2}, 5, 10, 20),
        ({"kind": StageKind.GROUPS, "groups": 2}, 7, 3, 9),
        ({"kind": StageKind.GAUNTLET, "heroes": 2}, 6, 4, 8),
        ({"kind": StageKind.ELIMINATION, "third_place": True}, 6, 3, 6),
        ({"kind": StageKind.SWISS}, 64, 8, 256),
    ],
)
def test_formats_count_what_they_announce(
    given: dict[str, object], entrants: int, rounds: int, matches: int
) -> None:
    made = regulations(StageRules(**given))  # type: ignore[arg-type]
    (stage,) = outline(made, entrants)
    assert (stage.rounds, stage.matches, stage.most_matches) == (rounds, matches, matches)
