"""How much chance there is in a match of this game: the model that plans are tried on.

A bot performs in every game with its strength plus noise, and the team with the larger sum is ahead
(Thurstone 1927; it is what the ladder's ratings assume, too). The noise has two parts:

    cards      what the cards of a seat are worth on a board. In another rotation of the same board
               somebody else has them, so between two bots they come out even in points, and make
               matches of equal bots end level in games
    the rest   anew in every game

The unit is the deviation of the difference of two bots in one game. There d between two is a share
of games of Phi(d); an Elo, which is a share of 1 / (1 + 10^(-E/400)), is as much as 0.0036 of it
where both are one half. So Elo are those of a single game, as `arena match` prints them, and mean
the same with any number of boards. Nothing else is known of bots: how strong they are does not
depend on who plays against them, they commit no faults, and they tie in no game.

`cards` is the part of the noise's variance, and was measured with example bots. With one against
one it follows from how often a bot wins one game of a board and loses the other: with phi the
correlation of both results, cards = -sin(phi pi / 2) (Sheppard 1899). For more seats it is what
makes boards spread as widely as those that were played:

    game                   played                                       found
    classic, 1 hand        saboteur - cautious, 600 boards              phi -0.64    cards 0.84
    classic, whole games   saboteur - cautious, 100 boards              phi -0.62    cards 0.83
    classic, teams of two  keepers, saboteur, cautious, 150 boards      spread 0.134 cards 0.90
    express                keeper - cautious, 300 boards                phi -0.46    cards 0.66
    express, 4 at a table  2 keepers, saboteur, cautious, 150 boards    spread 0.119 cards 0.72

The spread is the deviation of a board's mean share. All were made with `arena match --in-process`
and the seed plan, or plan-saboteur for the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from arena.errors import InputError
from arena.formats.story import TWO_SEATS, Score

__all__ = ["PER_ELO", "Noise", "play_match"]

Floats = npt.NDArray[np.float64]

PER_ELO: Final = math.log(10) / 1600 * math.sqrt(2 * math.pi)
"""How much of the deviation of a game's difference one Elo is, near equality."""

_SCORED: Final = 0.84
_TEAMS: Final = 0.90
_UNSCORED: Final = 0.66
_UNSCORED_TABLE: Final = 0.72
_OF_ONE: Final = 0.5  # the variance of one bot's performance, so that a difference of two has 1
_TWO: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The chance in a game.

    Attributes:
        cards: The part of the variance that a seat's cards decide, from 0 to 1.
        decides: Whether points decide a match that is level in games.

    Raises:
        InputError: there is no such part.
    """

    cards: float = _SCORED
    decides: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.cards <= 1:
            raise InputError(f"cards {self.cards:g}: a part of the variance is from 0 to 1")

    @classmethod
    def of(cls, *, is_scored: bool, teams: Sequence[int] = TWO_SEATS) -> Noise:
        """What was measured: of a game that makes points, such as classic, or of one without.

        `teams` are the sizes of the teams at a table. What was not measured is taken for the same
        as what is most like it.
        """
        if not is_scored:
            cards = _UNSCORED if len(teams) == _TWO else _UNSCORED_TABLE
        else:
            cards = _TEAMS if teams[0] > 1 else _SCORED
        return cls(cards=cards, decides=is_scored)


def play_match(
    noise: Noise,
    teams: Sequence[Sequence[float]],
    boards: int,
    games_per_board: int,
    chance: np.random.Generator,
) -> Score:
    """A match that is drawn instead of played.

    Args:
        noise: The chance in a game.
        teams: By team, the strength of each member in Elo.
        boards: How many.
        games_per_board: In so many rotations each is played; 1: seats move on with the boards, so
            there is nothing that two games share.
        chance: More boards draw more of it, after what fewer would have drawn.
    """
    made = _performances(noise, teams, boards, games_per_board, chance)
    others = len(teams) - 1
    if others + 1 == _TWO:
        first = int((made[..., 0] > made[..., 1]).sum())
        beaten = [first, boards * games_per_board - first]
    else:
        ahead = made[..., :, None] > made[..., None, :]
        beaten = [int(one) for one in ahead.sum(axis=(0, 1, 3))]
    points = made.sum(axis=(0, 1)) if noise.decides else np.zeros(len(teams))
    merits = list(zip(beaten, map(float, points), strict=True))
    return Score(
        ranks=tuple(1 + sum(other > own for other in merits) for own in merits),
        boards=tuple(one / others for one in beaten),
        faults=(0,) * len(teams),
        games=boards * games_per_board,
    )


def _performances(
    noise: Noise,
    teams: Sequence[Sequence[float]],
    boards: int,
    games: int,
    chance: np.random.Generator,
) -> Floats:
    """By board, rotation and team."""
    size = len(teams[0])
    strengths = [PER_ELO * teams[seat % len(teams)][seat // len(teams)] for seat in _seats(teams)]
    seats = len(strengths)
    # Board after board, so that the first boards of a longer match are those of a shorter one.
    drawn = chance.standard_normal((boards, 1 + games, seats))
    cards, rest = drawn[:, 0, :], drawn[:, 1:, :]
    turned = np.stack([np.roll(cards, -turn, axis=1) for turn in range(games)], axis=1)
    made: Floats = np.asarray(strengths) + math.sqrt(_OF_ONE) * (
        math.sqrt(noise.cards) * turned + math.sqrt(1 - noise.cards) * rest
    )
    if size == 1:
        return made
    # Seats of a team are as far apart as there are teams.
    summed: Floats = made.reshape(boards, games, size, len(teams)).sum(axis=2)
    return summed


def _seats(teams: Sequence[Sequence[float]]) -> range:
    return range(sum(map(len, teams)))
