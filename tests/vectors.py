"""The test vectors of `sdk/vectors`, against which every SDK is held.

`python -m tests.vectors` makes them, and `tests/languages/test_vectors.py` compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.message import Message as Wire

from arena.engine.actions import parse_action
from arena.engine.cards import HAZARDS, Card
from arena.engine.codes import Event, EventKind
from arena.engine.state import TableView
from arena.referee.events import Prompt as Told
from arena_sdk import Action, Prompt, View, tables
from arena_sdk._convert import answer_message, prompt_from
from millearena.v1 import actions_pb2, cards_pb2, views_pb2
from millearena.v1 import match_service_pb2 as pb
from tests.languages.recorded import games

FOLDER: Final = Path(__file__).parents[1] / "sdk" / "vectors"
_OF_A_KIND: Final = 4
"""Prompts of each family, table size and stage."""


def files() -> Mapping[str, str]:
    """The content of each file."""
    return {
        "messages.json": _lines(messages()),
        "prompts.json": _lines(prompts()),
        "answers.json": _lines(answers()),
        "newer.json": _lines(newer()),
    }


def _lines(cases: Iterator[dict[str, Any]]) -> str:
    """A JSON array with a case a line, so that a difference is one line."""
    rows = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return f"[\n{rows}\n]\n"


# -- messages ---------------------------------------------------------------------------------


def messages() -> Iterator[dict[str, Any]]:
    """One message of each kind and more, as bytes and in the JSON mapping of protobuf."""
    yield _message("join", _join())
    yield _message("answer by index", _answer(legal_index=2))
    yield _message("answer by index 0", _answer(legal_index=0))
    for name, action in _actions():
        yield _message(f"answer by action: {name}", _answer(action=action))
    orders = [cards_pb2.CARD_RED_LIGHT, cards_pb2.CARD_ACCIDENT]
    yield _message("answer with standing orders", _answer(legal_index=1, coup_fourre_on=orders))
    yield _message("note", pb.PlayRequest(note=pb.Note(text="they lead by 300 km, é")))
    seen: dict[str, int] = {}
    for game in islice(games("vectors"), 60):
        for _, raw in game.told:
            told = pb.PlayResponse.FromString(raw)
            arm = str(told.WhichOneof("message"))
            name = f"{arm}, {game.name}"
            if arm != "prompt" and not seen.get(name):
                seen[name] = 1
                yield _message(name, told)
    yield _message("rejection", _rejection())
    for outcome in (pb.OUTCOME_COMPLETED, pb.OUTCOME_FORFEIT, pb.OUTCOME_VOID):
        over = pb.MatchOver(game_count=4, games_won=2, games_drawn=1, outcome=outcome, detail="é")
        name = pb.Outcome.Name(outcome)
        yield _message(f"match_over, {name}", pb.PlayResponse(match_over=over))


def _message(name: str, message: Wire) -> dict[str, Any]:
    return {
        "name": name,
        "type": message.DESCRIPTOR.name,
        "hex": message.SerializeToString(deterministic=True).hex(),
        "json": json_format.MessageToDict(message),
    }


def _join() -> pb.PlayRequest:
    return pb.PlayRequest(
        join=pb.Join(protocol_version=1, bot_name="swift", bot_version="0.3", sdk="by hand")
    )


def _answer(**fields: Any) -> pb.PlayRequest:
    return pb.PlayRequest(answer=pb.Answer(prompt_id="0123456789abcdef0123456789abcdef", **fields))


def _actions() -> Iterator[tuple[str, actions_pb2.Action]]:
    gas, ace = cards_pb2.CARD_GASOLINE, cards_pb2.CARD_DRIVING_ACE
    flat = actions_pb2.Play(card=cards_pb2.CARD_FLAT_TIRE, target_team=0)
    pile, discard = actions_pb2.DRAW_SOURCE_PILE, actions_pb2.DRAW_SOURCE_DISCARD
    yield "draw pile", actions_pb2.Action(draw=actions_pb2.Draw(source=pile))
    yield "draw discard", actions_pb2.Action(draw=actions_pb2.Draw(source=discard))
    yield "play GASOLINE", actions_pb2.Action(play=actions_pb2.Play(card=gas))
    yield "play FLAT_TIRE on 0", actions_pb2.Action(play=flat)
    yield "discard GASOLINE", actions_pb2.Action(discard=actions_pb2.Discard(card=gas))
    coup = actions_pb2.CoupFourre(card=ace)
    yield "coup_fourre DRIVING_ACE", actions_pb2.Action(coup_fourre=coup)
    passed = actions_pb2.Action()
    getattr(passed, "pass").SetInParent()  # a word of Python's, so no name of an argument
    yield "pass", passed
    yield "extend", actions_pb2.Action(extend=actions_pb2.Extend())
    yield "stop", actions_pb2.Action(stop=actions_pb2.Stop())
    yield "top GASOLINE", actions_pb2.Action(top=actions_pb2.Top(card=gas))


def _rejection() -> pb.PlayResponse:
    return pb.PlayResponse(
        rejection=pb.Rejection(
            prompt_id="0123456789abcdef0123456789abcdef",
            reason=pb.REJECTION_REASON_ILLEGAL,
            detail="prompt 3: legal_index 99: the prompt has 6 legal actions, from 0",
            played=actions_pb2.Action(discard=actions_pb2.Discard(card=cards_pb2.CARD_D25)),
            strikes=1,
        )
    )


# -- prompts ----------------------------------------------------------------------------------


def prompts() -> Iterator[dict[str, Any]]:
    """Prompts of every kind, and what an SDK makes of them."""
    for name, raw in _some_prompts():
        prompt = prompt_from(pb.PlayResponse.FromString(raw).prompt)
        yield {"name": name, "hex": raw.hex(), "expect": expected(prompt)}


@cache
def _some_prompts() -> tuple[tuple[str, bytes], ...]:
    """The first few of each kind that are not alike."""
    return tuple(_picked())


def _picked() -> Iterator[tuple[str, bytes]]:
    count: dict[str, int] = {}
    for game in islice(games("vectors"), 240):
        for message, raw in game.told:
            if not isinstance(message, Told):
                continue
            view = message.view
            only = "" if len(view.legal) > 1 else ", no choice"
            kind = f"{view.rules.preset} {len(view.sizes)} {view.stage.name}{only}"
            count[kind] = count.get(kind, 0) + 1
            # Not all from the beginning of a hand, where tables are empty.
            if count[kind] in {1, 12, 40, 90}:
                yield f"{kind}, {count[kind]}", raw


def expected(prompt: Prompt) -> dict[str, Any]:
    """A prompt in words and numbers, as the Python SDK reads it."""
    view = prompt.view
    return {
        "kind": prompt.kind.name,
        "has_choice": prompt.has_choice,
        "legal": _texts(prompt.legal),
        "default": prompt.default.text,
        "drives": _texts(prompt.drives),
        "remedies": _texts(prompt.remedies),
        "safeties": _texts(prompt.safeties),
        "plays": _texts(prompt.plays),
        "attacks": _texts(prompt.attacks),
        "discards": _texts(prompt.discards),
        "coup_fourre": prompt.coup_fourre.text if prompt.coup_fourre else None,
        "time_limit_ms": round(prompt.time_limit * 1000),
        "bank_left_ms": round(prompt.bank_left * 1000),
        "game": prompt.game,
        "hand": prompt.hand,
        "view": _view(view),
    }


def _texts(actions: tuple[Action, ...]) -> list[str]:
    return [action.text for action in actions]


def _view(view: View) -> dict[str, Any]:
    return {
        "seat": view.seat,
        "team": view.team,
        "family": view.rules.family.name,
        "cards": _names(view.cards),
        "sizes": list(view.sizes),
        "draw_count": view.draw_count,
        "discard_pile": [None if one is None else one.name for one in view.discard_pile],
        "target": view.target,
        "to_go": [tables.to_go(view, team) for team in range(len(view.tables))],
        "rivals": list(tables.rivals(view)),
        "attack": None if view.attack < 0 else Card(view.attack).name,
        "unseen": list(view.unseen),
        "history": [_event(one) for one in view.history],
        "tables": [_table(one) for one in view.tables],
    }


def _event(event: Event) -> dict[str, Any]:
    kind = "LAID" if event.kind >= EventKind.LAID_ON_0 else event.kind.name
    card = None if event.card is None else event.card.name
    return {"kind": kind, "seat": event.seat, "card": card, "team": event.team}


def _table(table: TableView) -> dict[str, Any]:
    stop = tables.stopped_by(table)
    return {
        "battle": _names(Card(one) for one in table.battle),
        "speed": _names(Card(one) for one in table.speed),
        "distance": _names(Card(one) for one in table.distance),
        "safeties": _names(tables.safeties(table)),
        "km": table.km,
        "started": table.started,
        "moving": table.moving,
        "limited": table.limited,
        "stopped_by": None if stop is None else stop.name,
        "hazards": _names(tables.hazards(table)),
        "needs": _names(tables.needs(table)),
        "accepts": _names(tables.accepts(table)),
        "suffers": _names(tables.suffers(table)),
        "immune_to": _names(one for one in HAZARDS if tables.is_immune(table, one)),
    }


def _names(cards: Any) -> list[str]:
    return [card.name for card in cards]


# -- answers ----------------------------------------------------------------------------------


def answers() -> Iterator[dict[str, Any]]:
    """Answers of a bot to prompts, as the bytes that an SDK sends.

    An action that is not legal goes as it is: the referee is to refuse and count it.
    """
    for name, raw in islice(_some_prompts(), 0, None, 3):
        message = pb.PlayResponse.FromString(raw).prompt
        prompt = prompt_from(message)
        for action in {prompt.legal[0]: 0, prompt.legal[-1]: 0}:
            answer = pb.PlayRequest(answer=answer_message(message.prompt_id, prompt, action))
            yield _sent(name, raw, action.text, answer)
    name, raw = _some_prompts()[0]
    message = pb.PlayResponse.FromString(raw).prompt
    prompt = prompt_from(message)
    for text in ("extend", "top REPAIRS", "play ACCIDENT on 3", "draw discard"):
        answer = pb.PlayRequest(
            answer=answer_message(message.prompt_id, prompt, parse_action(text))
        )
        yield _sent(f"{name}, not legal", raw, text, answer)


def _sent(name: str, raw: bytes, text: str, answer: pb.PlayRequest) -> dict[str, Any]:
    sent = answer.SerializeToString(deterministic=True).hex()
    return {"name": name, "prompt_hex": raw.hex(), "action": text, "hex": sent}


# -- what a later minor version may send ------------------------------------------------------

_UNKNOWN: Final = bytes.fromhex("a2 7d 03 6e 65 77")
"""A field of number 2004 with three bytes."""


def newer() -> Iterator[dict[str, Any]]:
    """Messages with fields, words and arms that this version does not have.

    `then` is what an SDK does: `read` it as if the new thing were not there, `default` (answer with
    the default index: something in it means nothing here), or `pass over` the whole message.
    """
    raw = next(raw for one, raw in _some_prompts() if "PLAY, 12" in one)
    told = pb.PlayResponse.FromString(raw)
    prompt = told.prompt
    yield _newer("a new field of the response", raw + _UNKNOWN, "read")
    yield _newer("a new field of the prompt", _with(told, "prompt", _UNKNOWN), "read")
    inner = pb.PlayResponse.FromString(raw)
    view = inner.prompt.view.SerializeToString() + _UNKNOWN
    inner.prompt.view.CopyFrom(views_pb2.View.FromString(view))
    yield _newer("a new field of the view", inner.SerializeToString(), "read")
    inner = pb.PlayResponse.FromString(raw)
    inner.prompt.view.events.add(seat=0).MergeFromString(_UNKNOWN)
    yield _newer("an event of a new kind", inner.SerializeToString(), "read")
    inner = pb.PlayResponse.FromString(raw)
    inner.prompt.legal_actions.add().MergeFromString(_UNKNOWN)
    yield _newer("a legal action of a new kind", inner.SerializeToString(), "default", prompt)
    inner = pb.PlayResponse.FromString(raw)
    inner.prompt.view.hand.append(77)  # type: ignore[arg-type]
    yield _newer("a card of a new kind in hand", inner.SerializeToString(), "default", prompt)
    inner = pb.PlayResponse.FromString(raw)
    inner.prompt.view.tables[0].battle_pile.append(77)  # type: ignore[arg-type]
    yield _newer("a card of a new kind on a table", inner.SerializeToString(), "default", prompt)
    inner = pb.PlayResponse.FromString(raw)
    inner.prompt.kind = inner.prompt.view.stage = 9  # type: ignore[assignment]
    yield _newer("a new stage", inner.SerializeToString(), "default", prompt)
    inner = pb.PlayResponse.FromString(raw)
    inner.prompt.view.rule_set.family = 9  # type: ignore[assignment]
    yield _newer("a new family of rules", inner.SerializeToString(), "default", prompt)
    yield _newer("a message of a new kind", _UNKNOWN, "pass over")
    yield _newer("a welcome with a new family of rules", _newer_welcome(), "pass over")
    rejection = _rejection()
    rejection.rejection.reason = 9  # type: ignore[assignment]
    yield _newer("a new reason of a rejection", rejection.SerializeToString(), "read")


def _newer_welcome() -> bytes:
    raw = next(islice(games("vectors"), 1)).told[0][1]
    told = pb.PlayResponse.FromString(raw)
    told.welcome.rule_set.family = 9  # type: ignore[assignment]
    return told.SerializeToString()


def _with(told: pb.PlayResponse, arm: str, extra: bytes) -> bytes:
    """A response whose arm has something more at its end."""
    part = getattr(told, arm)
    changed = pb.PlayResponse.FromString(told.SerializeToString())
    getattr(changed, arm).CopyFrom(type(part).FromString(part.SerializeToString() + extra))
    return changed.SerializeToString()


def _newer(name: str, raw: bytes, then: str, prompt: pb.Prompt | None = None) -> dict[str, Any]:
    case: dict[str, Any] = {"name": name, "hex": raw.hex(), "then": then}
    if then == "default" and prompt is not None:
        answer = pb.Answer(prompt_id=prompt.prompt_id, legal_index=prompt.default_index)
        case["answer_hex"] = pb.PlayRequest(answer=answer).SerializeToString().hex()
    return case


def main() -> None:
    """Write the files."""
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
