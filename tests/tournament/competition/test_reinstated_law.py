"""A law: whatever happens meanwhile, who is reinstated might as well never have left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.story import Pairing, Score
from arena.storage.facts import Moment
from arena.tournament.competition import events
from arena.tournament.competition.due import due
from arena.tournament.competition.events import Event, FrozenEntry
from arena.tournament.competition.journal import Journal
from arena.tournament.competition.state import Competition, Stage
from tests.tournament.competition.house import OPERATOR, regulations
from tests.tournament.competition.test_reinstated import FORMATS


class Fold:
    """A competition of which there is but the journal; the better seed of a pairing wins it."""

    def __init__(self, text: str, bots: int) -> None:
        self.journal = Journal()
        line, _ = self.journal.write(Moment(1), OPERATOR, events.Announced(text))
        self.here = Competition(line)
        entries = tuple(
            FrozenEntry(title=f"o{n}/bot", entrant=n, version=n, ordinal=1, digest="")
            for n in range(bots)
        )
        self.say(events.Closed(1), events.Frozen(entries, (), ""), events.Started())

    def say(self, *happened: Event) -> None:
        for event in happened:
            line, _ = self.journal.write(Moment(1), OPERATOR, event)
            self.here.take(line)

    def due(self) -> Event | None:
        return due(self.here, _no_secret)

    def waiting(self) -> list[tuple[Stage, Pairing]]:
        return [(stage, one) for stage in self.here.stages for one in stage.to_play()]

    def scored(self, stage: Stage, pairing: Pairing) -> Event:
        best = pairing.teams.index(min(pairing.teams))
        ranks = tuple(1 + (team != best) for team in range(len(pairing.teams)))
        nothing = (0,) * len(ranks)
        return events.Scored(
            stage=stage.number,
            key=pairing.key,
            run=stage.runs[pairing.key],
            match=1,
            attempt=1,
            record="",
            head="",
            score=Score(ranks=ranks, boards=nothing, faults=nothing),
        )

    def step(self, data: st.DataObject, *, may_go_on: bool = True) -> Event | None:
        """What follows by itself, or the score of any match that waits; None: there is neither."""
        event, waiting = (self.due() if may_go_on else None), self.waiting()
        if event is None and waiting:
            event = self.scored(*data.draw(st.sampled_from(waiting), "played"))
        if event is not None:
            self.say(event)
        return event


WAYS_OUT: Final[Sequence[Sequence[type[events.Withdrawn | events.Disqualified]]]] = (
    (events.Withdrawn,),
    (events.Disqualified,),
    (events.Withdrawn, events.Disqualified),
)


@given(data=st.data(), what=st.sampled_from(list(FORMATS)), bots=st.integers(6, 9))
def test_after_it_everything_is_as_if_it_had_never_left(
    data: st.DataObject, what: str, bots: int
) -> None:
    fold = Fold(regulations(*FORMATS[what]), bots)
    for _ in range(data.draw(st.integers(0, 30), "steps before")):
        fold.step(data)
    then = fold.here.copy()
    number = data.draw(st.integers(0, bots - 1), "who leaves")
    fold.say(*(kind(number, "a mistake") for kind in data.draw(st.sampled_from(WAYS_OUT))))
    for _ in range(data.draw(st.integers(0, 4), "steps meanwhile")):
        event = fold.step(data, may_go_on=data.draw(st.booleans(), "goes on"))
        if isinstance(event, events.Scored) and event.stage <= len(then.stages):
            now = fold.here.stages[event.stage - 1]
            then.stages[event.stage - 1].results[event.key] = now.results[event.key]
    back = events.Reinstated(number, "it was none")
    if fold.here.announced != then.announced:
        with pytest.raises(InputError, match="too late"):
            fold.here.require(back)
        return
    fold.say(back)
    assert fold.here.out == {}
    for now, unmoved in zip(fold.here.stages, then.stages, strict=True):
        assert now.story() == unmoved.story()
        assert now.to_play() == unmoved.to_play()
        again = {
            one.key
            for one in now.to_play()
            if number in {now.entries[place] for place in one.entrants}
        }
        assert now.runs == {key: run + (key in again) for key, run in unmoved.runs.items()}
    assert fold.due() == due(then, _no_secret)


def _no_secret(what: str, attempt: int) -> bytes:
    return bytes(32)
