"""What the arena makes of a record that was played again: what it should have stored of it.

seen = Seen()
verified = verify(file, seen)
report = seen.report(verified)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from arena.referee.entries import ForfeitLine, VerdictLine
from arena.referee.events import BotNo, Forfeit, ForfeitReason, GameResult, OutcomeKind, Verdict
from arena.referee.tally import Tally
from arena.storage.facts import Moment, Report
from arena.submissions.bottoml import Manifest
from arena.tournament.ladder.attempt import RatedSpec, Span, report_of
from arena.tournament.matches import MatchOutcome, MatchSpec

if TYPE_CHECKING:
    from arena.referee.matchcheck import MatchCheck
    from arena.referee.reading import Line
    from arena.referee.verifying import Verified

__all__ = ["Seen"]


@dataclass(slots=True)
class Seen:
    """What is seen of a record while `arena.referee.verifying.verify` plays it again."""

    games: list[GameResult] = field(default_factory=list)
    forfeits: list[Forfeit] = field(default_factory=list)
    strikes: list[int] = field(default_factory=list)

    def __call__(self, line: Line, match: MatchCheck) -> None:
        said = line.entry
        if isinstance(said, VerdictLine):
            self.games.extend(match.results)
            self.strikes.extend(match.accounts[bot].strikes for bot in sorted(match.accounts))
        if isinstance(said, ForfeitLine):
            reason = ForfeitReason(said.reason)
            self.forfeits.append(Forfeit(BotNo(said.bot), reason, said.detail, said.game))

    def report(self, verified: Verified) -> Report:
        """The report of the match; of faults it has strikes, and it knows no times and no logs."""
        header = verified.header
        plan, said = header.agreed, verified.verdict
        spec = MatchSpec(
            bots=tuple(
                Manifest(name=one.name, version=one.version, language="", run=(), folder=Path())
                for one in header.bots
            ),
            rules=plan.rules,
            seating=plan.seating,
            seed=b"",
            boards=header.boards,
            legs=plan.legs,
        )
        outcome = MatchOutcome(
            verdict=Verdict(OutcomeKind(said.kind), tuple(self.forfeits), said.void),
            results=tuple(self.games),
            tallies=tuple(Tally(strikes=count) for count in self.strikes),
            logs=("",) * len(header.bots),
            record_head=verified.head,
        )
        span = Span(started=Moment(0), ended=Moment(0), machine_time=0)
        rated = RatedSpec(match=0, attempt=header.attempt, token="", spec=spec)
        return report_of(rated, outcome, outcome.logs, "", span)
