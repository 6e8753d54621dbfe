"""When a bot is asked and told what: the SDK without a wire.

`Player` takes the SDK's own values and gives actions. Over gRPC `_stream` brings it the values; a
referee in the same process can use it as it is:

    player.welcome(welcome)             a game begins
    action = player.answer(prompt)      a question
    orders = player.orders(prompt)      after it: standing orders; none in other modes
    player.write_notes()                after it: lines for the author's log
    player.skip(prompt)                 a question that is closed already
    player.rejected(...), player.hand_over(...), player.match_over(...)
    player.report()                     in the end: one line about what went wrong

A prompt brings the events since the one before it. Those of prompts that the bot never sees are
kept and put in front of the next prompt's, so that `view.history` holds everything since the bot
was last asked.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from random import Random
from typing import Final, NamedTuple

from arena.engine.actions import PASS, Action
from arena.engine.cards import Card
from arena.engine.codes import Event, decode_events
from arena.engine.state import Stage
from arena.errors import quoted
from arena_sdk._bot import Bot
from arena_sdk._failures import Failures
from arena_sdk._notes import Notes
from arena_sdk._prompt import Prompt
from arena_sdk._values import HandResult, MatchResult, Rejection, Welcome, WindowMode

_RESPOND: Final = Stage.RESPOND


class _Unseen(NamedTuple):
    """Events of one hand that the bot has not been shown, in the engine's codes."""

    game: int
    hand: int
    first_event: int
    events: bytes


class Player:
    """A bot at the table, for one stream of games.

    `seed` becomes that of `bot.rng`; without it ARENA_BOT_SEED is. `failures` takes what the bot
    raises, and may raise in turn.

    Attributes:
        bot: The bot.
        notes: What the bot has noted; to be sent with an answer that is in time.
    """

    def __init__(
        self, bot: Bot, *, failures: Failures | None = None, seed: str | None = None
    ) -> None:
        self.notes = Notes()
        self.bot = bot
        self._failures = Failures() if failures is None else failures
        own = type(bot)
        self._responder = "choose" if own.respond is Bot.respond else "respond"
        self._watches = own.saw is not Bot.saw
        self._gives_orders = False
        self._at = (-1, -1)  # game and hand that the bot has heard of
        self._unseen: _Unseen | None = None
        self._newer = 0
        self._last_newer = ""
        bot._arena_notes = self.notes  # the other half of `Bot.note`
        if seed is not None and own.rng is Bot.rng and "rng" not in vars(bot):
            bot.rng = Random(seed)

    # -- questions ----------------------------------------------------------------------------

    def answer(self, prompt: Prompt) -> Action:
        """What the bot does; `pass`, at once and without asking it, if that is all it can."""
        if not prompt.has_choice:
            self.skip(prompt)
            return PASS
        prompt = self._with_unseen(prompt)
        self._enter(prompt.game, prompt.hand)
        if self._watches and prompt.view.events:
            self._call("saw", prompt.view.history)
        return self._ask(prompt)

    def orders(self, prompt: Prompt) -> tuple[Card, ...]:
        """The hazards that the bot wants answered, after its answer to `prompt`.

        None where windows are not run so, or if it fails to say.
        """
        if not self._gives_orders:
            return ()
        try:
            return _hazards(self.bot.standing_orders(prompt))
        except Exception as error:
            self._failures.take("standing_orders", error)
            return ()

    def skip(self, prompt: Prompt) -> None:
        """Leave a prompt unasked, but keep its events."""
        prompt = self._with_unseen(prompt)
        view = prompt.view
        self._unseen = _Unseen(prompt.game, prompt.hand, view.first_event, view.events)

    # -- news ---------------------------------------------------------------------------------

    def welcome(self, welcome: Welcome) -> None:
        """A game begins."""
        self._show_unseen()
        self.notes.allow(welcome.faults)
        self._gives_orders = welcome.window_mode is WindowMode.STANDING
        self._call("game_started", welcome)

    def rejected(self, rejection: Rejection) -> None:
        """The default action was played for the bot."""
        self._call("rejected", rejection)

    def hand_over(self, result: HandResult) -> None:
        """A hand has ended."""
        self._show_unseen()
        self._enter(result.game, result.hand)
        self._show(result.events)
        self._call("hand_over", result)

    def match_over(self, result: MatchResult) -> None:
        """It is over."""
        self._show_unseen()
        self._call("match_over", result)

    def passed_over(self, why: str) -> None:
        """Something came that is newer than this SDK; a prompt among it got the default."""
        self._newer += 1
        self._last_newer = why

    def report(self) -> None:
        """Say in one line on standard error what went wrong, if anything did.

        Before it stand the notes that no answer has taken along.
        """
        self.write_notes()
        phrases = self._failures.summary()
        if dropped := self.notes.dropped:
            phrases.append(f"{_so_many(dropped, 'note')} dropped, {self.notes.most} fit an answer")
        if newer := self._newer:
            what = f"{_so_many(newer, 'message')} newer than this SDK passed over"
            phrases.append(f"{what} (last: {self._last_newer})")
        if phrases:
            sys.stderr.write(f"arena_sdk: {'; '.join(phrases)}\n")
            sys.stderr.flush()

    def write_notes(self) -> None:
        """Write the notes that wait to standard error: where no stream takes them along."""
        for text in self.notes.take():
            sys.stderr.write(f"{text}\n")

    # -- inside -------------------------------------------------------------------------------

    def _ask(self, prompt: Prompt) -> Action:
        method = self._responder if prompt.view.stage is _RESPOND else "choose"
        try:
            action = self.bot.choose(prompt) if method == "choose" else self.bot.respond(prompt)
            if not isinstance(action, Action):
                raise TypeError(f"{method} returned {quoted(action)}, which is no Action")
        except Exception as error:
            self._failures.take(method, error)
            return prompt.default
        return action

    def _call(self, hook: str, *args: object) -> None:
        try:
            getattr(self.bot, hook)(*args)
        except Exception as error:
            self._failures.take(hook, error)

    def _enter(self, game: int, hand: int) -> None:
        """Tell the bot of a hand that it has not heard of."""
        if self._at != (game, hand):
            self._at = (game, hand)
            self._call("hand_started", game, hand)

    def _show(self, events: tuple[Event, ...]) -> None:
        if self._watches and events:
            self._call("saw", events)

    def _with_unseen(self, prompt: Prompt) -> Prompt:
        """The prompt with the events that the bot has missed in this hand."""
        unseen = self._unseen
        if unseen is None:
            return prompt
        if (unseen.game, unseen.hand) != (prompt.game, prompt.hand):
            self._show_unseen()
            return prompt
        self._unseen = None
        view = prompt.view._replace(
            first_event=unseen.first_event, events=unseen.events + prompt.view.events
        )
        return prompt._replace(view=view)

    def _show_unseen(self) -> None:
        """Show what is left of a hand in which the bot was not asked again."""
        unseen, self._unseen = self._unseen, None
        if unseen is not None:
            self._enter(unseen.game, unseen.hand)
            self._show(tuple(decode_events(unseen.events)))


def _hazards(cards: Collection[Card]) -> tuple[Card, ...]:
    """Standing orders, checked: whoever names a safety has misunderstood something."""
    orders = tuple(sorted(set(map(Card, cards))))
    for card in orders:
        if not card.is_hazard:
            raise ValueError(f"standing_orders returned {card}, which is no hazard")
    return orders


def _so_many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
