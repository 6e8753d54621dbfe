"""Who has to pass a check, and who is there too often when matches are void."""

from __future__ import annotations

from random import Random

import pytest
from scipy.stats import binom, poisson

from arena.errors import InputError
from arena.ladder.chances import at_least, poisson_at_most
from arena.ladder.probation import (
    ProbationRules,
    Tried,
    VoidRules,
    find_suspects,
    probation_reason,
)

LOST, PLAYED = True, False


@pytest.mark.parametrize(
    ("recent", "is_reason"),
    [
        ([], False),
        ([LOST, LOST], False),
        ([LOST, LOST, LOST], True),
        ([LOST, LOST, LOST, PLAYED], False),
        ([LOST, PLAYED, PLAYED] * 4 + [LOST], True),
        ([LOST] * 2 + [PLAYED] * 20, False),
        ([LOST, PLAYED, PLAYED, PLAYED, PLAYED] * 10, False),
    ],
)
def test_failing(recent: list[bool], is_reason: bool) -> None:
    assert bool(probation_reason(recent)) == is_reason


def test_the_reason_says_the_rule() -> None:
    rules = ProbationRules(in_a_row=2, forfeits=3, of_last=6)
    assert probation_reason([PLAYED, LOST, LOST], rules) == (
        "it has forfeited its last 2 matches: after 2 in a row a version plays no more until it "
        "has passed a check"
    )
    assert probation_reason([LOST, PLAYED, LOST, PLAYED, LOST], rules) == (
        "it has forfeited 3 of its last 5 matches: from 3 of 6 on a version plays no more until "
        "it has passed a check"
    )


def test_rules_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="in_a_row 0: must be at least 1"):
        ProbationRules(in_a_row=0)
    with pytest.raises(InputError, match="forfeits 9: at most of_last, 8"):
        ProbationRules(forfeits=9, of_last=8)
    with pytest.raises(InputError, match="alarm 0: must be between 0 and 1"):
        VoidRules(alarm=0)


def test_probabilities_are_right() -> None:
    for hits, tries, rate in [(3, 10, 0.2), (1, 500, 0.001), (40, 60, 0.5), (0, 5, 0.3)]:
        assert at_least(hits, tries, rate) == pytest.approx(binom.sf(hits - 1, tries, rate))
    assert at_least(6, 5, 0.5) == 0
    assert poisson_at_most(3, 9.5) == pytest.approx(poisson.cdf(3, 9.5))


# -- voids ------------------------------------------------------------------------------------


def attempts(rng: Random, count: int, *, base: float, farmer: float, bots: int) -> list[Tried]:
    """Attempts of pairs; those of bot 0 are void more often than others."""
    found = []
    for _ in range(count):
        pair = frozenset(rng.sample(range(bots), 2))
        found.append(Tried(pair, rng.random() < (farmer if 0 in pair else base)))
    return found


def test_void_farmer_is_found_and_its_opponents_are_not() -> None:
    for seed in range(20):
        tried = attempts(Random(seed), 400, base=0.005, farmer=0.5, bots=12)
        assert [one.party for one in find_suspects(tried)] == [0]


def test_a_finding_gives_its_evidence() -> None:
    tried = [Tried(frozenset((1, 2)), at % 2 == 0) for at in range(12)]
    tried += [Tried(frozenset((3, 4)), False)] * 500
    first = find_suspects(tried)[0]
    assert (first.party, first.incidents, first.attempts) == (1, 6, 12)
    assert first.why.startswith("6 of 12 attempts were void, where 0.1 are usual")


def test_innocent_bots_are_hardly_ever_found() -> None:
    """One review in ten thousand may find somebody; here every ladder is reviewed forty times."""
    alarms = 0
    for seed in range(15):
        tried = attempts(Random(seed), 800, base=0.03, farmer=0.03, bots=20)
        alarms += any(find_suspects(tried[:end]) for end in range(20, 801, 20))
    assert alarms == 0


def test_an_outage_of_the_machine_makes_nobody_suspect() -> None:
    rng = Random(1)
    calm = attempts(rng, 300, base=0.0, farmer=0.0, bots=6)
    outage = [Tried(one.parties, True) for one in calm[:60]]
    assert find_suspects([*calm, *outage, *calm]) == ()


def test_others_are_not_suspected_for_a_fault_that_was_traced() -> None:
    quiet = [Tried(frozenset((3, 4)), False)] * 100
    traced = [Tried(frozenset((1, 2)), at % 2 == 0, blamed=2) for at in range(12)]
    assert [one.party for one in find_suspects(quiet + traced)] == [2]


def test_few_incidents_are_not_enough() -> None:
    quiet = [Tried(frozenset((3, 4)), False)] * 500
    few = [Tried(frozenset((1, 2)), at % 2 == 0) for at in range(4)]
    assert find_suspects(quiet + few) == ()


def test_owners_are_judged_like_versions() -> None:
    """Three versions, each with too few voids to be found, are one owner's."""
    quiet = [Tried(frozenset((90, 91)), False)] * 300
    versions, owners = [*quiet], [*quiet]
    for version in (1, 2, 3):
        for at in range(10):
            versions.append(Tried(frozenset((version, 10 * version + at)), at in (2, 6)))
            owners.append(Tried(frozenset((1, 10 * version + at)), at in (2, 6)))
    assert find_suspects(versions) == ()
    assert [one.party for one in find_suspects(owners)] == [1]
