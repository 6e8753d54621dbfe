"""What a bot author imports: to be a bot.

    from arena_sdk import Action, Bot, Prompt, run

    class First(Bot):
        def choose(self, prompt: Prompt) -> Action:
            return prompt.legal[0]

    run(First())

Cards, actions and views are those of the engine that the referee itself uses, so a bot that wants
to search can import `arena.engine` and go on from `prompt.view`.
"""

from __future__ import annotations

from arena.engine.actions import Action, Verb
from arena.engine.cards import Card
from arena.engine.state import Stage, TableView
from arena.engine.view import View
from arena_sdk._bot import Bot, Prompt
from arena_sdk._run import run

__all__ = ["Action", "Bot", "Card", "Prompt", "Stage", "TableView", "Verb", "View", "run"]
