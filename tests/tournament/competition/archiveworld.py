"""A competition without a server: its journal is folded, its matches are played by scripts.

The records are real: the referee has played them on a clock that is set by hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from arena.engine.version import ENGINE_VERSION
from arena.referee.match import Match as Refereed
from arena.referee.record import RecordWriter, header
from arena.referee.scripted import HostFails, Reply, Script, ScriptedSeat, Simulation, eager
from arena.storage.attempts import commitment, competition_commitment, competition_seed
from arena.storage.facts import (
    Attempt,
    AttemptState,
    Match,
    MatchState,
    Moment,
    NewMatch,
    Result,
)
from arena.submissions.manifest import Manifest
from arena.tournament.competition import events
from arena.tournament.competition.due import due
from arena.tournament.competition.events import Event, FrozenEntry
from arena.tournament.competition.journal import ITSELF, Journal, Line
from arena.tournament.competition.matching import games_of, match_of, team_seats
from arena.tournament.competition.scores import score_of
from arena.tournament.competition.state import Competition, Phase, Stage
from arena.tournament.ladder.attempt import RatedSpec, Span, report_of
from arena.tournament.ladder.terms import terms_from
from arena.tournament.matches import MatchOutcome, MatchSpec
from tests.referee.plans import hostile, patient
from tests.tournament.scripted import manifest

REGULATIONS: Final = """
name = "school-afternoon"
title = "School afternoon"

[game]
ruleset = "express"
players = 2
hands = 1
boards = 1

[entrants]
from = "open"
seeding = "lot"

[[group]]
name = "Year 9"
owners = ["ann", "ben"]

[[group]]
name = "Årsklass 8"
owners = ["cem", "dot"]

[[stage]]
name = "All against all"
format = "round-robin"
advance = 2

[[stage]]
name = "Final"
format = "elimination"
best_of = 1
"""

SECRET: Final = bytes(range(32))
ADMIN: Final = "admin token 1f2e"


def _clumsy(prompt: Any) -> list[Reply]:
    """Answers what is not legal in its first three prompts: strikes."""
    return [Reply(99 if prompt.number in (1, 3) else 0)]


SCRIPTS: Final[dict[str, Script]] = {
    "ann/keeper": eager,
    "ben/racer": _clumsy,
    "cem/sum": patient,
    "dot/slow": hostile,
}


GROUPS: Final = {"ann": "Year 9", "ben": "Year 9", "cem": "Årsklass 8", "dot": "Årsklass 8"}


def entries(*, grouped: bool = True, more: Sequence[str] = ()) -> tuple[FrozenEntry, ...]:
    """Who plays: four bots and `more`, each with its second version."""
    return tuple(
        FrozenEntry(
            title=title,
            entrant=number + 10,
            version=number + 100,
            ordinal=2,
            digest=hashlib.sha256(title.encode()).hexdigest(),
            group=GROUPS[title.partition("/")[0]] if grouped else "",
        )
        for number, title in enumerate([*SCRIPTS, *more])
    )


class World:
    """A competition that is conducted by hand; it is an `ArchiveSource` as well."""

    def __init__(self, text: str = REGULATIONS, secret: bytes = SECRET) -> None:
        self.secret = secret
        self._now = 1_790_000_000_000
        self._journal = Journal()
        self.stored: list[bytes] = []
        self.store: dict[str, Match] = {}
        self.records: dict[tuple[int, int], bytes] = {}
        line = self._written(ADMIN, events.Announced(text))
        self.here = Competition(line)

    # -- a source -------------------------------------------------------------------------------

    def journal(self) -> list[bytes]:
        return self.stored

    def matches(self) -> list[Match]:
        return list(self.store.values())

    def record(self, match: int, attempt: int, /) -> Iterator[bytes]:
        content = self.records[match, attempt]
        for start in range(0, len(content), 1000):
            yield content[start : start + 1000]

    # -- what happens ---------------------------------------------------------------------------

    def say(self, event: Event, who: str = ADMIN) -> None:
        """Have something happen."""
        self.here.require(event)
        self.here.take(self._written(who, event))
        self._make_matches()

    def _written(self, who: str, event: Event) -> Line:
        self._now += 1000
        line, stored = self._journal.write(Moment(self._now), who, event)
        self.stored.append(stored)
        return line

    def freeze(self, who: Sequence[FrozenEntry] | None = None) -> None:
        """Everybody enters, and is frozen."""
        who = entries() if who is None else who
        self.say(events.Opened(), ITSELF)
        for entry in who:
            self.say(events.Entered(entry.title, entry.group), f"owner {entry.owner}")
        self.say(events.Closed(self._now))
        promise = competition_commitment(self.here.regulations.name, self.secret)
        self.say(events.Frozen(tuple(who), (), promise), ITSELF)

    def seed_of(self, what: str, attempt: int) -> bytes:
        return competition_seed(self.secret, self.here.mixed, what, attempt)

    def go_on(self) -> bool:
        """What follows by itself; whether anything did."""
        event = due(self.here, self.seed_of)
        if event is not None:
            self.say(event, ITSELF)
        return event is not None

    def play(
        self, most: int = 1000, *, fails: Callable[[NewMatch, int], bool] | None = None
    ) -> int:
        """Play so many of the matches that wait; an attempt for which `fails` says so is void."""
        done = 0
        for stage in self.here.stages:
            for pairing in stage.to_play():
                if done == most:
                    return done
                self.score(stage, pairing.key, fails)
                done += 1
        return done

    def play_all(self, *, fails: Callable[[NewMatch, int], bool] | None = None) -> None:
        """Play to the end of all stages."""
        while self.go_on() or self.play(fails=fails):
            pass

    def score(
        self, stage: Stage, key: str, fails: Callable[[NewMatch, int], bool] | None = None
    ) -> None:
        """Play the present run of a pairing, and take its score down."""
        name = stage.name_of(key)
        pairing, match = stage.pairings[key], self.store[name]
        new = match_of(self.here, stage, pairing, 1)
        match = self._attempted(match, new, fails or (lambda new, attempt: False))
        self.store[name] = match
        assert match.result is not None
        self.say(
            events.Scored(
                stage=stage.number,
                key=key,
                run=stage.runs[key],
                match=match.number,
                attempt=match.result.attempt,
                record=match.result.record,
                head=match.result.head,
                score=score_of(
                    team_seats(stage), match.result, games_of(self.here, stage, pairing)
                ),
            ),
            ITSELF,
        )

    def finish(self) -> None:
        """The secret seed is revealed."""
        assert self.here.phase is Phase.RUNNING
        self.say(events.Finished(self.secret.hex()))

    def _make_matches(self) -> None:
        for stage in self.here.stages:
            for pairing in stage.to_play():
                name = stage.name_of(pairing.key)
                if name not in self.store:
                    new = match_of(self.here, stage, pairing, 1)
                    self.store[name] = Match(
                        number=len(self.store) + 41,
                        kind=new.kind,
                        table=new.table,
                        state=MatchState.QUEUED,
                        created=Moment(self._now),
                        seats=new.seats,
                        teams=new.teams,
                        terms=json.loads(json.dumps(new.terms)),
                        competition=1,
                        pairing=name,
                    )

    # -- how it is played -----------------------------------------------------------------------

    def _attempted(
        self, match: Match, new: NewMatch, fails: Callable[[NewMatch, int], bool]
    ) -> Match:
        attempts: list[Attempt] = []
        while True:
            number = len(attempts) + 1
            is_void = fails(new, number)
            seed = self.seed_of(new.pairing, number)
            spec = self._spec(match, number, seed)
            content, head, outcome = _recorded(spec, self._seats(match, is_void))
            self.records[match.number, number] = content
            digest = hashlib.sha256(content).hexdigest()
            result = _result(match, spec, outcome, digest, head)
            attempts.append(
                Attempt(
                    match=match.number,
                    number=number,
                    state=AttemptState.VOID if is_void else AttemptState.DONE,
                    worker="local",
                    commitment=commitment(match.number, number, seed),
                    seed=seed.hex(),
                    leased=Moment(self._now),
                    lease_ends=Moment(self._now + 60_000),
                    ended=Moment(self._now + 500),
                    why=result.why,
                    record=digest,
                )
            )
            if not is_void:
                state = MatchState.DONE
                return replace(match, state=state, attempts=tuple(attempts), result=result)

    def _title(self, match: Match, seat: int) -> str:
        numbers = {entry.entrant: entry.title for entry in self.here.entries}
        return numbers[match.seats[seat].entrant]

    def _seats(self, match: Match, is_void: bool) -> list[ScriptedSeat]:
        titles = [self._title(match, seat) for seat in range(len(match.seats))]
        scripts = [SCRIPTS.get(title, eager) for title in titles]
        if is_void:
            scripts[0] = lambda prompt: [HostFails(why="out of memory")]
        return [ScriptedSeat(script) for script in scripts]

    def _spec(self, match: Match, attempt: int, seed: bytes) -> MatchSpec:
        terms = terms_from(match.terms)
        seating = terms.seating(match.teams)
        digests = {entry.entrant: entry.digest for entry in self.here.entries}
        bots: list[Manifest] = [
            manifest(self._title(match, seat).partition("/")[2]) for seat in range(len(match.seats))
        ]
        return MatchSpec(
            number=match.number,
            attempt=attempt,
            title=f"{match.number}-{attempt}",
            bots=tuple(bots),
            rules=terms.rules(seating.players),
            seating=seating,
            seed=seed,
            boards=tuple(range(terms.boards)),
            legs=terms.legs(seating.players),
            limits=terms.limits,
            length=terms.length,
            striped=terms.striped,
            play_on=len(match.teams) > 2,
            facts={
                "match": str(match.number),
                "kind": "competition",
                "table": match.table,
                "entrants": [seat.entrant for seat in match.seats],
                "versions": [digests[seat.entrant] for seat in match.seats],
                "commitment": commitment(match.number, attempt, seed),
            },
        )


def _recorded(spec: MatchSpec, seats: Sequence[ScriptedSeat]) -> tuple[bytes, str, MatchOutcome]:
    simulation = Simulation(Refereed(spec.plan(), b"secret"), seats)
    simulation.run()
    plan = simulation.match.plan
    facts = {
        "match": spec.name,
        "attempt": spec.attempt,
        "created": "2026-01-01T00:00:00+00:00",
        "bots": [{"name": one.name, "version": "1", "digest": ""} for one in spec.bots],
        "bot_seeds": [
            [spec.bot_seed(bot, leg) for bot in plan.bots] for leg in range(len(plan.legs))
        ],
        "boards": spec.boards,
        **spec.facts,
    }
    content: list[bytes] = []
    writer = RecordWriter(plan, header(plan, engine=ENGINE_VERSION, facts=facts), content.append)
    for at, effect in simulation.effects:
        writer(effect, at)
    writer.flush()
    match = simulation.match
    assert match.verdict is not None
    outcome = MatchOutcome(
        verdict=match.verdict,
        results=tuple(match.results),
        tallies=tuple(match.roster.tallies[bot] for bot in plan.bots),
        logs=("",) * len(spec.bots),
        record_head=writer.head,
    )
    return b"".join(content), writer.head, outcome


def _result(match: Match, spec: MatchSpec, outcome: MatchOutcome, record: str, head: str) -> Result:
    span = Span(started=Moment(1), ended=Moment(2), machine_time=1)
    rated = RatedSpec(match=match.number, attempt=spec.attempt, token="", spec=spec)
    report = report_of(rated, outcome, outcome.logs, record, span)
    return Result(
        match=match.number,
        attempt=spec.attempt,
        verdict=report.verdict,
        why=report.why,
        ranks=report.ranks,
        seats=report.seats,
        games=report.games,
        record=record,
        head=head,
        started=report.started,
        ended=report.ended,
    )
