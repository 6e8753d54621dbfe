"""What was played for a competition and has not been taken in yet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from arena.errors import HostFault
from arena.storage.facts import Match, MatchState
from arena.tournament.competition import events
from arena.tournament.competition.events import Event
from arena.tournament.competition.journal import ITSELF
from arena.tournament.competition.keeping import Keeping
from arena.tournament.competition.matching import games_of, team_seats
from arena.tournament.competition.scores import score_of
from arena.tournament.competition.state import Competition, Stage

__all__ = ["results_of", "take_in"]

_AT_ONCE: Final = 200
"""Results that one transaction takes in."""


def take_in(keeping: Keeping, name: str) -> None:
    """Have the scores of all matches that are over in the journal; raises as `results_of`."""
    length = 0
    deed = partial(results_of, keeping, name)
    while (here := keeping.act(name, ITSELF, deed).competition).length != length:
        length = here.length


def results_of(keeping: Keeping, name: str, here: Competition) -> Sequence[Event]:
    """Scores of matches that are over, at most so many that one transaction takes them.

    Raises:
        Unknown: there is no such competition.
        HostFault: the store cannot be read, or a match is over without a result.
    """
    waiting = {
        stage.name_of(pairing.key): (stage, pairing.key)
        for stage in here.stages
        for pairing in stage.to_play()
    }
    if not waiting or here.is_over:
        return []
    kept = keeping.find(name)
    are_open = keeping.open_runs(kept)
    done = [one for one in waiting if one not in are_open]
    found: list[Event] = []
    # Among those may be many that an operator has cancelled.
    for start in range(0, len(done), _AT_ONCE):
        some = done[start : start + _AT_ONCE]
        for one, match in keeping.matches_of(kept, some).items():
            if match.state is MatchState.DONE:
                found.append(_scored(here, *waiting[one], match))
        if found:
            break
    return found


def _scored(here: Competition, stage: Stage, key: str, match: Match) -> Event:
    if match.result is None:
        raise HostFault(f"match {match.number}: is done and has no result")
    pairing = stage.pairings[key]
    score = score_of(team_seats(stage), match.result, games_of(here, stage, pairing))
    return events.Scored(
        stage=stage.number,
        key=key,
        run=stage.runs[key],
        match=match.number,
        attempt=match.result.attempt,
        record=match.result.record,
        head=match.result.head,
        score=score,
    )
