"""Who is there, and what they have done wrong so far: presence, strikes, message budgets.

absent --gather--> starting --join--> present --end of the leg--> absent
|                  |
+------lose--------+--> lost, for the rest of the match
"""

from __future__ import annotations

from enum import Enum, auto

from arena.referee.events import BotNo, Forfeit
from arena.referee.game import MatchPlan
from arena.referee.limits import Instant, Nanos
from arena.referee.tally import Fault, Tally

__all__ = ["Roster"]


class _Presence(Enum):
    ABSENT = auto()
    STARTING = auto()
    PRESENT = auto()
    LOST = auto()


class Roster:
    """The bots of a match.

    Attributes:
        tallies: By bot, what went wrong and how long it thought.
        forfeits: In the order in which they happened.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.tallies = {bot: Tally() for bot in plan.bots}
        self.forfeits: list[Forfeit] = []
        self._plan = plan
        self._budget = plan.limits.faults
        self._presence = dict.fromkeys(plan.bots, _Presence.ABSENT)
        self._heard: dict[BotNo, Instant] = {}

    # -- presence -----------------------------------------------------------------------------

    def gather(self) -> list[BotNo]:
        """A leg begins: the bots to start, which are all that have not lost."""
        wanted = [bot for bot, how in self._presence.items() if how is not _Presence.LOST]
        for bot in wanted:
            self._presence[bot] = _Presence.STARTING
            self.tallies[bot].recent = 0
        return wanted

    def join(self, bot: BotNo, now: Instant, after: Nanos) -> bool:
        """A bot joins, so long after it was started; False: it was not waited for."""
        if self._presence[bot] is not _Presence.STARTING:
            return False
        self._presence[bot] = _Presence.PRESENT
        self._heard[bot] = now
        self.tallies[bot].start_ups.add(after)
        return True

    def is_present(self, bot: BotNo) -> bool:
        """It has joined this leg and not lost."""
        return self._presence[bot] is _Presence.PRESENT

    def is_starting(self, bot: BotNo) -> bool:
        """It is waited for."""
        return self._presence[bot] is _Presence.STARTING

    @property
    def starting(self) -> list[BotNo]:
        """Those that are waited for."""
        return [bot for bot, how in self._presence.items() if how is _Presence.STARTING]

    def leave(self) -> None:
        """A leg ends: nobody is there any more."""
        for bot, how in self._presence.items():
            if how is _Presence.PRESENT:
                self._presence[bot] = _Presence.ABSENT

    def lose(self, forfeit: Forfeit) -> None:
        """A bot has lost the match."""
        self._presence[forfeit.bot] = _Presence.LOST
        self.forfeits.append(forfeit)
        self.tallies[forfeit.bot].faults[Fault.FORFEITED] += 1

    @property
    def is_decided(self) -> bool:
        """Somebody has forfeited, and at most one team has not."""
        if not self.forfeits:
            return False
        seating = self._plan.seating
        lost = {seating.team_of[forfeit.bot] for forfeit in self.forfeits}
        return len(seating.teams) - len(lost) < 2

    # -- budgets ------------------------------------------------------------------------------

    def hear(self, bot: BotNo, now: Instant) -> bool:
        """A message of a bot came; whether it is beyond those that it has for each prompt."""
        self._heard[bot] = now
        tally = self.tallies[bot]
        tally.recent += 1
        return tally.recent > self._budget.messages_per_prompt

    def silence(self, bot: BotNo, now: Instant) -> Nanos:
        """How long ago its last message came."""
        return Nanos(max(0, now - self._heard.get(bot, now)))

    def surplus(self, bot: BotNo, fault: Fault) -> str:
        """Count a message that changes nothing; why that was one too many, if it was."""
        tally = self.tallies[bot]
        tally.faults[fault] += 1
        if fault is Fault.STALE:  # nobody's fault
            return ""
        tally.surplus += 1
        most = self._budget.surplus_messages
        if tally.surplus <= most:
            return ""
        return f"sent {tally.surplus} surplus messages, {most} are allowed; the last was {fault}"

    def strike(self, bot: BotNo, fault: Fault) -> int:
        """Count a strike; how many it has now."""
        tally = self.tallies[bot]
        tally.faults[fault] += 1
        tally.strikes += 1
        return tally.strikes
