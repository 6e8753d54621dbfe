"""The life of a bot: connect, join, answer every prompt, leave when the match is over."""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from typing import Final

import grpc
import grpc.aio

from arena.engine.actions import PASS, Action
from arena_sdk._bot import Bot, Prompt
from arena_sdk._convert import action_message, prompt_from
from millearena.v1 import match_service_pb2 as pb
from millearena.v1.match_service_pb2_grpc import MatchServiceStub

ADDRESS: Final = "ARENA_ADDRESS"
PROTOCOL_VERSION: Final = 1

# The authority is a made-up name: a socket's path is none, and some servers look at it.
OPTIONS: Final = (("grpc.default_authority", "localhost"),)


def run(bot: Bot) -> None:
    """Play one match with `bot` at the referee that ARENA_ADDRESS names, and return after it.

    Raises:
        SystemExit: ARENA_ADDRESS is not set, the referee refused the bot, or it went away.
    """
    address = os.environ.get(ADDRESS)
    if not address:
        sys.exit(f"arena_sdk: {ADDRESS} is not set; start the bot with `arena match`")
    try:
        asyncio.run(_play(bot, address))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"arena_sdk: {error.code().name}: {error.details()}")
    except KeyboardInterrupt:
        sys.exit(130)


async def _play(bot: Bot, address: str) -> None:
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call = MatchServiceStub(channel).Play(wait_for_ready=True)
        await call.write(_join(bot))
        async for response in call:
            if response.WhichOneof("message") == "prompt":
                await call.write(_answer(bot, response.prompt))


def _join(bot: Bot) -> pb.PlayRequest:
    name = bot.name or type(bot).__name__
    join = pb.Join(
        protocol_version=PROTOCOL_VERSION,
        bot_name=name,
        bot_version=bot.version,
        sdk="arena_sdk for Python",
    )
    return pb.PlayRequest(join=join)


def _answer(bot: Bot, message: pb.Prompt) -> pb.PlayRequest:
    prompt = prompt_from(message)
    action = _chosen(bot, prompt)
    answer = pb.Answer(prompt_id=message.prompt_id)
    if action in prompt.legal:
        answer.legal_index = prompt.legal.index(action)
    else:  # for the referee to refuse: it says so, and counts
        answer.action.CopyFrom(action_message(action))
    return pb.PlayRequest(answer=answer)


def _chosen(bot: Bot, prompt: Prompt) -> Action:
    if not prompt.has_choice:
        return PASS
    try:
        action = bot.choose(prompt)
        if not isinstance(action, Action):
            raise TypeError(f"choose returned {action!r}, which is no Action")
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        return prompt.default
    return action
