"""Chi-square statistics of shuffled decks, and the process pool that counts a million of them.

Theory. A deck has n cards, c[k] of kind k (19 kinds), and N decks are shuffled independently.

*Positions.* O[p, k] counts the decks with kind k at place p; E[p, k] = N c[k] / n. Within one deck
places are not independent: every row and every column of the deck's own table has a fixed sum. Its
covariance is that of a random permutation matrix, (I - J/n) x (I - J/n) / (n - 1), with the columns
of equal kinds added up, so that

    X = (n - 1) / n * sum (O - E)^2 / E    ~    chi-square with (n - 1)(19 - 1) degrees of freedom.

*A single card.* One column of that table, for a kind with one copy: N independent places, n cells,
n - 1 degrees of freedom.

*Neighbours.* O[a, b] counts, over all decks and the n - 1 neighbouring places of each, a card of
kind a followed by one of kind b. Pairs of one deck overlap, so Pearson's sum has no chi-square
distribution. With m and S the exact mean and covariance of one deck's 361 counts (`pair_moments`),

    X = N (O/N - m)' S^+ (O/N - m)    ~    chi-square with rank(S) degrees of freedom.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from arena.engine.cards import CARDS, CLASSIC_DECK, KINDS, SAFETIES
from arena.engine.deal import Board, seed_from_text

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]

DECK: Final = CLASSIC_DECK
SIZE: Final = sum(DECK)
HANDS_OF_A_BOARD: Final = 500


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted: kinds by place, and kinds by the kind before them."""

    decks: int
    places: Counts
    pairs: Counts

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.decks + other.decks, self.places + other.places, self.pairs + other.pairs)


@dataclass(frozen=True, slots=True)
class Statistic:
    """A chi-square value, its degrees of freedom and the chance to see so much or more."""

    name: str
    value: float
    freedom: int

    @property
    def p(self) -> float:
        return float(chi2.sf(self.value, self.freedom))

    def __str__(self) -> str:
        return f"{self.name}: chi-square {self.value:.1f}, {self.freedom} df, p = {self.p:.3g}"


def dealt(board: int) -> list[bytes]:
    """The decks of one board of the fixed set, by the real thing."""
    deck_order = Board(seed_from_text(f"chi-square {board}")).deck_order
    return [deck_order(hand, DECK) for hand in range(HANDS_OF_A_BOARD)]


def tally(board: int, deal: Callable[[int], Sequence[bytes]] = dealt) -> Tally:
    """Count the decks of one board."""
    orders = deal(board)
    kinds = np.frombuffer(b"".join(orders), dtype=np.uint8).reshape(-1, SIZE).astype(np.int64)
    places = np.bincount((kinds + KINDS * np.arange(SIZE)).ravel(), minlength=SIZE * KINDS)
    pairs = np.bincount((KINDS * kinds[:, :-1] + kinds[:, 1:]).ravel(), minlength=KINDS * KINDS)
    return Tally(len(orders), places.reshape(SIZE, KINDS), pairs)


def tally_boards(boards: range, workers: int | None = None) -> Tally:
    """Count the decks of many boards in a pool of processes; the sum does not depend on it."""
    spawn = multiprocessing.get_context("spawn")  # forking with threads about is no longer safe
    with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=spawn) as pool:
        tallies = pool.map(tally, boards, chunksize=20)
        first = next(tallies)
        return sum(tallies, first)


def statistics(found: Tally) -> list[Statistic]:
    """All statistics of a tally."""
    expected = found.decks * np.array(DECK) / SIZE
    terms = (found.places - expected) ** 2 / expected
    return [
        Statistic("positions", (SIZE - 1) / SIZE * float(terms.sum()), (SIZE - 1) * (KINDS - 1)),
        *(
            Statistic(f"place of {CARDS[card]}", float(terms[:, card].sum()), SIZE - 1)
            for card in SAFETIES
        ),
        _neighbours(found),
    ]


def _neighbours(found: Tally) -> Statistic:
    mean, covariance = pair_moments(np.array(DECK, dtype=np.float64))
    off = found.pairs / found.decks - mean
    inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    rank = int(np.linalg.matrix_rank(covariance, rtol=1e-9, hermitian=True))
    return Statistic("neighbours", found.decks * float(off @ inverse @ off), rank)


def pair_moments(counts: Reals) -> tuple[Reals, Reals]:
    """Mean and covariance of the neighbouring pairs (a, b) of one shuffled deck, over all places.

    E[(a, b) at i and (c, d) at j] depends on how the two pairs overlap: the same pair at the n - 1
    same places, three cards in a row at n - 2 places either way round, else four different cards.
    """
    kinds, size = len(counts), int(counts.sum())
    same = np.eye(kinds)

    def orders(drawn: int) -> float:
        return float(np.prod([size - i for i in range(drawn)]))

    two = counts[:, None] * (counts - same)
    # The third card may be any card of its kind but the two before; so may the fourth.
    three = two[:, :, None] * (counts - same[:, None, :] - same[None, :, :])
    four = three[..., None] * (
        counts - same[:, None, None, :] - same[None, :, None, :] - same[None, None, :, :]
    )
    mean = (size - 1) * two / orders(2)
    row = (size - 2) * three / orders(3)  # kinds a, b, c at places i, i + 1, i + 2
    together = (size - 2) * (size - 3) * four / orders(4)
    together += np.einsum("abd,bc->abcd", row, same)  # (a, b), then (b, d)
    together += np.einsum("cab,ad->abcd", row, same)  # (c, a), then (a, b)
    together += np.einsum("ab,ac,bd->abcd", mean, same, same)  # the pair with itself
    flat = mean.ravel()
    return flat, together.reshape(kinds**2, kinds**2) - np.outer(flat, flat)
