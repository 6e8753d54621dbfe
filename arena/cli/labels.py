"""What bots and sides are called in tables, and how it stands between them in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.cli.output import printable
from arena.stats.sprt import Decision

if TYPE_CHECKING:
    from arena.stats.pairs import PairSummary
    from arena.submissions.manifest import Manifest
    from arena.tournament.series import SeriesPlan
    from arena.tournament.standings import Standings

__all__ = ["estimate_text", "labels", "share_text", "sides", "so_many", "stopped_by"]


def labels(bots: Sequence[Manifest]) -> tuple[str, ...]:
    """What bots are called, each of them differently.

    Those of one name are told apart by their versions, or else are numbered.
    """
    names = [printable(bot.name) for bot in bots]
    full = [f"{name} {printable(bot.version)}" for name, bot in zip(names, bots, strict=True)]
    told = []
    for place, name in enumerate(names):
        same = [full[other] for other, one in enumerate(names) if one == name]
        if len(same) == 1:
            told.append(name)
        elif len(set(same)) == len(same):
            told.append(full[place])
        else:
            told.append(f"{name} #{names[: place + 1].count(name)}")
    # A bot may be called what another one is only called here.
    return tuple(told) if len(set(told)) == len(told) else _numbered(names)


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name} (bot {place})" for place, name in enumerate(names))


def sides(plan: SeriesPlan) -> tuple[str, ...]:
    """What the sides of a series are called: a bot, or partners."""
    names = labels(plan.bots)
    return tuple(" + ".join(names[bot] for bot in team) for team in plan.seating.teams)


def estimate_text(standings: Standings, names: Sequence[str]) -> str:
    """The running estimate in a few words: the first of two sides, or who has won most of more."""
    counted = f"{standings.boards} boards"
    pair = standings.pairs.get((0, 1))
    if pair is None or pair.share is None:
        return counted
    if len(names) == 2:
        return f"{names[0]} {share_text(pair)}, {counted}"
    won = [0.0 if side.won is None else side.won.value for side in standings.sides]
    best = won.index(max(won))
    return f"{names[best]} leads with {100 * won[best]:.1f} % of the games, {counted}"


def stopped_by(standings: Standings) -> str | None:
    """Which of the stops that were asked for was met first: `sprt` or `until_width`; None: none.

    A board after which both are met counts as the test's, which is looked at first.
    """
    if not standings.enough:
        return None
    run = standings.sprt
    return "until_width" if run is None or run.decision is Decision.CONTINUE else "sprt"


def share_text(pair: PairSummary) -> str:
    """A win share with its interval: `61.2 % [58.1, 64.3]`."""
    share = pair.share
    if share is None:
        return "-"
    text = f"{100 * share.value:.1f} %"
    if share.interval is None:
        return text
    return f"{text} [{100 * share.interval.low:.1f}, {100 * share.interval.high:.1f}]"


def so_many(count: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 board`, `2,000 boards`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
