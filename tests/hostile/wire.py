"""A seat's wire, for the bots of this corpus: bytes out, messages in, over a plain gRPC call.

Nothing of the SDK is used: a hostile bot has no reason to, and what is tested is the referee.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from typing import Final

import grpc

from millearena.v1 import match_service_pb2 as pb

PLAY: Final = "/millearena.v1.MatchService/Play"
TOKEN: Final = "arena-token"

Pairs = Sequence[tuple[str, str]]


def address() -> str:
    return os.environ["ARENA_ADDRESS"]


def socket_path() -> str:
    return address().removeprefix("unix:")


def token() -> tuple[tuple[str, str], ...]:
    """What the call shows on a port; nothing on a socket."""
    shown = os.environ.get("ARENA_TOKEN")
    return ((TOKEN, shown),) if shown else ()


def log(text: str) -> None:
    """Write a line that a case can expect in the bot's log."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def join(version: int = 1, name: str = "bot") -> bytes:
    request = pb.PlayRequest(join=pb.Join(protocol_version=version, bot_name=name))
    return request.SerializeToString()


def answer(prompt_id: str, index: int) -> bytes:
    request = pb.PlayRequest(answer=pb.Answer(prompt_id=prompt_id, legal_index=index))
    return request.SerializeToString()


def note(text: str) -> bytes:
    return pb.PlayRequest(note=pb.Note(text=text)).SerializeToString()


def sensible(prompt: pb.Prompt) -> int:
    """Answer an attack if that can be, attack if that can be, else the first legal action."""
    arms = [action.WhichOneof("kind") for action in prompt.legal_actions]
    if "coup_fourre" in arms:
        return arms.index("coup_fourre")
    for place, action in enumerate(prompt.legal_actions):
        if action.WhichOneof("kind") == "play" and action.play.HasField("target_team"):
            return place
    return 0


def discards(prompt: pb.Prompt) -> list[int]:
    """The places of the actions that discard a card, different cards each."""
    actions = enumerate(prompt.legal_actions)
    return [place for place, action in actions if action.WhichOneof("kind") == "discard"]


def discarded(prompt: pb.Prompt) -> int:
    """The card that the prompt's seat has discarded last, as its events tell; 0: none."""
    cards = [
        event.card_discarded.card
        for event in prompt.view.events
        if event.seat == prompt.view.seat and event.HasField("card_discarded")
    ]
    return cards[-1] if cards else 0


def channel(target: str = "", options: Pairs | Sequence[tuple[str, int]] = ()) -> grpc.Channel:
    """A connection of its own: channels of one process would share one."""
    own = (("grpc.use_local_subchannel_pool", 1), ("grpc.default_authority", "localhost"))
    return grpc.insecure_channel(target or address(), options=(*own, *options))


def status(method: str, *, metadata: Pairs = (), on: grpc.Channel) -> grpc.StatusCode:
    """How a call of another method ends."""
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = on.unary_unary(method)
    try:
        call(b"", metadata=tuple(metadata), timeout=5)
    except grpc.RpcError as error:
        return error.code()
    return grpc.StatusCode.OK


class Seat:
    """One call of `Play`.

    Attributes:
        over: What the match was for this seat, once that has been told.
        failed: How the call failed, once it has.
    """

    def __init__(
        self,
        target: str = "",
        *,
        metadata: Pairs | None = None,
        deadline: float | None = None,
        options: Pairs | Sequence[tuple[str, int]] = (),
        joins: bool = True,
    ) -> None:
        self.over: pb.MatchOver | None = None
        self.failed: grpc.StatusCode | None = None
        self._out: SimpleQueue[bytes | None] = SimpleQueue()
        self.channel = channel(target, options)
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = self.channel.stream_stream(PLAY)
        shown = token() if metadata is None else metadata
        self.call = play(iter(self._out.get, None), metadata=tuple(shown), timeout=deadline)
        if joins:
            self.say(join())

    def say(self, request: bytes) -> None:
        self._out.put(request)

    def answer(self, prompt: pb.Prompt, index: int | None = None) -> None:
        self.say(answer(prompt.prompt_id, sensible(prompt) if index is None else index))

    def half_close(self) -> None:
        self._out.put(None)

    def messages(self) -> Iterator[pb.PlayResponse]:
        """All that is told, until the call ends; `failed` then says how, if it is not OK."""
        try:
            for raw in self.call:
                message = pb.PlayResponse.FromString(raw)
                if message.HasField("match_over"):
                    self.over = message.match_over
                yield message
        except grpc.RpcError as error:
            self.failed = error.code()

    def prompts(self) -> Iterator[pb.Prompt]:
        """All that is asked, until the call ends."""
        return (one.prompt for one in self.messages() if one.HasField("prompt"))

    def next_prompt(self) -> pb.Prompt:
        return next(self.prompts())

    def play_on(self) -> None:
        """Play as one should, to the end."""
        for prompt in self.prompts():
            self.answer(prompt)
