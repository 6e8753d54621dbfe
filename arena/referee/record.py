"""The record: everything that happened in an attempt, one JSON object a line, hash-chained.

A line as stored is its body, a JSON object in UTF-8, with one more member at the end:

    {"t":"play", ... ,"chain":"<64 hexadecimal digits>"}

The body is the line without that member. With SHA-256 as H, `body(i)` as bytes, and its length as
four bytes, big-endian:

    chain(0) = H(body(0))        chain(i) = H(chain(i-1) + length(body(i)) + body(i))

So nobody has to write JSON in one certain way to check a chain: the bytes are hashed as they are
stored. The last line is the verdict, and its chain is the head of the record.

Times are whole nanoseconds: `at` since the first line, the others durations. The seeds come last
but one: what was promised in the header by their SHA-256 can then be checked, and every deal made
again. Lines and members are listed in README.md beside this file.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from arena.engine.codes import decode_events
from arena.engine.deal import commitment
from arena.engine.scoring import HandResult
from arena.engine.state import NOBODY
from arena.referee import verdict
from arena.referee.events import (
    BotNo,
    Effect,
    Ended,
    Forfeited,
    GameBegan,
    GameEnded,
    GameResult,
    HandEnded,
    Played,
    Prompt,
    Rejection,
    Start,
    Surplus,
    Tell,
    WindowClosed,
    WindowOpened,
)
from arena.referee.game import MatchPlan
from arena.referee.limits import Instant, Limits

__all__ = [
    "CHAIN_BYTES",
    "FORMAT",
    "Chain",
    "Fields",
    "RecordWriter",
    "event_text",
    "hand_facts",
    "header",
    "limits_facts",
    "result_facts",
]

FORMAT: Final = "mille-arena-record/1"
_LENGTH: Final = struct.Struct(">I")
_CHAIN: Final = b',"chain":"'
_CHAIN_END: Final = b'"}'
CHAIN_BYTES: Final = len(_CHAIN) + 64 + len(_CHAIN_END)
"""What a stored line has in place of the closing brace of its body."""

Fields = dict[str, object]
Sink = Callable[[bytes], None]
"""Takes whole lines with their ends; raises OSError if they cannot be kept."""

_MOST_WAITING: Final = 32


class Chain:
    """The hash chain of a record that is written or read."""

    def __init__(self) -> None:
        self._last = b""

    def add(self, body: bytes) -> str:
        """Add the body of the next line; its chain hash in hexadecimal digits."""
        prefix = self._last + _LENGTH.pack(len(body)) if self._last else b""
        self._last = hashlib.sha256(prefix + body).digest()
        return self._last.hex()


def header(plan: MatchPlan, *, engine: int, facts: Mapping[str, object]) -> Fields:
    """The first line: what was agreed, and the promise of the seeds.

    `facts` are what the referee does not know itself: match, attempt, bots, when it was.
    """
    return {
        "t": "header",
        "format": FORMAT,
        "engine": engine,
        **facts,
        "preset": plan.rules.preset,
        "rules": plan.rules.options(),
        "teams": plan.seating.teams,
        "hands": plan.length.hands,
        "striped": plan.striped,
        "play_on": plan.play_on,
        "limits": limits_facts(plan.limits),
        "legs": plan.legs,
        "commitments": [commitment(board.seed).hex() for board in plan.boards],
    }


def limits_facts(limits: Limits) -> Fields:
    """All limits by name, times in nanoseconds."""
    time, faults, host = limits.time, limits.faults, limits.host
    return {
        "start_up": time.start_up,
        "turn": time.turn,
        "bank": time.bank,
        "response_window": time.response_window,
        "window": str(limits.window),
        "max_strikes": faults.max_strikes,
        "messages_per_prompt": faults.messages_per_prompt,
        "surplus_messages": faults.surplus_messages,
        "note_bytes": faults.note_bytes,
        "lag_credited": host.credited,
        "lag_void": host.void,
    }


class RecordWriter:
    """Writes a record as the match goes: a `runner.Watch`, which sees effects before they are done.

    Actions wait until something else happens, or until there are `_MOST_WAITING` of them: written
    together they cost half of what they cost one by one. Everything else goes to `sink` at once,
    with the actions before it, so a response window is in the record before anybody is told of it.
    `head` is the chain hash of the last line written.
    """

    def __init__(self, plan: MatchPlan, first: Fields, sink: Sink) -> None:
        self.head = ""
        self._plan = plan
        self._sink = sink
        self._chain = Chain()
        self._since: Instant | None = None
        self._lines = 0
        self._results: list[GameEnded] = []
        self._asked: dict[BotNo, int] = {}
        self._waiting: list[tuple[Played, int]] = []
        self._write(first)

    def __call__(self, effect: Effect, now: Instant) -> None:
        """Write what an effect has to be remembered for."""
        if self._since is None:
            self._since = now
        at = now - self._since
        if isinstance(effect, Played):
            self._waiting.append((effect, at))
            if len(self._waiting) >= _MOST_WAITING:
                self.flush()
        elif isinstance(effect, Tell):
            if isinstance(effect.message, Prompt):
                self._asked[effect.bot] = effect.message.number
            elif isinstance(effect.message, Rejection):
                self._reject(effect.bot, effect.message, at)
        elif isinstance(effect, Ended):
            self._close(effect, at)
        else:
            if isinstance(effect, GameEnded):
                self._results.append(effect)
            fields = _fields(effect)
            if fields is not None:
                self._write({"t": fields[0], "at": at, **fields[1]})

    def _reject(self, bot: BotNo, rejection: Rejection, at: int) -> None:
        # A bot has one open prompt at most, so the one refused is the last that it was sent.
        self._write(
            {
                "t": "rejected",
                "at": at,
                "bot": bot,
                "prompt": self._asked[bot],
                "reason": rejection.reason.name,
                "strikes": rejection.strikes,
                "detail": rejection.detail,
            }
        )

    def _close(self, ended: Ended, at: int) -> None:
        plan, how = self._plan, ended.verdict
        self._write({"t": "seeds", "seeds": [board.seed.hex() for board in plan.boards]})
        results = [one.result for one in self._results]
        ranks = verdict.match_ranks(results, plan.seating, how.forfeits)
        self._write(
            {
                "t": "verdict",
                "at": at,
                "kind": str(how.kind),
                "void": how.void,
                "ranks": ranks if how.void == "" else None,
                "lines": self._lines + 1,
            }
        )

    def _write(self, fields: Fields) -> None:
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        self._put([*map(_played, self._waiting), body])

    def flush(self) -> None:
        """Write the actions that wait."""
        if self._waiting:
            self._put(list(map(_played, self._waiting)))

    def _put(self, bodies: Sequence[bytes]) -> None:
        self._waiting.clear()
        lines = []
        for body in bodies:
            self.head = self._chain.add(body)
            lines.append(b"%b%b%b%b\n" % (body[:-1], _CHAIN, self.head.encode(), _CHAIN_END))
        self._lines += len(lines)
        self._sink(b"".join(lines))


def _played(played: tuple[Played, int]) -> bytes:
    """The line of an action: the one that is written most, so it is put together by hand."""
    one, at = played
    coded = one.events
    events = ",".join([_event(coded[i : i + 2]) for i in range(0, len(coded), 2)])
    fault = "null" if one.fault is None else f'"{one.fault}"'
    return (
        f'{{"t":"play","at":{at},"seat":{one.seat},"bot":{one.bot},"kind":"{one.stage.name}",'
        f'"action":"{one.action.text}","answered":{"true" if one.answered else "false"},'
        f'"prompt":{one.prompt},"spent":{one.spent},"lag":{one.lag},"bank":{one.bank_left},'
        f'"fault":{fault},"events":[{events}]}}'
    ).encode()


@lru_cache(maxsize=4096)
def _event(coded: bytes) -> str:
    return json.dumps(event_text(coded))


@lru_cache(maxsize=4096)
def event_text(coded: bytes) -> str:
    """One event in the engine's codes as a record has it: seat, what happened, card, team.

    For instance `0 DRAWN D100` or `1 LAID RED_LIGHT on 0`.
    """
    (event,) = decode_events(coded)
    words = [str(event.seat), event.kind.name.partition("_ON_")[0]]
    if event.card is not None:
        words.append(event.card.name)
    if event.team is not None:
        words.append(f"on {event.team}")
    return " ".join(words)


def _fields(effect: Effect) -> tuple[str, Fields] | None:
    """Name and members of the line for an effect; None if it leaves none."""
    match effect:
        case Start(bot, leg):
            return "start", {"bot": bot, "leg": leg}
        case GameBegan():
            return "game", {
                "game": effect.game,
                "board": effect.board,
                "rotation": effect.rotation,
                "bots": effect.bots,
            }
        case WindowOpened():
            return "window", {
                "window": effect.number,
                "attack": effect.attack.name,
                "team": effect.team,
                "seats": effect.seats,
                "lasts": effect.lasts,
            }
        case WindowClosed():
            return "closed", {"window": effect.number, "by": effect.answered_by}
        case Surplus():
            return "surplus", {
                "bot": effect.bot,
                "fault": str(effect.fault),
                "late_by": effect.late_by,
            }
        case HandEnded():
            facts = hand_facts(effect.result, effect.totals)
            return "hand", {"game": effect.game, "hand": effect.hand, **facts}
        case GameEnded(result):
            return "result", result_facts(result)
        case Forfeited(forfeit):
            return "forfeit", {
                "bot": forfeit.bot,
                "reason": str(forfeit.reason),
                "detail": forfeit.detail,
                "game": forfeit.game,
            }
        case _:
            return None


def hand_facts(result: HandResult, totals: Sequence[int]) -> Fields:
    """What a hand brought, as a record has it."""
    return {
        "end": result.reason.name,
        "winner": None if result.winner == NOBODY else result.winner,
        "km": result.km,
        "points": result.points,
        "totals": totals,
    }


def result_facts(result: GameResult) -> Fields:
    """How a game ended, as a record has it."""
    return {
        "game": result.game,
        "hands": result.hands,
        "totals": result.totals,
        "km": result.km,
        "winner": None if result.winner == NOBODY else result.winner,
        "ranks": result.ranks,
        "forfeited": result.forfeited,
        "finished": result.finished,
    }
