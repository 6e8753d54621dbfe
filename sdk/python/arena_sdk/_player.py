"""What the SDK does with a prompt: passes by itself, asks the bot, or leaves it unanswered.

A prompt brings the events since the one before it. Those of prompts that the bot never sees are
kept and put in front of the next prompt's, so that `view.history` holds everything since `choose`
was last called.
"""

from __future__ import annotations

import sys
import traceback
from dataclasses import replace
from typing import Final, NamedTuple

from arena.engine.actions import PASS, Action
from arena_sdk._bot import Bot, Prompt
from arena_sdk._convert import action_message, prompt_from
from millearena.v1 import match_service_pb2 as pb

_LONGEST: Final = 200


class _Unseen(NamedTuple):
    """Events of one hand that the bot has not been shown, in the engine's codes."""

    game: int
    hand: int
    first_event: int
    events: bytes


class Player:
    """A bot at the table, for one match."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._unseen: _Unseen | None = None
        self._failures = 0
        self._last_failure = ""

    def answer(self, message: pb.Prompt) -> pb.PlayRequest:
        """The answer to a prompt: a pass where there is no choice, else the bot's."""
        prompt = self._prompt(message)
        if prompt.has_choice:
            self._unseen = None
            action = self._chosen(prompt)
        else:
            self._keep(prompt)
            action = PASS
        answer = pb.Answer(prompt_id=message.prompt_id)
        if action in prompt.legal:
            answer.legal_index = prompt.legal.index(action)
        else:  # for the referee to refuse: it says so, and counts
            answer.action.CopyFrom(action_message(action))
        return pb.PlayRequest(answer=answer)

    def skip(self, message: pb.Prompt) -> None:
        """Leave a prompt unanswered, because it is closed already."""
        self._keep(self._prompt(message))

    def report(self) -> None:
        """Say in one line on standard error how often the bot failed, if it did."""
        if not self._failures:
            return
        times = "1 time" if self._failures == 1 else f"{self._failures} times"
        line = f"choose raised {times} (last: {self._last_failure}); default actions were played"
        sys.stderr.write(f"arena_sdk: {line}\n")
        sys.stderr.flush()

    def _prompt(self, message: pb.Prompt) -> Prompt:
        """A prompt with the events that the bot has missed in this hand."""
        prompt = prompt_from(message)
        unseen = self._unseen
        if unseen is None or (unseen.game, unseen.hand) != (prompt.game, prompt.hand):
            return prompt
        view = prompt.view._replace(
            first_event=unseen.first_event, events=unseen.events + prompt.view.events
        )
        return replace(prompt, view=view)

    def _keep(self, prompt: Prompt) -> None:
        view = prompt.view
        self._unseen = _Unseen(prompt.game, prompt.hand, view.first_event, view.events)

    def _chosen(self, prompt: Prompt) -> Action:
        try:
            action = self._bot.choose(prompt)
            if not isinstance(action, Action):
                raise TypeError(f"choose returned {action!r}, which is no Action")
        except Exception as error:
            self._failures += 1
            self._last_failure = _in_one_line(error)
            traceback.print_exc()
            sys.stderr.flush()
            return prompt.default
        return action


def _in_one_line(error: Exception) -> str:
    """An exception as the last line of a traceback has it, cut short."""
    words = " ".join("".join(traceback.format_exception_only(error)).split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."
