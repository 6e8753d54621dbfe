"""A question to a bot: what it may know, what it can do, how long it may take."""

from __future__ import annotations

from time import monotonic
from typing import Final, NamedTuple, Self

from arena.engine.actions import PASS, Action, Verb
from arena.engine.state import Stage
from arena.engine.view import View


class _Fields(NamedTuple):
    view: View
    legal: tuple[Action, ...]
    default: Action
    time_limit: float
    bank_left: float
    game: int
    hand: int
    arrived: float


class Prompt(_Fields):
    """One question, with everything that the seat may know. Immutable.

    Attributes:
        view: The hand as this seat may know it: `view.cards`, `view.table`, `view.tables`, ...
        legal: The legal actions, at least one: plays in deck order, attacks, discards.
        default: What is played if no answer comes in time.
        time_limit: Seconds that the answer may take for free; for a response, at all.
        bank_left: Seconds in the bank, from which comes what takes longer. A response has none.
        game: Number of this game, from 0.
        hand: Number of this hand in the game, from 0.
        arrived: When the prompt came, on `time.monotonic`; when it was made, if that is not said.
    """

    __slots__ = ()

    # Written out, and made as a plain tuple: there is one for every decision, and a frozen
    # dataclass takes several times as long.
    def __new__(  # noqa: PLR0913, PLR0917 - its fields
        cls,
        view: View,
        legal: tuple[Action, ...],
        default: Action,
        time_limit: float,
        bank_left: float,
        game: int,
        hand: int,
        arrived: float | None = None,
    ) -> Self:
        if arrived is None:
            arrived = monotonic()
        return tuple.__new__(
            cls, (view, legal, default, time_limit, bank_left, game, hand, arrived)
        )

    @property
    def kind(self) -> Stage:
        """What is asked: DRAW, PLAY, RESPOND, EXTEND or TOP."""
        return self.view.stage

    @property
    def has_choice(self) -> bool:
        """Whether the bot is asked: not if it can only pass."""
        return self.legal != _ONLY_PASS

    def time_left(self, *, bank: bool = True) -> float:
        """Seconds until the answer is late, by this machine's clock; 0.0 when it is.

        With `bank=False`, seconds until it costs something. A courtesy: the referee's own clock
        decides, and it began a little earlier.
        """
        limit = self.time_limit
        if bank and self.kind is not Stage.RESPOND:
            limit += self.bank_left
        return max(0.0, limit - (monotonic() - self.arrived))

    # -- the legal actions by what they do, each in the order of `legal` -----------------------

    @property
    def drives(self) -> tuple[Action, ...]:
        """Distance cards that can be played, shortest first."""
        return tuple([one for one in self.plays if one.card is not None and one.card.is_distance])

    @property
    def remedies(self) -> tuple[Action, ...]:
        """Remedies that can be played."""
        return tuple([one for one in self.plays if one.card is not None and one.card.is_remedy])

    @property
    def safeties(self) -> tuple[Action, ...]:
        """Safeties that can be played."""
        return tuple([one for one in self.plays if one.card is not None and one.card.is_safety])

    @property
    def plays(self) -> tuple[Action, ...]:
        """Cards that can be laid on one's own table: the three above."""
        return tuple([one for one in self.legal if one.verb is Verb.PLAY and one.team is None])

    @property
    def attacks(self) -> tuple[Action, ...]:
        """Hazards that can be laid on others; each says on which `team`."""
        return tuple([one for one in self.legal if one.team is not None])

    @property
    def discards(self) -> tuple[Action, ...]:
        """Cards that can be thrown away."""
        return tuple([one for one in self.legal if one.verb is Verb.DISCARD])

    @property
    def coup_fourre(self) -> Action | None:
        """The coup fourré that answers the attack, if one can be played."""
        return next((one for one in self.legal if one.verb is Verb.COUP_FOURRE), None)

    def find(self, text: str) -> Action | None:
        """The legal action of that text, such as `draw discard`; None if it is not legal now."""
        return next((one for one in self.legal if one.text == text), None)


_ONLY_PASS: Final = (PASS,)
