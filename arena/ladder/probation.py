"""When a version stops being scheduled: it keeps failing, or its matches are void too often.

Failing is the bot's own doing, seen by the referee: its forfeits. A void attempt is this machine's
failure as far as anybody can tell, and a bot that can bring it about could do so whenever it is
behind. One void proves nothing, and opponents of such a bot have voids too. So attempts are
compared: is somebody there in clearly more void ones than the rate in all attempts without it makes
likely? The worst one is taken out with all its attempts, and the others are judged by what is left.

A machine in trouble makes many matches void at once. Voids that follow each other without any
attempt in between that was not void are therefore one *incident*, which counts once for everybody
who was there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.errors import InputError
from arena.ladder.chances import at_least

__all__ = [
    "ProbationRules",
    "Suspicion",
    "Tried",
    "VoidRules",
    "find_suspects",
    "probation_reason",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbationRules:
    """How often a version may forfeit before it has to pass a check.

    Attributes:
        in_a_row: So many forfeits one after the other are too many.
        forfeits, of_last: So many forfeits within so many matches are too many.

    Raises:
        InputError: a number is below 1, or more forfeits than matches are asked for.
    """

    in_a_row: int = 3
    forfeits: int = 5
    of_last: int = 20

    def __post_init__(self) -> None:
        for name in ("in_a_row", "forfeits", "of_last"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} {getattr(self, name)}: must be at least 1")
        if self.forfeits > self.of_last:
            raise InputError(f"forfeits {self.forfeits}: at most of_last, {self.of_last}")


_PROBATION: Final = ProbationRules()


def probation_reason(recent: Sequence[bool], rules: ProbationRules = _PROBATION) -> str:
    """Say why a version has to pass a check before it plays on; empty: it need not.

    Args:
        recent: Of its last rated matches since it last passed a check, oldest first, whether it
            forfeited; of more than `rules.of_last` only the last ones count.
        rules: How often is too often.
    """
    row = 0
    for has_forfeited in reversed(recent):
        if not has_forfeited:
            break
        row += 1
    if row >= rules.in_a_row:
        return (
            f"it has forfeited its last {row} matches: after {rules.in_a_row} in a row a version "
            f"plays no more until it has passed a check"
        )
    last = recent[-rules.of_last :]
    if sum(last) >= rules.forfeits:
        return (
            f"it has forfeited {sum(last)} of its last {len(last)} matches: from {rules.forfeits} "
            f"of {rules.of_last} on a version plays no more until it has passed a check"
        )
    return ""


# -- voids ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt that is over.

    Attributes:
        parties: Who was there: all versions, or all owners.
        is_void: Whether it was void. One that was lost with the whole server is no attempt.
        blamed: Whom its fault could be traced to. Nobody else is then suspected for it.
    """

    parties: frozenset[int]
    is_void: bool
    blamed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRules:
    """When void attempts become suspicious.

    Attributes:
        alarm: How likely one review of innocent parties may suspect anybody at all.
        floor: The rate of incidents that is taken for normal even if there were fewer.
        least: So many incidents it takes at least.

    Raises:
        InputError: a rate is not between 0 and 1, or `least` is below 1.
    """

    alarm: float = 1e-4
    floor: float = 0.01
    least: int = 3

    def __post_init__(self) -> None:
        for name in ("alarm", "floor"):
            if not 0 < getattr(self, name) < 1:
                raise InputError(f"{name} {getattr(self, name):g}: must be between 0 and 1")
        if self.least < 1:
            raise InputError(f"least {self.least}: must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """Somebody whose attempts are void too often for chance.

    Attributes:
        party: Who.
        incidents, attempts: In how many incidents it was, and how many attempts it has had.
        rate: The share of incidents that was expected of its attempts.
        chance: The probability of so many incidents or more at that rate.
    """

    party: int
    incidents: int
    attempts: int
    rate: float
    chance: float

    @property
    def why(self) -> str:
        """The finding in a line; it does not say that somebody has done so on purpose."""
        return (
            f"{self.incidents} of {self.attempts} attempts were void, where "
            f"{self.rate * self.attempts:.1f} are usual: so many by chance have a probability of "
            f"{self.chance:.1g}"
        )


@dataclass(slots=True)
class _Count:
    attempts: int = 0
    incidents: set[int] = field(default_factory=set)


_VOIDS: Final = VoidRules()


def find_suspects(attempts: Sequence[Tried], rules: VoidRules = _VOIDS) -> tuple[Suspicion, ...]:
    """Return who was there in too many void attempts, the clearest case first.

    The more parties there are the clearer a case must be, so that `rules.alarm` is the probability
    that any innocent one at all is found, as long as their voids come about independently.

    Args:
        attempts: In the order in which they ended.
        rules: What is too many.
    """
    found: list[Suspicion] = []
    left = list(attempts)
    while (worst := _worst(left, rules)) is not None:
        found.append(worst)
        left = [one for one in left if worst.party not in one.parties]
    return tuple(found)


def _worst(attempts: Sequence[Tried], rules: VoidRules) -> Suspicion | None:
    total, counts = _count(attempts)
    cases = [
        _judge(party, count, total, rules)
        for party, count in counts.items()
        if len(count.incidents) >= rules.least
    ]
    worst = min(cases, key=lambda one: (one.chance, one.party), default=None)
    if worst is None or worst.chance > rules.alarm / len(counts):
        return None
    return worst


def _count(attempts: Sequence[Tried]) -> tuple[_Count, Mapping[int, _Count]]:
    """All incidents, and those of each party."""
    total = _Count()
    counts: defaultdict[int, _Count] = defaultdict(_Count)
    incident, was_void = 0, False
    for one in attempts:
        total.attempts += 1
        incident += one.is_void and not was_void
        was_void = one.is_void
        for party in one.parties:
            counts[party].attempts += 1
        if one.is_void:
            total.incidents.add(incident)
            for party in one.parties if one.blamed is None else {one.blamed}:
                counts[party].incidents.add(incident)
    return total, counts


def _judge(party: int, count: _Count, total: _Count, rules: VoidRules) -> Suspicion:
    others = total.attempts - count.attempts
    elsewhere = len(total.incidents - count.incidents)
    # One incident more than there was: a rate from few attempts may be too low by chance.
    rate = max(rules.floor, (elsewhere + 1) / (others + 1 / rules.floor))
    return Suspicion(
        party=party,
        incidents=len(count.incidents),
        attempts=count.attempts,
        rate=rate,
        chance=at_least(len(count.incidents), count.attempts, min(rate, 1.0)),
    )
