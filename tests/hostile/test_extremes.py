"""Whatever a bot sends, it is read or refused, and the match goes on by its rules."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from arena.errors import BotFault
from arena.referee.events import (
    Answered,
    Begin,
    BotNo,
    Effect,
    Event,
    ForfeitReason,
    Gone,
    Joined,
    Noted,
    Prompt,
    Tell,
    Tick,
)
from arena.referee.limits import FaultBudget, Instant, WindowMode
from arena.referee.match import Match
from arena.transport.convert import Answer, Join, Note, read_request
from millearena.v1 import actions_pb2
from millearena.v1 import match_service_pb2 as pb
from tests.referee.plans import MS, make_plan

HOSTILE, HONEST = BotNo(0), BotNo(1)
NUMBERS = st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 25)
TEXTS = st.text(max_size=40) | st.sampled_from(["", "\0", "\u202e", "0" * 32, "x" * 15_000])


def actions() -> SearchStrategy[actions_pb2.Action]:
    """Every arm with any card and any target, and none."""
    plays = st.builds(
        lambda card, team: actions_pb2.Play(card=card, target_team=team),
        NUMBERS,
        st.none() | NUMBERS,
    )
    return st.one_of(
        st.builds(actions_pb2.Action, play=plays),
        st.builds(actions_pb2.Action, discard=st.builds(actions_pb2.Discard, card=NUMBERS)),
        st.builds(actions_pb2.Action, coup_fourre=st.builds(actions_pb2.CoupFourre, card=NUMBERS)),
        st.builds(actions_pb2.Action, draw=st.builds(actions_pb2.Draw, source=NUMBERS)),
        st.builds(actions_pb2.Action, top=st.builds(actions_pb2.Top, card=NUMBERS)),
        st.builds(actions_pb2.Action, **{"pass": st.builds(actions_pb2.Pass)}),
        st.builds(actions_pb2.Action),
    )


def answers(prompt_ids: SearchStrategy[str]) -> SearchStrategy[pb.Answer]:
    """An answer to one of these with any place or action, or with nothing."""
    orders = st.lists(NUMBERS, max_size=5)
    return st.one_of(
        st.builds(pb.Answer, prompt_id=prompt_ids, legal_index=NUMBERS, coup_fourre_on=orders),
        st.builds(pb.Answer, prompt_id=prompt_ids, action=actions(), coup_fourre_on=orders),
        st.builds(pb.Answer, prompt_id=prompt_ids),
    )


def requests(prompt_ids: SearchStrategy[str]) -> SearchStrategy[bytes]:
    """Any message of a bot, well-formed or not."""
    good = st.one_of(
        st.builds(pb.PlayRequest, answer=answers(prompt_ids)),
        st.builds(pb.PlayRequest, note=st.builds(pb.Note, text=TEXTS)),
        st.builds(
            pb.PlayRequest,
            join=st.builds(pb.Join, protocol_version=NUMBERS, bot_name=TEXTS, sdk=TEXTS),
        ),
    ).map(lambda request: request.SerializeToString())
    return good | damaged(good) | st.binary(max_size=200)


@st.composite
def damaged(draw: DrawFn, good: SearchStrategy[bytes]) -> bytes:
    """A message with a byte changed, or broken off."""
    raw = bytearray(draw(good))
    if not raw:
        return b""
    at = draw(st.integers(0, len(raw) - 1))
    if draw(st.booleans()):
        return bytes(raw[:at])
    raw[at] = draw(st.integers(0, 255))
    return bytes(raw)


@given(raw=requests(TEXTS))
def test_a_message_is_read_or_refused(raw: bytes) -> None:
    try:
        told: object = read_request(raw)
    except BotFault as error:
        told = error
    assert isinstance(told, Join | Answer | Note) or "\n" not in str(told)


class Table:
    """A match without a wire: the events of its bots go in, what they are asked is kept."""

    def __init__(self, window: WindowMode) -> None:
        plan = make_plan(window=window, faults=FaultBudget())
        self.match = Match(plan, b"secret")
        self.now = 1_000_000_000
        self.asked: dict[BotNo, Prompt] = {}
        self.ids = ["0"]
        self.handle(Begin())
        for bot in (HOSTILE, HONEST):
            self.handle(Joined(bot))

    def handle(self, event: Event) -> None:
        self._see(self.match.handle(event, Instant(self.now)))

    def _see(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Tell) and isinstance(effect.message, Prompt):
                self.asked[effect.bot] = effect.message
                if effect.bot == HOSTILE:
                    self.ids.append(effect.message.prompt_id)

    def honest_answers(self) -> None:
        """Let the honest bot answer what it is asked."""
        while (prompt := self.asked.pop(HONEST, None)) is not None:
            self.handle(Answered(HONEST, prompt.prompt_id, 0, Instant(self.now)))

    def say(self, raw: bytes) -> None:
        """What a stream makes of a message of the hostile bot."""
        at = Instant(self.now)
        try:
            request = read_request(raw)
        except BotFault as error:
            self.handle(Gone(HOSTILE, str(error), ForfeitReason.PROTOCOL))
            return
        if isinstance(request, Answer):
            event = Answered(HOSTILE, request.prompt_id, request.choice, at, request.orders)
            self.handle(event)
        elif isinstance(request, Note):
            self.handle(Noted(HOSTILE))
        else:
            self.handle(Gone(HOSTILE, "a second join", ForfeitReason.PROTOCOL))

    def pass_time(self, milliseconds: int) -> None:
        """Go on so far, and to each deadline on the way."""
        until = self.now + milliseconds * MS
        while (deadline := self.match.deadline) is not None and deadline < until:
            self.now = max(self.now, deadline + 1)
            self.handle(Tick())
            self.honest_answers()
        self.now = until


@given(data=st.data(), window=st.sampled_from(WindowMode))
def test_no_message_breaks_a_match_or_costs_the_other_bot_anything(
    data: st.DataObject, window: WindowMode
) -> None:
    table = Table(window)
    for _ in range(data.draw(st.integers(1, 30))):
        if table.match.over:
            break
        table.honest_answers()
        table.pass_time(data.draw(st.sampled_from([0, 0, 0, 1, 60, 500])))
        ids = st.sampled_from([table.ids[-1]] * 4 + table.ids) | TEXTS
        # Mostly answers, since whatever is no message ends the match at once.
        answer = answers(ids).map(lambda one: pb.PlayRequest(answer=one).SerializeToString())
        table.say(data.draw(answer | answer | answer | answer | requests(ids)))
    honest = table.match.roster.tallies[HONEST]
    assert not honest.faults.total()
    assert honest.strikes == 0
    assert all(lost.bot == HOSTILE for lost in table.match.roster.forfeits)
