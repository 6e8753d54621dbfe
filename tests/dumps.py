"""The messages that proto/README.md shows, from a real match; `python -m tests.dumps` renews them.

Between two lines of comment in that file stands what this makes; tests/test_proto.py compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from google.protobuf import text_format
from google.protobuf.message import Message

from arena.engine.actions import Verb
from arena.engine.state import Stage
from arena.referee.events import HandOver, MatchOver, Prompt, Rejection, Tell, Welcome
from arena.referee.limits import FaultBudget
from arena.referee.scripted import Reply
from arena.transport.convert import response_bytes
from millearena.v1 import actions_pb2
from millearena.v1 import match_service_pb2 as pb
from tests.referee.plans import ONE, has_the_safety, hostile, make_plan, patient, simulate

README: Final = Path(__file__).parents[1] / "proto" / "README.md"
BEGIN: Final = "<!-- dumps: begin, made by python -m tests.dumps -->\n"
END: Final = "<!-- dumps: end -->\n"


def dumps() -> str:
    """The section of the README."""
    parts = []
    for title, message in messages():
        raw = message.SerializeToString()
        text = text_format.MessageToString(message).rstrip()
        lines = "\n".join(_hex(raw))
        parts.append(f"**{title}**, {len(raw)} bytes:\n\n```\n{lines}\n```\n\n```\n{text}\n```\n")
    return "\n".join(parts)


def messages() -> Iterator[tuple[str, Message]]:
    """What one seat of a match is told and says, in the order of the README."""
    yield (
        "The bot: join",
        pb.PlayRequest(
            join=pb.Join(
                protocol_version=1, bot_name="swift", bot_version="0.3", sdk="none, by hand"
            )
        ),
    )
    told = list(_told())
    yield "The referee: welcome", _first(told, Welcome)
    turns = [one for one in told if isinstance(one, Prompt) and len(one.view.legal) > 1]
    first = _wire(next(one for one in turns if one.view.stage is Stage.PLAY))
    yield "The referee: a prompt", first
    name = first.prompt.prompt_id
    yield (
        "The bot: an answer by index",
        pb.PlayRequest(answer=pb.Answer(prompt_id=name, legal_index=1)),
    )
    attacked = next(one for one in told if isinstance(one, Prompt) and has_the_safety(one))
    response = _wire(attacked)
    yield "The referee: a prompt in a response window", response
    safety = next(one for one in attacked.view.legal if one.verb is Verb.COUP_FOURRE).card
    assert safety is not None
    yield (
        "The bot: the same answered by naming the action",
        pb.PlayRequest(
            answer=pb.Answer(
                prompt_id=response.prompt.prompt_id,
                action=actions_pb2.Action(
                    coup_fourre=actions_pb2.CoupFourre(card=f"CARD_{safety.name}")
                ),
            )
        ),
    )
    yield "The bot: a note", pb.PlayRequest(note=pb.Note(text="they lead by 300"))
    yield "The referee: a rejection", _first(told, Rejection)
    yield "The referee: the end of a hand", _first(told, HandOver)
    yield "The referee: the end", _first(told, MatchOver)


def _told() -> Iterator[object]:
    """What the second seat is told in a match in which it is attacked and once plays nonsense."""
    asked = 0

    def clumsy(prompt: Prompt) -> list[Reply]:
        nonlocal asked
        asked += 1
        return [Reply(99)] if asked == 3 else patient(prompt)

    plan = make_plan(hands=12, seed="dumps", faults=FaultBudget())
    for _, effect in simulate(plan, hostile, clumsy).effects:
        if isinstance(effect, Tell) and effect.bot == ONE:
            yield effect.message


def _first(told: list[object], kind: type[object]) -> pb.PlayResponse:
    return _wire(next(message for message in told if isinstance(message, kind)))


def _wire(message: object) -> pb.PlayResponse:
    return pb.PlayResponse.FromString(response_bytes(message))  # type: ignore[arg-type]


def _hex(raw: bytes) -> Iterator[str]:
    for at in range(0, len(raw), 32):
        yield raw[at : at + 32].hex(" ")


def main() -> None:
    """Write the section into the README."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    README.write_text(before + BEGIN + "\n" + dumps() + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
