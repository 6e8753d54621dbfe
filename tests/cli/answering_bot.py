"""A bot without the SDK: `python answering_bot.py BEHAVIOUR`. Needs the stubs alone.

first, last: that legal action    chance: any, by its seed    echo: tells what it was asked
mute: nothing, ever               leave: ends at its 4th prompt    absent: never joins
illegal: an index that there is not    empty: an answer without a choice
"""

from __future__ import annotations

import os
import queue
import random
import sys
import time
from collections.abc import Callable, Iterator

import grpc

from millearena.v1 import match_service_pb2 as pb
from millearena.v1.match_service_pb2_grpc import MatchServiceStub

RNG = random.Random(os.environ.get("ARENA_BOT_SEED"))

CHOICES: dict[str, Callable[[pb.Prompt], int | None]] = {
    "first": lambda prompt: 0,
    "last": lambda prompt: len(prompt.legal_actions) - 1,
    "chance": lambda prompt: RNG.randrange(len(prompt.legal_actions)),
    "illegal": lambda prompt: len(prompt.legal_actions),
    "empty": lambda prompt: None,
}


def play(behaviour: str) -> None:
    outbox: queue.SimpleQueue[pb.PlayRequest] = queue.SimpleQueue()
    outbox.put(pb.PlayRequest(join=pb.Join(protocol_version=1, bot_name="raw")))

    def requests() -> Iterator[pb.PlayRequest]:
        while True:
            yield outbox.get()

    options = (("grpc.default_authority", "localhost"), ("grpc.enable_http_proxy", 0))
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"], options=options) as channel:
        prompts = 0
        for response in MatchServiceStub(channel).Play(requests(), wait_for_ready=True):
            kind = response.WhichOneof("message")
            if kind == "match_over":
                return
            if behaviour == "echo":
                sys.stderr.write(f"{kind}\n")
            if kind != "prompt":
                continue
            prompts += 1
            if behaviour == "leave" and prompts == 4:
                sys.stderr.write("out of petrol\n")
                os._exit(3)
            if behaviour != "mute":
                choice = CHOICES.get(behaviour, CHOICES["first"])(response.prompt)
                answer = pb.Answer(prompt_id=response.prompt.prompt_id, legal_index=choice)
                outbox.put(pb.PlayRequest(answer=answer))


if __name__ == "__main__":
    if sys.argv[1] == "absent":
        time.sleep(3600)
    play(sys.argv[1])
