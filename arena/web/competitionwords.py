"""What pages say of a competition in whole words: phases, formats, how something was decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from arena.formats.plans import ordinal
from arena.formats.scoring import Points
from arena.formats.story import Way
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulations import Regulations
from arena.tournament.competition.stages import StageKind, StageRules
from arena.tournament.competition.state import Phase
from arena.tournament.competition.views import EntryState, PairingLine, PairingState, StageInfo
from arena.web.competitionresult import share

__all__ = [
    "ENTRY_STATES",
    "LEVELS",
    "PAIRING_STATES",
    "PHASES",
    "decided_by",
    "format_words",
    "game_words",
    "mark",
    "points_words",
    "progress",
]

PHASES: Final[Mapping[Phase, str]] = {
    Phase.ANNOUNCED: "announced; entries are not open yet",
    Phase.OPEN: "open for entries",
    Phase.CLOSING: "entries are closed; last uploads come to their end",
    Phase.FROZEN: "the versions that play are fixed; play has not begun",
    Phase.RUNNING: "being played",
    Phase.PAUSED: "paused",
    Phase.FINISHED: "finished",
    Phase.CANCELLED: "cancelled",
}

LEVELS: Final[Mapping[Level, str]] = {
    Level.HIDDEN: "Results are seen by the organisers only.",
    Level.PARTICIPANTS: "Results are seen by those who take part.",
    Level.PUBLIC: "Results are public.",
}

ENTRY_STATES: Final[Mapping[EntryState, str]] = {
    EntryState.ENTERED: "entered",
    EntryState.PLAYS: "plays",
    EntryState.WITHDRAWN: "withdrawn",
    EntryState.DISQUALIFIED: "disqualified",
    EntryState.ABSENT: "absent",
}

PAIRING_STATES: Final[Mapping[PairingState, str]] = {
    PairingState.WAITING: "waits to be played",
    PairingState.PLAYING: "is being played",
    PairingState.SET_ASIDE: "could not be played; waits for the organiser",
    PairingState.CANCELLED: "was cancelled; waits for the organiser",
    PairingState.DONE: "done",
}

_FORMATS: Final[Mapping[StageKind, str]] = {
    StageKind.ROUND_ROBIN: "everybody against everybody",
    StageKind.SWISS: "Swiss system: in each round those meet who have about as many points",
    StageKind.ELIMINATION: "elimination: who loses a duel is out",
    StageKind.DOUBLE_ELIMINATION: "double elimination: who loses two duels is out",
    StageKind.GROUPS: "in groups, everybody against everybody of the group",
    StageKind.GAUNTLET: "gauntlet: the first of the seeding against all others",
    StageKind.TABLES: "at tables with changing opponents",
    StageKind.PARTNERS: "in teams of two with changing partners",
    StageKind.COMPLETE: "every possible table once",
}

_WAYS: Final[Mapping[Way, str]] = {
    Way.PLAYED: "It was played.",
    Way.BYE: "A bye: there was nobody to play against, and it counts as a match won.",
    Way.WALKOVER: "A walkover: somebody in it was gone before it was played.",
    Way.DECISION: "The organiser has decided it.",
}


def format_words(rules: StageRules) -> str:
    """How a stage is played, and who goes on from it."""
    text = _FORMATS[rules.kind]
    if rules.times > 1:
        text += f", {rules.times} times"
    if rules.best_of > 1:
        text += f"; a duel is the best of {rules.best_of} matches"
    if rules.third_place:
        text += "; with a match for third place"
    if rules.advance:
        text += f"; the first {rules.advance} go on"
    return text


def progress(info: StageInfo) -> str:
    """How far a stage is."""
    if not info.is_begun:
        return "has not begun"
    if info.is_over:
        return f"over, {info.pairings:,} matches"
    return f"{info.decided:,} of {info.pairings:,} announced matches are decided"


def game_words(regulations: Regulations) -> Iterator[str]:
    """What a match is, one sentence each."""
    game = regulations.game
    how = "in teams of two" if game.teams else "each for themselves"
    yield f"{game.players} players at a table, {how}; rule set {game.ruleset}."
    for name, value in game.options.items():
        yield f"Changed in the rules: {name} = {value}."
    hands = "to the match points" if not game.hands else f"{game.hands} of the hands"
    if game.hands == 1:
        hands = "one hand"
    yield f"A game is {hands}; a match has {game.boards:,} boards."
    if game.games_per_board > 1:
        yield (
            f"Each board is played {game.games_per_board} times with the same cards, so that "
            "everybody has had every seat."
        )


def points_words(points: Points) -> str:
    """What the points of a table are."""
    if points is Points.BOARD:
        return "points are counted for every single game"
    return "points are counted for every match: 1 for a win, half for a draw"


def decided_by(line: PairingLine) -> str:
    """How the score of a pairing has come about, or why there is none."""
    if line.way is None:
        return f"It {PAIRING_STATES[line.state]}."
    return _WAYS[line.way]


def mark(line: PairingLine, team: int) -> str:
    """What a team has made of a pairing in a word; empty: there is no score."""
    if not line.ranks:
        return ""
    if line.way is Way.BYE:
        return "bye"
    points = share(line, team)
    if line.way is Way.WALKOVER and len(set(line.ranks)) == 1:
        return "not played"
    if line.way is Way.WALKOVER and points == 0:
        return "gone"
    if len(line.ranks) > 2:
        return ordinal(line.ranks[team])
    return {1.0: "won", 0.0: "lost"}.get(points or 0.0, "drawn")
