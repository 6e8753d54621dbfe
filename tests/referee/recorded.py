"""Records to test with: matches between bots that do all kinds of things wrong, written down."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from arena.engine.actions import Verb
from arena.engine.cards import HAZARDS, Card
from arena.engine.version import ENGINE_VERSION
from arena.referee.events import MALFORMED, ForfeitReason, Prompt
from arena.referee.game import MatchPlan
from arena.referee.limits import Nanos
from arena.referee.record import CHAIN_BYTES, Chain, Fields, RecordWriter, header
from arena.referee.scripted import (
    HostFails,
    Leave,
    Note,
    Reply,
    Script,
    ScriptedSeat,
    Simulation,
    Stall,
    Step,
    Written,
)
from arena.referee.verifying import Verified, verify
from tests.referee.plans import MS, responding, simulate

ALL_ORDERS: Final = frozenset(HAZARDS)


def facts(plan: MatchPlan) -> Fields:
    """What a header says of a match beyond its plan."""
    return {
        "match": "00000-0",
        "attempt": 1,
        "created": "2026-01-01T00:00:00+00:00",
        "bots": [{"name": f"bot {bot}", "version": "1", "digest": ""} for bot in plan.bots],
        "boards": list(range(len(plan.boards))),
        "bot_seeds": [[2**64 - 1 - bot for bot in plan.bots] for _ in plan.legs],
    }


def record_of(simulation: Simulation) -> list[bytes]:
    """The lines of the record of a simulated match."""
    plan = simulation.match.plan
    lines: list[bytes] = []
    first = header(plan, engine=ENGINE_VERSION, facts=facts(plan))
    writer = RecordWriter(plan, first, lambda more: lines.extend(more.splitlines(keepends=True)))
    for at, effect in simulation.effects:
        writer(effect, at)
    return lines


def recorded(plan: MatchPlan, *scripts: Script | ScriptedSeat) -> list[bytes]:
    """Play a match and give the lines of its record."""
    return record_of(simulate(plan, *scripts))


def verified(lines: Iterable[bytes]) -> Verified:
    """Verify a record that is in memory."""
    return verify(io.BytesIO(b"".join(lines)))


# -- changing a record ------------------------------------------------------------------------


def members(line: bytes) -> Fields:
    """What a line says, without its chain hash."""
    said: Fields = json.loads(line)
    del said["chain"]
    return said


def chained(lines: Iterable[Fields]) -> list[bytes]:
    """Lines that say this, with chain hashes that hold: the work of a careful forger."""
    chain = Chain()
    written = []
    for said in lines:
        body = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
        written.append(body[:-1] + b',"chain":"' + chain.add(body).encode() + b'"}\n')
        assert len(written[-1]) == len(body) + CHAIN_BYTES
    return written


def said_by(lines: Sequence[bytes]) -> list[Fields]:
    """What all lines say."""
    return [members(line) for line in lines]


def place(lines: Sequence[bytes], kind: str, number: int = 0) -> int:
    """The index of the `number`-th line of a kind."""
    return [at for at, line in enumerate(lines) if members(line)["t"] == kind][number]


# -- bots that do everything wrong --------------------------------------------------------------


def erratic(seed: int, rate: float = 0.1, *, stalls: bool = False, grave: bool = True) -> Script:
    """Play at random, prefer attacks and coups fourrés, and do something wrong now and then.

    `stalls`: the referee stands still at times. It does so once at a time, so for one bot a match.
    `grave`: sometimes it leaves, or the host fails.
    """
    rng = Random(seed)

    def script(prompt: Prompt) -> list[Step]:
        legal = prompt.view.legal
        sharp = [one for one in legal if one.team is not None or one.verb is Verb.COUP_FOURRE]
        pool = sharp if sharp and rng.random() < 0.7 else legal
        orders = ALL_ORDERS if rng.random() < 0.5 else frozenset[Card]()
        delay = rng.randrange((60 if rng.random() < 0.8 else 300) * MS)
        reply = Reply(rng.choice(pool), Nanos(delay), orders=orders)
        if rng.random() < rate:
            return rng.choice(_mischief(prompt, rng, reply, grave=grave))
        if stalls and not responding(prompt) and rng.random() < 0.1:
            stood = Nanos(rng.randrange(10 * MS, 100 * MS))
            return [Stall(stood, stood), replace(reply, after=Nanos(stood + delay))]
        return [reply]

    return script


def _mischief(prompt: Prompt, rng: Random, reply: Reply, *, grave: bool) -> list[list[Step]]:
    """Things to do wrong instead of giving `reply`, grave ones seldom among them."""
    soon = Nanos(rng.randrange(1, 50 * MS))
    choices: list[list[Step]] = [
        [],
        [Reply(len(prompt.view.legal), soon)],
        [Reply(MALFORMED, soon)],
        [Reply(0, Nanos(2000 * MS))],
        [reply, reply],
        [Reply(0, soon, prompt_id="nobody's"), reply],
        [*[Note(soon)] * 7, reply],
        [Written(soon), reply],
    ]
    ends: list[Step] = [
        Leave(soon),
        Leave(soon, "took too much", ForfeitReason.RESOURCE),
        HostFails(soon),
    ]
    choices += [[one] for one in ends if grave and rng.random() < 0.1]
    return choices
