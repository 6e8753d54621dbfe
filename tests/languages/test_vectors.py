"""The vectors of `sdk/vectors`: they are what is made now, and the Python SDK passes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import json_format

from arena.engine.actions import parse_action
from arena_sdk import RejectionReason
from arena_sdk._convert import NewerMessage, answer_message, prompt_from
from arena_sdk._convert_match import rejection_from, welcome_from
from millearena.v1 import match_service_pb2 as pb
from tests import vectors


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((vectors.FOLDER / name).read_text(encoding="utf-8"))
    assert found
    return found


def test_the_files_are_what_is_made_now() -> None:
    """If this fails on purpose: `python -m tests.vectors` makes them again."""
    for name, text in vectors.files().items():
        assert (vectors.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_every_kind_of_prompt_is_among_them() -> None:
    found = {
        (case["expect"]["view"]["family"], case["expect"]["kind"]) for case in cases("prompts.json")
    }
    assert {kind for _, kind in found} == {"DRAW", "PLAY", "RESPOND", "EXTEND", "TOP"}
    assert {family for family, _ in found} == {"CLASSIC", "EXPRESS", "PLATEAU"}


@pytest.mark.parametrize("case", cases("messages.json"), ids=lambda case: case["name"])
def test_messages(case: dict[str, Any]) -> None:
    message = {"PlayRequest": pb.PlayRequest, "PlayResponse": pb.PlayResponse}[case["type"]]()
    message.ParseFromString(bytes.fromhex(case["hex"]))
    assert json_format.MessageToDict(message) == case["json"]
    again = json_format.ParseDict(case["json"], type(message)())
    assert again == message


def test_prompts() -> None:
    for case in cases("prompts.json"):
        message = pb.PlayResponse.FromString(bytes.fromhex(case["hex"]))
        assert vectors.expected(prompt_from(message.prompt)) == case["expect"], case["name"]


def test_answers() -> None:
    for case in cases("answers.json"):
        message = pb.PlayResponse.FromString(bytes.fromhex(case["prompt_hex"])).prompt
        answer = answer_message(
            message.prompt_id, prompt_from(message), parse_action(case["action"])
        )
        sent = pb.PlayRequest(answer=answer).SerializeToString(deterministic=True)
        assert sent.hex() == case["hex"], case["name"]


@pytest.mark.parametrize("case", cases("newer.json"), ids=lambda case: case["name"])
def test_what_a_later_version_sends(case: dict[str, Any]) -> None:
    message = pb.PlayResponse.FromString(bytes.fromhex(case["hex"]))
    arm = message.WhichOneof("message")
    if case["then"] == "default":
        with pytest.raises(NewerMessage):
            prompt_from(message.prompt)
        sent = pb.PlayRequest.FromString(bytes.fromhex(case["answer_hex"])).answer
        assert sent.prompt_id == message.prompt.prompt_id
        assert sent.legal_index == message.prompt.default_index
    elif case["then"] == "pass over":
        if arm is not None:
            with pytest.raises(NewerMessage):
                welcome_from(message.welcome)
    elif arm == "rejection":
        assert rejection_from(message.rejection).reason is RejectionReason.UNKNOWN
    else:
        assert case["then"] == "read"
        assert prompt_from(message.prompt).legal
