"""Who is paired with whom: rules that always hold, fairness, and causes for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from arena.errors import InputError
from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Candidate, Meeting, Pairing, PairingRules, Table
from arena.ladder.rating import Parameters, Rating

STANDARD = Parameters()
DUEL = Table(name="duel", ruleset="classic", teams=((0,), (1,)))
PARTNERS = Table(name="partners", ruleset="classic", teams=((0, 2), (1, 3)))
SIX = Table(name="six", ruleset="express", teams=tuple((seat,) for seat in range(6)), weight=0.5)


def candidate(
    entrant: int,
    mu: float = 25,
    sigma: float = 2,
    *,
    owner: int | None = None,
    players: Iterable[int] = (2, 3, 4, 6),
    rulesets: Iterable[str] = ("classic", "express"),
) -> Candidate:
    return Candidate(
        entrant=entrant,
        owner=100 + entrant if owner is None else owner,
        title=f"own/bot-{entrant}",
        rating=Rating(mu, sigma),
        matches=50,
        players=frozenset(players),
        rulesets=frozenset(rulesets),
    )


def matchmaker(
    candidates: Iterable[Candidate], *tables: Table, rules: PairingRules | None = None
) -> Matchmaker:
    made = Matchmaker(STANDARD, tables or (DUEL,), rules or PairingRules())
    made.replace(list(candidates))
    return made


def play(made: Matchmaker, rng: Random, times: int, slow: int | None = None) -> list[Pairing]:
    """Pair so often; matches of the bot `slow` take ten times as long for it."""
    found = []
    for _ in range(times):
        pairing = made.choose(rng)
        assert pairing is not None
        made.began(pairing.meeting)
        times_taken = [1000 if entrant == slow else 100 for entrant in pairing.entrants]
        made.ended(pairing.meeting, times_taken)
        found.append(pairing)
    return found


def seats_of(pairings: Iterable[Pairing]) -> Counter[int]:
    return Counter(entrant for one in pairings for entrant in one.entrants)


# -- rules ------------------------------------------------------------------------------------


def test_no_owner_sits_twice_and_only_who_can_play_is_seated() -> None:
    rng = Random(1)
    bots = [
        candidate(
            one,
            rng.gauss(25, 5),
            rng.uniform(1, 8),
            owner=one // 3,
            players=(2, 6) if one % 4 else (2,),
            rulesets=("classic", "express") if one % 5 else ("classic",),
        )
        for one in range(40)
    ]
    known = {one.entrant: one for one in bots}
    for pairing in play(matchmaker(bots, DUEL, PARTNERS, SIX), rng, 400):
        assert len(set(pairing.owners)) == pairing.table.players
        assert [known[one].owner for one in pairing.entrants] == list(pairing.owners)
        assert all(known[one].can_play(pairing.table) for one in pairing.entrants)
        assert pairing.table.players != 4  # nobody plays with four


def test_who_is_busy_does_not_play() -> None:
    made = matchmaker([candidate(one) for one in range(6)])
    for _ in range(50):
        pairing = made.choose(Random(1), busy=(0, 1, 2))
        assert pairing is not None
        assert set(pairing.entrants) <= {3, 4, 5}


def test_too_few_owners_are_not_paired() -> None:
    assert Matchmaker(STANDARD, (DUEL,)).choose(Random(1)) is None
    assert matchmaker([candidate(1, owner=7), candidate(2, owner=7)]).choose(Random(1)) is None
    assert matchmaker([candidate(1), candidate(2)]).choose(Random(1), busy=(2,)) is None
    assert matchmaker([candidate(one) for one in range(5)], SIX).choose(Random(1)) is None


def test_who_has_left_is_not_paired() -> None:
    made = matchmaker([candidate(one) for one in range(4)])
    made.leave(0)
    made.leave(77)
    assert seats_of(play(made, Random(2), 60)).keys() == {1, 2, 3}
    made.replace([candidate(2), candidate(3)])
    assert seats_of(play(made, Random(2), 10)).keys() == {2, 3}


def test_equal_chance_gives_equal_pairings_however_it_was_built() -> None:
    bots = [candidate(one, 20 + one) for one in range(10)]
    first, second = matchmaker(bots, DUEL, SIX), matchmaker(reversed(bots), DUEL, SIX)
    second.enter(candidate(3, 50))
    second.enter(bots[3])
    assert play(first, Random(3), 50) == play(second, Random(3), 50)


def test_tables_are_played_by_their_weights() -> None:
    made = matchmaker([candidate(one) for one in range(20)], DUEL, PARTNERS, SIX)
    tables = Counter(one.table.name for one in play(made, Random(4), 250))
    assert tables == {"duel": 100, "partners": 100, "six": 50}


def test_teams_are_equally_strong_and_seats_change() -> None:
    made = matchmaker([candidate(one, 10 * one, 1) for one in range(4)], PARTNERS)
    seats = set()
    for pairing in play(made, Random(5), 40):
        teams = {frozenset(pairing.entrants[seat] for seat in team) for team in PARTNERS.teams}
        assert teams == {frozenset((0, 3)), frozenset((1, 2))}
        seats.add(pairing.entrants)
    assert len(seats) == 8


# -- choices ----------------------------------------------------------------------------------


def test_a_new_bot_plays_first_and_is_said_to_be_new() -> None:
    made = matchmaker([candidate(one) for one in range(20)])
    play(made, Random(6), 100)
    new = Candidate(
        entrant=99,
        owner=99,
        title="eve/new",
        rating=STANDARD.start,
        matches=0,
        players=frozenset((2,)),
        rulesets=frozenset(("classic",)),
    )
    made.enter(new)
    assert made.expectation(99) == 1
    pairing = made.choose(Random(6))
    assert pairing is not None
    assert 99 in pairing.entrants
    assert pairing.cause.startswith("eve/new is new here, with 0 matches; against own/bot-")


def test_opponents_are_near() -> None:
    made = matchmaker([candidate(one, 3 * one, 1) for one in range(30)])
    gaps = [abs(a - b) for a, b in (one.entrants for one in play(made, Random(7), 300))]
    assert sum(gaps) / len(gaps) < 2.5  # a random pair is 10 apart


def test_opponents_change() -> None:
    """Even of two that are alike and far from all others neither meets only the other one."""
    bots = [candidate(0, 60, 1), candidate(1, 60, 1)]
    made = matchmaker(bots + [candidate(one, 40, 1) for one in range(2, 12)])
    own = [one for one in play(made, Random(8), 240) if 0 in one.entrants]
    assert sum(1 in one.entrants for one in own) < 0.9 * len(own)
    alike = matchmaker([candidate(one) for one in range(12)])
    met = Counter(tuple(sorted(one.entrants)) for one in play(alike, Random(8), 660))
    assert len(met) == 66
    assert max(met.values()) <= 20  # 10 each


def test_expectation_counts_who_comes_before() -> None:
    made = matchmaker([candidate(one) for one in range(10)])
    assert sorted(made.expectation(one) or 0 for one in range(10)) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert made.expectation(77) is None
    rng = Random(9)
    for _ in range(100):
        waits = {one: made.expectation(one) for one in range(10)}
        pairing = play(made, rng, 1)[0]
        assert 1 in {waits[one] for one in pairing.entrants}


# -- fairness ---------------------------------------------------------------------------------


def test_nobody_is_left_out() -> None:
    """Settled and new, strong and weak, one or two of an owner: a third of the mean at least."""
    rng = Random(10)
    bots = [
        candidate(one, rng.gauss(25, 8), rng.choice((1, 1, 1, 4)), owner=one % 45)
        for one in range(60)
    ]
    seats = seats_of(play(matchmaker(bots), rng, 1200))
    assert min(seats[one.entrant] for one in bots) >= 40 / 3


def test_an_owner_with_many_bots_gets_what_three_would_get() -> None:
    flood = [candidate(one, owner=1) for one in range(100)]
    others = [candidate(one) for one in range(100, 130)]
    seats = seats_of(play(matchmaker(flood + others), Random(11), 1000))
    own = sum(seats[one.entrant] for one in flood)
    each = sum(seats[one.entrant] for one in others) / len(others)
    assert 2 * each < own < 4 * each


def test_many_uploads_do_not_get_an_owner_more() -> None:
    """Its three bots are always new; of ten owners it has no more than two shares."""
    bots = [candidate(one, sigma=1, owner=one // 3) for one in range(30)]
    made = matchmaker(bots)
    rng = Random(12)
    seats: Counter[int] = Counter()
    for _ in range(600):
        for entrant in range(3):
            made.enter(candidate(entrant, sigma=2.7, owner=0))  # what a new version widens to
        seats += seats_of(play(made, rng, 1))
    assert sum(seats[one] for one in range(3)) < 2 * sum(seats.values()) / 10


def test_who_takes_long_pays_for_it_and_still_plays() -> None:
    bots = [candidate(one) for one in range(10)]
    seats = seats_of(play(matchmaker(bots), Random(13), 500, slow=4))
    usual = (sum(seats.values()) - seats[4]) / 9
    assert usual / 4.5 < seats[4] < usual / 2
    assert all(seats[one] > 0.8 * usual for one in range(10) if one != 4)


def test_the_past_counts_less_and_less() -> None:
    """A bot that was away for long comes back like one that has had nothing of late, no more."""
    made = matchmaker([candidate(one) for one in range(10)])
    for _ in range(500):
        made.began(Meeting("duel", (0, 1), (100, 101)))
    seats = seats_of(play(made, Random(14), 600))
    assert seats[0] < seats[5]
    later = seats_of(play(made, Random(14), 600))
    assert later[0] > 0.8 * later[5]


# -- input ------------------------------------------------------------------------------------


def test_tables_and_rules_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="must hold every seat from 0 once"):
        Table(name="odd", ruleset="classic", teams=((0,), (2,)))
    with pytest.raises(InputError, match="table 'odd': weight 0 must be above 0"):
        Table(name="odd", ruleset="classic", teams=((0,), (1,)), weight=0)
    with pytest.raises(InputError, match="memory 0: must be finite and at least 1"):
        PairingRules(memory=0)
    with pytest.raises(InputError, match="spread 2: must be at most 1"):
        PairingRules(spread=2)
