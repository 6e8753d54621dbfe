"""What a bot author imports: to be a bot.

    from arena_sdk import Action, Bot, Prompt, run

    class First(Bot):
        def choose(self, prompt: Prompt) -> Action:
            return prompt.legal[0]

    run(First())

Beside it, `arena_sdk.tables` says in words what lies on the tables, `arena_sdk.simulate` plays
hands on for bots that search, `arena_sdk.testing` tests a bot without a referee. Cards, actions and
views are those of the engine that the referee itself uses.
"""

from __future__ import annotations

from arena.engine.actions import Action, Verb
from arena.engine.cards import HAZARDS, KM, REMEDY_FOR, SAFETY_FOR, Card
from arena.engine.codes import Event, EventKind
from arena.engine.rulesets import Family, RuleSet
from arena.engine.scoring import Item
from arena.engine.seating import Seating
from arena.engine.state import Reason, Stage, TableView
from arena.engine.view import View
from arena_sdk._bot import Bot
from arena_sdk._prompt import Prompt
from arena_sdk._run import run
from arena_sdk._values import (
    FaultBudget,
    HandResult,
    Knowledge,
    MatchResult,
    Outcome,
    Rejection,
    RejectionReason,
    TimeControl,
    Welcome,
    WindowMode,
)

__all__ = [
    "HAZARDS",
    "KM",
    "REMEDY_FOR",
    "SAFETY_FOR",
    "Action",
    "Bot",
    "Card",
    "Event",
    "EventKind",
    "Family",
    "FaultBudget",
    "HandResult",
    "Item",
    "Knowledge",
    "MatchResult",
    "Outcome",
    "Prompt",
    "Reason",
    "Rejection",
    "RejectionReason",
    "RuleSet",
    "Seating",
    "Stage",
    "TableView",
    "TimeControl",
    "Verb",
    "View",
    "Welcome",
    "WindowMode",
    "run",
]
