"""How far everybody has come in an elimination: the levels that its table is ordered by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.formats.elimination_bracket import GRAND_FINAL, THIRD, Bracket, Exit
from arena.formats.elimination_duels import Bout, How
from arena.formats.plans import absence
from arena.formats.story import Story, Way

__all__ = ["Career", "End", "end_of"]

_TOP: Final = 1_000
"""Above the level of every round: of the winner, and of those who can still become it."""


@dataclass(slots=True)
class Career:
    """The duels of an entrant, as far as it is known that it is in them.

    Attributes:
        won: Duels; one with nobody there is won by nobody.
        played: Matches with a score.
        last: Its last duel; None: it has not been in one yet.
    """

    entrant: int
    won: int = 0
    played: int = 0
    last: Bout | None = None

    def add(self, bout: Bout) -> None:
        """Count its next duel."""
        self.last = bout
        self.played += sum(score is not None for _, score in bout.matches)
        self.won += is_winner(bout, self.entrant)


@dataclass(frozen=True, slots=True)
class End:
    """How far an entrant has come.

    Attributes:
        level: Twice the round of leaving; in between, the winner of the match for third place.
        absence: 0: it stands where its level says; 1, 2: below those who do, as `plans.absence`.
        note: For people.
    """

    level: int
    absence: int
    note: str


def is_winner(bout: Bout, entrant: int) -> bool:
    """Whether it has won the duel, and not only goes on from it on paper."""
    outcome = bout.outcome
    return outcome is not None and outcome.how is not How.NOBODY and outcome.winner == entrant


def end_of(bracket: Bracket, story: Story, career: Career) -> End:
    """How far an entrant has come, and what is to be said of it."""
    level, note, goes_on = _reached(bracket, career)
    away = absence(story, career.entrant)
    if not away:
        return End(level, 0, note)
    word = "disqualified" if away > 1 else "withdrawn"
    # Who leaves when nothing is left for it to play takes no opponent's match away.
    if away == 1 and not goes_on and not _missed(career):
        return End(level, 0, f"{note}; {word} afterwards")
    return End(level, away, word if goes_on else f"{word}; {note}")


def _reached(bracket: Bracket, career: Career) -> tuple[int, str, bool]:
    """The level, what is said of it, and whether there is still something to come."""
    bout = career.last
    if bout is None:
        return _TOP, "still in", True
    duel, outcome = bout.duel, bout.outcome
    third = 2 * (duel.round - 1)
    if outcome is None:
        return (third, _THIRD_NOTE, True) if duel.name == THIRD else (_TOP, "still in", True)
    wins = outcome.winner == career.entrant
    after, _ = bracket.goes.get(Exit(duel.name, wins), ("", 0))
    # The winners' bracket has won the grand final: there is no reset.
    is_last = not after or (duel.name == GRAND_FINAL and outcome.winner == bout.pair[0])
    if not is_last:
        return (2 * duel.round, _THIRD_NOTE, True) if after == THIRD else (_TOP, "still in", True)
    has_won = is_winner(bout, career.entrant)
    note = f"{_verb(duel.name, has_won=has_won)} {_named(duel.title)} {outcome.how}".rstrip()
    if duel.name == THIRD:
        return third + has_won, note, False
    return _TOP if has_won else 2 * duel.round, note, False


_THIRD_NOTE: Final = "plays for third place"


def _verb(name: str, *, has_won: bool) -> str:
    if has_won:
        return "won"
    return "lost" if name == THIRD else "out in"


def _named(title: str) -> str:
    """A title with its article: the final, the round of 16, but semi-final 1."""
    is_name = title[-1].isdigit() and not title.startswith("round of")
    return title if is_name else f"the {title}"


def _missed(career: Career) -> bool:
    """Whether its last duel has a walkover that it has not won."""
    assert career.last is not None
    return any(
        score is not None
        and score.way is Way.WALKOVER
        and score.share(pairing.team_of(career.entrant)) < 1
        for pairing, score in career.last.matches
    )
