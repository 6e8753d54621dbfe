"""Lines and messages: the bridge's JSON is protobuf's own mapping, and nothing gets past it."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any, Final

import pytest
from google.protobuf.json_format import MessageToDict, Parse
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.wrappers_pb2 import BytesValue
from hypothesis import given
from hypothesis import strategies as st

from arena_sdk._bridge_json import writer
from arena_sdk._bridge_lines import EXAMPLE, LONGEST, BadLine, line_from, request_from
from millearena.v1 import match_service_pb2 as pb
from tests.sdk.bots import wire_prompt
from tests.sdk.wire import OVER, TURNS, welcome

VECTORS: Final = Path(__file__).parents[2] / "sdk" / "vectors" / "messages.json"

RESPONSES: Final = [
    pb.PlayResponse(welcome=welcome()),
    *[pb.PlayResponse(prompt=wire_prompt(prompt, "an id", 1.5)) for prompt in TURNS[:20]],
    pb.PlayResponse(rejection=pb.Rejection(detail="trop tard, café", strikes=1)),
    pb.PlayResponse(match_over=OVER),
]

REQUESTS: Final = {
    '{"join":{"protocolVersion":1,"botName":"a","botVersion":"1","sdk":"own"}}': pb.PlayRequest(
        join=pb.Join(protocol_version=1, bot_name="a", bot_version="1", sdk="own")
    ),
    '{"answer":{"promptId":"x","legalIndex":0}}': pb.PlayRequest(
        answer=pb.Answer(prompt_id="x", legal_index=0)
    ),
    ' { "answer" : { "prompt_id" : "x", "legal_index" : 3 } } \r': pb.PlayRequest(
        answer=pb.Answer(prompt_id="x", legal_index=3)
    ),
    '{"answer":{"promptId":"x"}}': pb.PlayRequest(answer=pb.Answer(prompt_id="x")),
    '{"note":{"text":"caf\\u00e9"}}': pb.PlayRequest(note=pb.Note(text="café")),
    '{"note":{"text":"café"}}': pb.PlayRequest(note=pb.Note(text="café")),
    '{"note":{},"join":null}': pb.PlayRequest(note=pb.Note()),
}

BAD: Final = {
    "": "no JSON: Expecting value, column 1",
    "hello": "no JSON",
    '{"answer":{"promptId":"x","legalIndex":0}': "no JSON: Expecting ',' delimiter, column 42",
    EXAMPLE + EXAMPLE: "no JSON: Extra data",
    "\ufeff" + EXAMPLE: "no JSON: Unexpected UTF-8 BOM",
    "[]": "it is JSON but no object",
    "7": "it is JSON but no object",
    "null": "it is JSON but no object",
    "[" * 16000: "JSON nested too deeply",
    '{"a":' * 3000: "JSON nested too deeply",
    "9" * 9000: "integer string conversion",
    '{"answer":NaN}': "NaN is no JSON",
    "{}": "it has no join, answer or note",
    '{"answer":null}': "it has no join, answer or note",
    '{"answer":[]}': "'answer' must be an object {...}, not []",
    '{"answer":5}': "'answer' must be an object {...}, not 5",
    '{"answer":{"action":[]}}': "'action' must be an object",
    '{"answer":{"action":{"play":"D25"}}}': "'play' must be an object {...}, not 'D25'",
    '{"answer":{"action":{"play":{"card":1.5}}}}': "'card' must be a name, not 1.5",
    '{"answer":{"coupFourreOn":[true]}}': "'coupFourreOn' must be a name, not True",
    '{"answer":{"action":{"play":{"card":"D25"}}}}': "Invalid enum value D25",
    '{"answer":{"index":1}}': 'no field named "index"',
    '{"anser":{}}': 'no field named "anser"',
    '{"answer":{"legalIndex":"one"}}': "'one'",
    '{"answer":{"legalIndex":1e999}}': "inf",
    '{"answer":{"legalIndex":3000000000}}': "3000000000",
    '{"answer":{"legalIndex":true}}': "True",
    '{"answer":{"promptId":7}}': "promptId",
    '{"answer":{"legalIndex":1,"action":{"pass":{}}}}': 'multiple "choice"',
    '{"answer":{"legalIndex":1,"legalIndex":2}}': "'legalIndex' stands there twice",
    '{"join":{},"note":{}}': 'multiple "message"',
    '{"note":{"text":"\\ud800"}}': "Unpaired surrogate",
}


@pytest.mark.parametrize("response", RESPONSES, ids=lambda one: one.WhichOneof("message"))
def test_a_line_is_the_message_in_the_mapping_of_protobuf(response: pb.PlayResponse) -> None:
    line = line_from(response)
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")
    assert line.isascii()
    assert b": " not in line.replace(b"trop tard", b"")
    assert Parse(line, pb.PlayResponse()) == response
    assert json.loads(line) == MessageToDict(response, always_print_fields_with_no_presence=True)


@pytest.mark.parametrize("case", json.loads(VECTORS.read_text()), ids=lambda one: one["name"])
def test_the_shared_messages_are_these_lines(case: dict[str, Any]) -> None:
    raw = bytes.fromhex(case["hex"])
    if case["type"] == "PlayRequest":
        assert request_from(json.dumps(case["json"]).encode()) == pb.PlayRequest.FromString(raw)
        return
    response = pb.PlayResponse.FromString(raw)
    assert MessageToDict(response) == case["json"]
    line = line_from(response)
    assert Parse(line, pb.PlayResponse()) == response
    whole = MessageToDict(response, always_print_fields_with_no_presence=True)
    assert json.loads(line) == whole


def test_what_is_zero_is_there() -> None:
    prompt = json.loads(line_from(pb.PlayResponse(prompt=pb.Prompt())))["prompt"]
    assert prompt["defaultIndex"] == prompt["gameNumber"] == 0
    assert prompt["legalActions"] == []
    assert "view" not in prompt, "a message that is not there stays away"


def test_members_are_in_the_order_of_the_contract() -> None:
    prompt = json.loads(line_from(RESPONSES[1]))["prompt"]
    fields = [field.json_name for field in pb.Prompt.DESCRIPTOR.fields]
    assert list(prompt) == [name for name in fields if name in prompt]


def test_a_name_that_is_newer_than_the_bridge_is_a_number() -> None:
    rejection = pb.PlayResponse(rejection=pb.Rejection(reason=77))  # type: ignore[arg-type]
    assert json.loads(line_from(rejection))["rejection"]["reason"] == 77


@pytest.mark.parametrize("kind", [Struct, Value, BytesValue])
def test_a_kind_of_field_that_is_not_written_is_refused_beforehand(kind: type[Message]) -> None:
    with pytest.raises(TypeError, match="no JSON is written for a field of this kind"):
        writer(kind.DESCRIPTOR)


def test_what_is_newer_than_the_bridge_is_no_line() -> None:
    assert line_from(pb.PlayResponse.FromString(b"\x9a\x06\x03abc")) == b""


@pytest.mark.parametrize("line", REQUESTS)
def test_a_request_is_read(line: str) -> None:
    assert request_from(f"{line}\n".encode()) == REQUESTS[line]


@pytest.mark.parametrize("line", BAD)
def test_what_is_no_request_is_refused_and_says_why(line: str) -> None:
    with pytest.raises(BadLine) as caught:
        request_from(f"{line}\n".encode())
    why = str(caught.value)
    assert BAD[line] in why
    assert len(why) <= 400
    assert why.isprintable()


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(BadLine, match=r"^byte 2 is no UTF-8$"):
        request_from(b"{}\xff\n")


@given(st.binary(max_size=200))
def test_whatever_comes_is_a_request_or_refused(content: bytes) -> None:
    _is_read_or_refused(content)


NAMES: Final = (
    *("answer", "note", "join", "text", "promptId", "legalIndex", "action", "play", "card"),
    *("targetTeam", "coupFourreOn", "draw", "source", "pass", "[a.b]", "@type"),
)
VALUES: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["CARD_D25", "CARD_HIDDEN", "1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_whatever_json_comes_is_a_request_or_refused(values: object) -> None:
    _is_read_or_refused(json.dumps(values).encode())


def _is_read_or_refused(content: bytes) -> None:
    with contextlib.suppress(BadLine):
        request = request_from(content)
        assert request.WhichOneof("message") is not None
        assert len(request.SerializeToString()) <= LONGEST
