"""How the duels of an elimination stand: who is in each, who has won it, and by what.

    announced matches and scores --> outcome of each duel --> who is in the next --> what is due

What was announced is never taken back: if the next duel of somebody was announced and then the
score of an earlier match changes, whoever was announced stays in, and the earlier duel counts as
won by whom it was when the next was announced (`How.ANNOUNCED`). Of two duels that follow from one,
for its winner and for its loser, the first that is announced settles both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.formats.elimination_bracket import GRAND_FINAL, RESET, Bracket, Duel, Exit
from arena.formats.story import Pairing, Score, Story, Way

__all__ = ["Bout", "How", "Length", "Outcome", "bouts_of"]

Match = tuple[Pairing, Score | None]


class How(StrEnum):
    """What has decided a duel, as it is said after its title; empty: its regular matches."""

    MATCHES = ""
    EXTRA = "in an extra match"
    BOARDS = "by board points"
    FAULTS = "by fewer faults"
    SEEDING = "by the better seed"
    WALKOVER = "by walkover"
    NOBODY = "with nobody there"
    ANNOUNCED = "as it was when the next was announced"


@dataclass(frozen=True, slots=True)
class Length:
    """How long duels are.

    Attributes:
        best_of: The regular matches.
        most_extra: How many more there can be while it is drawn.
    """

    best_of: int
    most_extra: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who has won a duel, who has lost it, and by what. With `How.NOBODY` both have lost it."""

    winner: int
    loser: int
    how: How


@dataclass(frozen=True, slots=True)
class Bout:
    """A duel of which it is known who is in it.

    Attributes:
        pair: Who: the upper one first.
        matches: Those announced, in order, each with its score if it has one.
        outcome: None: it is not decided.
    """

    duel: Duel
    pair: tuple[int, int]
    matches: tuple[Match, ...]
    outcome: Outcome | None

    @property
    def lacks_match(self) -> bool:
        """Whether it needs another match that was not announced."""
        return self.outcome is None and all(score is not None for _, score in self.matches)


def bouts_of(bracket: Bracket, story: Story, length: Length) -> dict[str, Bout]:
    """By the name of the duel, all of which it is known who is in them, in the bracket's order."""
    matches: dict[str, list[Match]] = {}
    for pairing in story.pairings:
        name = pairing.key.rpartition("-")[0]
        matches.setdefault(name, []).append((pairing, story.scores.get(pairing.key)))
    announced = {name: _pair(played[0][0]) for name, played in matches.items()}
    bouts: dict[str, Bout] = {}
    for duel in bracket.duels:
        pair = announced.get(duel.name) or _coming(duel, bouts)
        if pair is not None:
            played = tuple(matches.get(duel.name, ()))
            outcome = _settled(bracket, duel.name, pair, announced)
            counted = _counted(pair, played, length)
            if outcome is None or (counted is not None and counted.winner == outcome.winner):
                outcome = counted
            bouts[duel.name] = Bout(duel, pair, played, outcome)
    return bouts


def _pair(pairing: Pairing) -> tuple[int, int]:
    (upper,), (lower,) = pairing.teams
    return upper, lower


def _coming(duel: Duel, bouts: Mapping[str, Bout]) -> tuple[int, int] | None:
    """Who is in a duel that was not announced; None while that is open, or it is not needed."""
    found: list[int] = []
    for side in duel.sides:
        if isinstance(side, int):
            found.append(side)
            continue
        before = bouts.get(side.duel)
        if before is None or before.outcome is None:
            return None
        found.append(before.outcome.winner if side.wins else before.outcome.loser)
    if duel.name == RESET and found[0] == bouts[GRAND_FINAL].pair[0]:
        return (found[0], found[1])
    return None if duel.name == RESET else (found[0], found[1])


def _settled(
    bracket: Bracket, name: str, pair: tuple[int, int], announced: Mapping[str, tuple[int, int]]
) -> Outcome | None:
    """What a later duel that was announced says of this one; None: there is none yet."""
    for wins in (True, False):
        after, side = bracket.goes.get(Exit(name, wins), ("", 0))
        if after in announced and announced[after][side] in pair:
            one = announced[after][side]
            other = pair[1 - pair.index(one)]
            winner, loser = (one, other) if wins else (other, one)
            return Outcome(winner, loser, How.ANNOUNCED)
    return None


def _counted(pair: tuple[int, int], matches: Sequence[Match], length: Length) -> Outcome | None:
    """What the scores of a duel say; None: it needs one that is not there.

    The regular matches count first: as soon as one side cannot be caught up with, it has won. Then
    a walkover, which ends a duel; then the first extra match that is not drawn; then over all
    matches more board points, fewer faults, and the better seed, which is the lower number.
    """
    scored = [(pairing, score) for pairing, score in matches if score is not None]
    if not matches or len(scored) < len(matches):
        return None
    regular, extra = scored[: length.best_of], scored[length.best_of :]
    played = [_lead(pair[0], *match) for match in regular if match[1].way is not Way.WALKOVER]
    if abs(sum(played)) > length.best_of - len(played):
        return _won(pair, sum(played), How.MATCHES)
    for match in scored:
        if match[1].way is Way.WALKOVER:
            lead = _lead(pair[0], *match)
            how = How.WALKOVER if lead else How.NOBODY
            return _won(pair, lead or _by_seed(pair), how)
    for match in extra:
        if _lead(pair[0], *match):
            return _won(pair, _lead(pair[0], *match), How.EXTRA)
    if len(scored) < length.best_of + length.most_extra:
        return None
    return _by_all(pair, scored)


def _by_all(pair: tuple[int, int], scored: Sequence[tuple[Pairing, Score]]) -> Outcome:
    boards = faults = 0.0
    for pairing, score in scored:
        own = pairing.team_of(pair[0])
        boards += score.boards[own] - score.boards[1 - own]
        faults += score.faults[own] - score.faults[1 - own]
    if boards:
        return _won(pair, boards, How.BOARDS)
    if faults:
        return _won(pair, -faults, How.FAULTS)
    return _won(pair, _by_seed(pair), How.SEEDING)


def _lead(entrant: int, pairing: Pairing, score: Score) -> float:
    """1 for a match that the entrant has won, 0 for a draw, -1 for one that it has lost."""
    own = pairing.team_of(entrant)
    return score.share(own) - score.share(1 - own)


def _by_seed(pair: tuple[int, int]) -> float:
    return pair[1] - pair[0]


def _won(pair: tuple[int, int], lead: float, how: How) -> Outcome:
    """The outcome with that lead of the upper one."""
    return Outcome(*(pair if lead > 0 else pair[::-1]), how)
