"""How probable something is by chance alone."""

from __future__ import annotations

from math import exp, fsum, lgamma, log, log1p

__all__ = ["at_least", "poisson_at_most"]


def at_least(hits: int, tries: int, rate: float) -> float:
    """The probability of so many hits or more in independent tries (binomial distribution)."""
    if hits <= 0 or rate >= 1:
        return 1.0
    if hits > tries or rate <= 0:
        return 0.0
    return min(
        1.0,
        fsum(
            exp(
                lgamma(tries + 1)
                - lgamma(count + 1)
                - lgamma(tries - count + 1)
                + count * log(rate)
                + (tries - count) * log1p(-rate)
            )
            for count in range(hits, tries + 1)
        ),
    )


def poisson_at_most(hits: float, mean: float) -> float:
    """The probability of so many hits or fewer where `mean` are expected (Poisson distribution)."""
    if mean <= 0:
        return 1.0
    logs = (count * log(mean) - mean - lgamma(count + 1) for count in range(int(hits) + 1))
    return min(1.0, fsum(exp(one) for one in logs))
