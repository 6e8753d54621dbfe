"""Verdicts in words, and the ranks of a match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.engine.rulesets import make_ruleset
from arena.engine.seating import Seating, make_seating
from arena.referee import verdict
from arena.referee.events import BotNo, Forfeit, ForfeitReason, GameResult, OutcomeKind
from tests.referee.plans import ONE, TWO, ZERO

NAMES = ["Anna", "Bert", "Carl"]


def seating(players: int) -> Seating:
    return make_seating(make_ruleset("classic", players=players), players)


def game(
    totals: Sequence[int],
    ranks: Sequence[int],
    *,
    rotation: int = 0,
    players: int | None = None,
    finished: bool = True,
) -> GameResult:
    """A game with these points and ranks by team, the bots moved on by `rotation` seats."""
    count = players or len(totals)
    first = [team for team, rank in enumerate(ranks) if rank == 0]
    return GameResult(
        game=0,
        board=0,
        rotation=rotation,
        bots=tuple(BotNo((seat - rotation) % count) for seat in range(count)),
        team_of=seating(count).team_of,
        hands=1,
        totals=tuple(totals),
        km=(0,) * len(totals),
        winner=first[0] if len(first) == 1 else -1,
        ranks=tuple(ranks),
        forfeited=(),
        finished=finished,
    )


def lost(bot: BotNo, reason: ForfeitReason = ForfeitReason.CRASH) -> Forfeit:
    return Forfeit(bot, reason, "exited with code 1", game=0)


# -- words -----------------------------------------------------------------------------------------


def test_each_kind_is_told_in_a_line() -> None:
    assert verdict.described(verdict.COMPLETED, NAMES) == "COMPLETED"
    assert verdict.described(verdict.void("no disk"), NAMES) == "VOID: no disk"
    both = verdict.forfeit([lost(TWO), lost(ZERO, ForfeitReason.RESOURCE)])
    assert verdict.described(both, NAMES) == (
        "FORFEIT by Carl (CRASH: exited with code 1), then Anna (RESOURCE: exited with code 1)"
    )


def test_without_a_forfeit_a_match_is_completed() -> None:
    assert verdict.forfeit([]) is verdict.COMPLETED
    assert verdict.forfeit([lost(ZERO)]).kind is OutcomeKind.FORFEIT


def test_a_bot_is_told_all_of_its_own_fault_and_the_kind_of_the_others() -> None:
    both = verdict.forfeit([lost(TWO), lost(ZERO)])
    assert verdict.told_to(ZERO, both) == (
        "FORFEIT by another bot (CRASH), then you (CRASH: exited with code 1)"
    )
    assert verdict.told_to(ONE, verdict.void("no disk")) == "VOID: no disk"


# -- ranks -----------------------------------------------------------------------------------------


def test_who_has_won_more_games_is_ahead_whatever_the_points() -> None:
    results = [game((500, 400), (0, 1)), game((500, 400), (0, 1)), game((0, 5000), (1, 0))]
    assert verdict.match_ranks(results, seating(2), []) == (0, 1)


def test_with_as_many_games_points_decide() -> None:
    results = [game((500, 400), (0, 1)), game((0, 5000), (1, 0))]
    assert verdict.match_ranks(results, seating(2), []) == (1, 0)


def test_a_draw_is_shared_by_who_leads() -> None:
    results = [game((500, 500, 100), (0, 0, 2)), game((0, 100, 200), (2, 1, 0))]
    assert verdict.match_ranks(results, seating(3), []) == (2, 1, 0)


def test_equal_bots_share_a_rank() -> None:
    assert verdict.match_ranks([game((500, 500), (0, 0))], seating(2), []) == (0, 0)
    assert verdict.match_ranks([game((9, 5, 5), (0, 1, 1))], seating(3), []) == (0, 1, 1)


def test_ranks_follow_the_bots_and_not_the_seats() -> None:
    results = [game((500, 0), (0, 1)), game((0, 500), (1, 0), rotation=1)]
    assert verdict.match_ranks(results, seating(2), []) == (0, 1)


def test_partners_share_the_rank_of_their_team() -> None:
    results = [game((500, 0), (0, 1), players=4)]
    assert verdict.match_ranks(results, seating(4), []) == (0, 1, 0, 1)
    assert verdict.match_ranks(results, seating(4), [lost(TWO)]) == (1, 0, 1, 0)


@pytest.mark.parametrize("bot", [ZERO, ONE, TWO])
def test_who_forfeits_is_last_whatever_it_had(bot: BotNo) -> None:
    ranks = verdict.match_ranks([game((900, 500, 100), (0, 1, 2))] * 3, seating(3), [lost(bot)])
    assert ranks[bot] == 2
    healthy = [ranks[one] for one in (ZERO, ONE, TWO) if one != bot]
    assert healthy == [0, 1]


def test_among_those_who_forfeit_the_same_counts() -> None:
    results = [game((900, 500, 100), (0, 1, 2))]
    assert verdict.match_ranks(results, seating(3), [lost(ZERO), lost(ONE)]) == (1, 2, 0)


def test_the_points_of_a_game_that_was_broken_off_do_not_count() -> None:
    results = [game((100, 200, 200), (2, 0, 0)), game((0, 900, 0), (0, 0, 0), finished=False)]
    assert verdict.match_ranks(results, seating(3), []) == (2, 0, 0)
