"""How an attempt at a match ended, in words and in ranks.

Blame comes before score: what the host may have caused is VOID and played again, what only a bot
could cause is a FORFEIT, everything else is COMPLETED.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.engine.seating import Seating
from arena.referee.events import BotNo, Forfeit, GameResult, OutcomeKind, Verdict

__all__ = ["COMPLETED", "described", "forfeit", "match_ranks", "told_to", "void"]

COMPLETED = Verdict(OutcomeKind.COMPLETED)


def forfeit(forfeits: Sequence[Forfeit]) -> Verdict:
    """The verdict after these forfeits; COMPLETED if there are none."""
    return Verdict(OutcomeKind.FORFEIT, tuple(forfeits)) if forfeits else COMPLETED


def void(why: str) -> Verdict:
    """The host failed: the match does not count."""
    return Verdict(OutcomeKind.VOID, void=why)


def described(verdict: Verdict, names: Sequence[str]) -> str:
    """A verdict in a line, with the bots called by `names`."""
    if verdict.kind is OutcomeKind.VOID:
        return f"VOID: {verdict.void}"
    told = [f"{names[one.bot]} ({one.reason}: {one.detail})" for one in verdict.forfeits]
    return f"FORFEIT by {', then '.join(told)}" if told else str(verdict.kind)


def told_to(bot: BotNo, verdict: Verdict) -> str:
    """A verdict in a line for one bot.

    Of the others it says only what kind of fault they committed: their banks and the answers that
    they had are their own secrets while the same boards are still to be played.
    """
    if verdict.kind is not OutcomeKind.FORFEIT:
        return described(verdict, ())
    told = [
        f"you ({one.reason}: {one.detail})" if one.bot == bot else f"another bot ({one.reason})"
        for one in verdict.forfeits
    ]
    return f"FORFEIT by {', then '.join(told)}"


def match_ranks(
    results: Sequence[GameResult], seating: Seating, forfeits: Sequence[Forfeit]
) -> tuple[int, ...]:
    """By bot, how many teams did better: 0 for the winners; equal ones share a rank.

    Games won count first (a draw is shared by the teams that lead), then the points made in games
    that were played to their end. A team whose bot has forfeited ranks below all others.
    """
    team_of = seating.team_of
    lost = {team_of[one.bot] for one in forfeits}
    wins = [Fraction(0) for _ in seating.teams]
    made = [(0, 0) for _ in seating.teams]
    for result in results:
        # The team at the table that each team of bots was in this game.
        here = [result.team(BotNo(team[0])) for team in seating.teams]
        leaders = [team for team, at in enumerate(here) if result.ranks[at] == 0]
        for team in leaders:
            wins[team] += Fraction(1, len(leaders))
        if result.finished:
            made = [
                (points + result.totals[at], km + result.km[at])
                for (points, km), at in zip(made, here, strict=True)
            ]
    keys = [(team not in lost, wins[team], made[team]) for team in range(len(seating.teams))]
    return tuple(sum(other > keys[team] for other in keys) for team in team_of)
