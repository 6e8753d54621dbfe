"""Who spares whom and who loses to whom: found when there is something, silent when not."""

from __future__ import annotations

from random import Random

import pytest

from arena.ladder.collusion import Attacks, Duel, find_friends, find_gifts


def tables(rng: Random, count: int, friends: frozenset[int], players: int = 4) -> list[Attacks]:
    """Tables of ten bots; attacks come in bunches of two, and bot 9 attracts twice as many."""
    found = []
    for _ in range(count):
        seated = rng.sample(range(10), players)
        counts: dict[tuple[int, int], int] = {}
        for attacker in seated:
            targets = [one for one in seated if one != attacker and {attacker, one} != friends]
            weights = [2 if one == 9 else 1 for one in targets]
            for target in rng.choices(targets, weights, k=rng.randrange(2, 6)):
                key = (attacker, seated.index(target))
                counts[key] = counts.get(key, 0) + 2
        found.append(Attacks(tuple((one,) for one in seated), counts))
    return found


def test_friends_are_found() -> None:
    found = find_friends(tables(Random(1), 120, frozenset((2, 5))))
    assert [(one.one, one.other, one.attacks) for one in found] == [(2, 5, 0)]
    assert found[0].expected > 20


def test_nobody_is_called_a_friend_who_is_none() -> None:
    for seed in range(20):
        assert find_friends(tables(Random(seed), 120, frozenset())) == ()


def test_with_two_teams_there_is_no_choice() -> None:
    two = [Attacks(((1,), (2,)), {(1, 1): 0})] * 50
    assert find_friends(two) == ()


def test_partners_are_no_friends_because_they_cannot_attack_each_other() -> None:
    teams = ((0, 1), (2, 3), (4, 5))
    counts = {(one, team): 2 for one in range(6) for team in range(3) if one not in teams[team]}
    assert find_friends([Attacks(teams, counts)] * 50) == ()


def duels(rng: Random, count: int, ring: range) -> list[Duel]:
    """Matches of equally strong bots; those in the ring lose to bot 0."""
    found = []
    for _ in range(count):
        one, other = rng.sample(range(12), 2)
        actual = float(rng.random() < 0.5)
        if 0 in (one, other) and (one in ring or other in ring):
            actual = float(one == 0)
        found.append(Duel(one, other, 0.5, actual))
    return found


def test_gifts_are_found() -> None:
    found = find_gifts(duels(Random(2), 2500, range(1, 4)))
    assert {(one.taker, one.giver) for one in found} == {(0, 1), (0, 2), (0, 3)}
    assert found[0].got == found[0].matches
    assert found[0].expected == pytest.approx(found[0].matches / 2)


def test_luck_is_no_gift() -> None:
    for seed in range(20):
        assert find_gifts(duels(Random(seed), 600, range(0))) == ()
