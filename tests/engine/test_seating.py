"""Who may sit where: numbers of players, teams, partners (R01, R39, K07, X02, P12)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.rulesets import RuleSet, make_ruleset
from arena.engine.seating import make_seating
from arena.errors import RuleSetError

CLASSIC = make_ruleset("classic")
SINGLES = make_ruleset("classic", {"allow_individual_4": True})
LEAFLET = make_ruleset("leaflet")
EXPRESS = make_ruleset("express")
PLATEAU = make_ruleset("plateau")

FOR_CLASSIC = "is for 2 or 3 players individually, 4 in two teams, 6 in three teams"
FOR_SINGLES = FOR_CLASSIC + ", and 4 individually"
FOR_OTHERS = "is for 2, 3 or 4 players individually"


def refusal(rules: RuleSet, teams: int | Sequence[Sequence[int]]) -> str:
    with pytest.raises(RuleSetError) as refused:
        make_seating(rules, teams)
    message = str(refused.value)
    assert len(message.splitlines()) == 1
    return message


@pytest.mark.parametrize(
    ("rules", "players", "teams"),
    [
        *[(rules, 2, ((0,), (1,))) for rules in (CLASSIC, LEAFLET, EXPRESS, PLATEAU)],
        *[(rules, 3, ((0,), (1,), (2,))) for rules in (CLASSIC, LEAFLET, EXPRESS, PLATEAU)],
        *[(rules, 4, ((0, 2), (1, 3))) for rules in (CLASSIC, LEAFLET)],
        *[(rules, 4, ((0,), (1,), (2,), (3,))) for rules in (SINGLES, EXPRESS, PLATEAU)],
        *[(rules, 6, ((0, 3), (1, 4), (2, 5))) for rules in (CLASSIC, LEAFLET, SINGLES)],
    ],
)
def test_number_of_players_gives_the_usual_teams(
    rules: RuleSet, players: int, teams: tuple[tuple[int, ...], ...]
) -> None:
    seating = make_seating(rules, players)
    assert seating.teams == teams
    assert seating.players == players
    assert seating == make_seating(rules, teams)


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 7, 10**9])
def test_other_numbers_are_refused_with_what_is_allowed(players: int) -> None:
    noun = "player" if players == 1 else "players"
    assert refusal(CLASSIC, players) == f"{players} {noun}: classic {FOR_CLASSIC}"
    assert refusal(LEAFLET, players) == f"{players} {noun}: leaflet {FOR_CLASSIC}"
    assert refusal(SINGLES, players) == f"{players} {noun}: classic {FOR_SINGLES}"
    assert refusal(EXPRESS, players) == f"{players} {noun}: express {FOR_OTHERS}"
    assert refusal(PLATEAU, players) == f"{players} {noun}: plateau {FOR_OTHERS}"


@pytest.mark.parametrize("rules", [EXPRESS, PLATEAU])
def test_six_play_only_the_classic_game(rules: RuleSet) -> None:
    assert refusal(rules, 6) == f"6 players: {rules.preset} {FOR_OTHERS}"


def test_four_play_alone_only_with_the_option() -> None:
    alone = [[0], [1], [2], [3]]
    assert refusal(CLASSIC, alone) == f"teams [[0],[1],[2],[3]]: classic {FOR_CLASSIC}"
    assert make_seating(SINGLES, alone) == make_seating(SINGLES, 4)
    assert make_seating(SINGLES, [[0, 2], [1, 3]]).teams == ((0, 2), (1, 3))


@pytest.mark.parametrize("rules", [EXPRESS, PLATEAU])
@pytest.mark.parametrize("teams", [[[0, 2], [1, 3]], [[0, 1], [2, 3]], [[0, 3], [1, 4], [2, 5]]])
def test_no_teams_outside_the_classic_game(rules: RuleSet, teams: list[list[int]]) -> None:
    shown = str(teams).replace(" ", "")
    assert refusal(rules, teams) == f"teams {shown}: {rules.preset} {FOR_OTHERS}"


@pytest.mark.parametrize(
    ("teams", "right"),
    [
        ([[0, 1], [2, 3]], "[[0,2],[1,3]]"),
        ([[0, 3], [1, 2]], "[[0,2],[1,3]]"),
        ([[0, 1], [2, 3], [4, 5]], "[[0,3],[1,4],[2,5]]"),
        ([[0, 2], [1, 4], [3, 5]], "[[0,3],[1,4],[2,5]]"),
    ],
)
def test_partners_sit_alternately(teams: list[list[int]], right: str) -> None:
    shown = str(teams).replace(" ", "")
    assert refusal(CLASSIC, teams) == (
        f"teams {shown}: partners sit alternately (K07), e.g. {right}"
    )


@pytest.mark.parametrize(
    "teams", [[[0], [2]], [[0], [0]], [[1], [2]], [[-1], [0]], [[0, 2], [1, 2]], [[0, 2], [1, 5]]]
)
def test_every_seat_is_named_just_once(teams: list[list[int]]) -> None:
    shown = str(teams).replace(" ", "")
    assert refusal(CLASSIC, teams) == (
        f"teams {shown}: every seat from 0 up must be named just once"
    )


@pytest.mark.parametrize(
    "teams",
    [
        *([], [[]], [[], []], [[0], [1], []], [[], [0], [1]], [[0, 1], []], [[0, 1, 2], [3]]),
        *([[0, 1]], [[0, 1, 2, 3]], [[0, 2, 4], [1, 3, 5]], [[0], [1], [2], [3], [4]]),
        *([[0], [1], [2, 3, 4]], [[0, 2], [1], [3]], [[0], [1, 2, 3]]),
    ],
)
@pytest.mark.parametrize("rules", [CLASSIC, SINGLES, EXPRESS, PLATEAU])
def test_teams_of_wrong_sizes_are_refused(rules: RuleSet, teams: list[list[int]]) -> None:
    """Whatever is said, it is one line, names the teams and says what is right."""
    message = refusal(rules, teams)
    assert message.startswith(f"teams {str(teams).replace(' ', '')}: ")
    assert " is for " in message or ", e.g. " in message


def test_teams_may_be_named_in_any_order() -> None:
    seating = make_seating(CLASSIC, [[3, 1], [2, 0]])
    assert seating.teams == ((1, 3), (0, 2))
    assert seating.team_of == (1, 0, 1, 0)
    assert str(seating) == "1+3 0+2"


@given(st.lists(st.lists(st.integers(-1, 6), max_size=4), max_size=7))
def test_teams_are_taken_or_refused_in_one_line(teams: list[list[int]]) -> None:
    for rules in (CLASSIC, SINGLES, LEAFLET, EXPRESS, PLATEAU):
        try:
            seating = make_seating(rules, teams)
        except RuleSetError:
            assert refusal(rules, teams).startswith("teams ")
            continue
        assert [tuple(sorted(team)) for team in teams] == list(seating.teams)
        assert sorted(sum(seating.teams, ())) == list(range(seating.players))
        assert all(seat in seating.teams[team] for seat, team in enumerate(seating.team_of))
