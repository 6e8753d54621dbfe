"""Regulations in plain words, for those who have to agree to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.formats.scoring import Points, TieBreak
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulations import Regulations, Rotations, Seeding, Source
from arena.tournament.competition.regulationswhen import MOMENTS
from arena.tournament.competition.stages import StageKind, StageRules

__all__ = ["span", "words_of"]

_SECOND: Final = 1_000_000_000
_TEAM: Final = {1: "each for themselves", 2: "in teams of two"}
_SEEN_BY: Final = {
    Level.HIDDEN: "operators only",
    Level.PARTICIPANTS: "those who play",
    Level.PUBLIC: "everybody",
}
_SEEDED: Final = {
    Seeding.LADDER: "by their ratings on the ladder",
    Seeding.LOT: "by lot",
    Seeding.LISTED: "in the order of the list",
}
_EVENTS: Final = {
    "opens": "bots can be entered from then on",
    "freeze": "the versions that are active then are those that play",
    "start": "play begins",
    "release": "results are released",
}

_USUAL: Final = {"opens": "at once", "release": "when it is finished"}
"""When things happen that the schedule does not name."""

Line = tuple[str, str]
"""What it is about, and the words."""


def words_of(regulations: Regulations) -> tuple[list[Line], list[Line]]:
    """Lines that stand before the table of stages, and lines that stand after it."""
    before = [
        ("game", _game(regulations)),
        ("match", _match(regulations)),
        ("limits", _limits(regulations)),
        ("entrants", _entrants(regulations)),
        *_eligible(regulations),
    ]
    after = [*_times(regulations), *_seen(regulations), *_counting(regulations)]
    return before, after


def span(least: int, most: int) -> str:
    """A number, or the two that it is between."""
    return f"{least:,}" if least == most else f"{least:,}-{most:,}"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _game(regulations: Regulations) -> str:
    game = regulations.game
    length = _count(game.hands, "hand") if game.hands else "as many hands as the rules have"
    changed = ", ".join(f"{key} = {value}" for key, value in game.options.items())
    rules = game.ruleset + (f" ({changed})" if changed else "")
    return f"{rules}, {game.players} at a table, {_TEAM[game.table[0]]}; {length}"


def _match(regulations: Regulations) -> str:
    game = regulations.game
    if game.rotations is Rotations.ALL:
        return f"every board {game.players} times, in each rotation of the seats"
    return "every board once; everybody moves on by a seat from board to board"


def _limits(regulations: Regulations) -> str:
    time, faults = regulations.limits.time, regulations.limits.faults
    strikes = faults.max_strikes
    return (
        f"{time.turn / _SECOND:g} s for an answer and {time.bank / _SECOND:g} s besides in a game; "
        f"{_count(strikes, 'late or illegal answer')} {'is' if strikes == 1 else 'are'} a forfeit; "
        f"windows are {regulations.limits.window}"
    )


def _entrants(regulations: Regulations) -> str:
    rules = regulations.entrants
    who = {
        Source.OPEN: f"whoever is entered by the freeze, at most {rules.most:,}",
        Source.INVITED: f"{len(rules.invited):,} that are invited",
        Source.LADDER: f"the first {rules.top:,} of the ladder",
    }[rules.source]
    return f"{who}; at most {rules.per_owner:,} of one owner; seeded {_SEEDED[rules.seeding]}"


def _eligible(regulations: Regulations) -> Iterator[Line]:
    for number, group in enumerate(regulations.groups):
        words = f"{group.name}: {', '.join(group.owners)}"
        yield ("may enter" if number == 0 else "", words)


def _counting(regulations: Regulations) -> Iterator[Line]:
    for stage in regulations.stages:
        yield stage.name, _counted(stage)
    named: dict[TieBreak, None] = {}
    for stage in regulations.stages:
        if not stage.kind.is_elimination:
            named |= dict.fromkeys(stage.scoring.breaks)
    for one in named:
        yield one, one.explanation


def _counted(stage: StageRules) -> str:
    if stage.kind.is_elimination:
        lost = "two duels" if stage.kind is StageKind.DOUBLE_ELIMINATION else "a duel"
        duel = f"the best of {stage.best_of} matches" if stage.best_of > 1 else "one match"
        extra = {0: "", 1: "one more match, then "}.get(
            stage.most_extra, f"up to {stage.most_extra} more matches, then "
        )
        return (
            f"out is who loses {lost}; a duel is {duel}; if it is drawn, {extra}board points, "
            "faults, seeding"
        )
    points = "matches" if stage.scoring.points is Points.MATCH else "single games"
    breaks = ", ".join(stage.scoring.breaks) or "nothing: places are shared"
    return f"points for {points}; equal points are parted by {breaks}"


def _times(regulations: Regulations) -> Iterator[Line]:
    schedule = regulations.schedule
    for name in MOMENTS:
        at = schedule.written.get(name, "")
        if name == "opens" and not at and regulations.entrants.source is not Source.OPEN:
            continue
        if name == "release" and regulations.release.after is regulations.release.during:
            continue
        when = at or _USUAL.get(name, "at an operator's command")
        what = _EVENTS[name]
        if name == "freeze" and schedule.grace:
            what += f"; uploads under way have {schedule.grace} seconds more"
        yield name, f"{when}: {what}"


def _seen(regulations: Regulations) -> Iterator[Line]:
    release = regulations.release
    during, after = _SEEN_BY[release.during], _SEEN_BY[release.after]
    if release.during is release.after:
        yield "results", f"{during} from the first match on"
    else:
        yield "results", f"{during} while it runs, {after} after the release"
    if regulations.seed.public:
        yield "seed", f"mixed into the deals: {regulations.seed.public}"
    beside = "go on beside it" if regulations.ladder.beside else "wait meanwhile"
    yield "ladder", f"its own matches {beside}"
