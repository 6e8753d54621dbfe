"""How long a hand can last: an upper bound for its decisions, from the rules alone.

Why every hand ends is shown in `tests/engine/termination.py`, by a measure that each decision makes
smaller; this is the number that follows from it. A match has its hard time limit from here.
"""

from __future__ import annotations

from arena.engine.cards import HAZARDS
from arena.engine.flow import CIRCLING_ROUNDS
from arena.engine.rulesets import Family, RuleSet
from arena.engine.seating import Seating

__all__ = ["most_decisions", "room_for_good"]

_SHORTEST = 25
_LONGEST_TRIP = 1000


def room_for_good(rules: RuleSet, teams: int) -> int:
    """How many distance cards, safeties and first Green Lights a hand has room for at most."""
    target = _LONGEST_TRIP if rules.extension else rules.target
    return teams * (-(-target // _SHORTEST) + 4 + 1)


def most_decisions(rules: RuleSet, seating: Seating) -> int:
    """More decisions than a hand can take, all seats together.

    Where cards never come back to a hand, each of them leaves a hand once: one play, discard or
    coup fourré per card, one pass per attack and seat, one extension. Otherwise the parts of the
    measure are multiplied: `rest` decisions are the most between two cards that are drawn from the
    pile or played for good.
    """
    players = seating.players
    deck = rules.deck(players)
    cards, room = sum(deck), room_for_good(rules, len(seating.teams))
    answers = sum(deck[hazard] for hazard in HAZARDS) * max(map(len, seating.teams))
    if rules.family is not Family.EXPRESS:
        if not rules.reshuffles:
            return cards + answers + 1
        return (room + 2) * (cards + answers) + 1
    turns = CIRCLING_ROUNDS * players + cards
    per_turn = 2 + 1 + 1 + 1  # two draws, a play, an answer, the top card
    piles = room + 2 if rules.reshuffles else 1
    return (piles * cards + room + 1) * turns * per_turn
