"""The law of secrecy at the machine's rim, as a checker that can be turned on a leaking machine.

Law: what is sent to a seat, and when, is a function of public information and of that seat's own
cards. Two worlds that differ in two cards hidden from a reader are played alike, and the reader
must be told the same at the same instants. In sealed windows all but the reader also pass at other
times in the second world, or not at all, because that is no business of anybody else.

The worlds may part only when the play itself does:

- a seat plays another card, because what it played in one world it does not hold in the other;
- the reader gets one of the two cards: until then it must have been told the same;
- the hand ends in one world only, or in each for another reason, without a finish: the rules look
  into all hands then. That nobody can play any more is told by the end of the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Final, NamedTuple

from arena.engine.actions import PASS, Verb
from arena.engine.cards import HAZARDS, SAFETY_FOR, Card
from arena.engine.state import HandState, Reason, Stage
from arena.referee.events import (
    Begin,
    BotNo,
    Effect,
    HandEnded,
    HandOver,
    Message,
    Played,
    Prompt,
    Tell,
    WindowOpened,
)
from arena.referee.game import MatchPlan
from arena.referee.limits import Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import Note, Reply, ScriptedSeat, Simulation, Step
from tests.engine.exchange import Place, card_at, exchange, hidden_places
from tests.referee.plans import MS, TIME, has_the_safety, responding

Timed = tuple[int, Effect]
Machine = Callable[[MatchPlan, bytes], Match]
"""A match machine, an honest or a leaking one."""

SECRET: Final = b"secret"
W: Final = TIME.response_window


class Fork(NamedTuple):
    """After how many steps which two cards, hidden from the seat `reader`, change places."""

    step: int
    reader: int
    places: tuple[Place, Place]


@dataclass
class Diary:
    """What every bot of the first world did, prompt by prompt.

    `loose`: those that may pass at other times from now on.
    """

    rng: Random
    entries: dict[BotNo, list[list[Step]]] = field(default_factory=dict)
    loose: set[BotNo] = field(default_factory=set)

    def writer(self, bot: BotNo) -> ScriptedSeat:
        """A bot that plays anything, with faults, and writes it down."""
        mine = self.entries[bot] = []

        def script(prompt: Prompt) -> list[Step]:
            mine.append(anything(prompt, self.rng))
            return mine[-1]

        return ScriptedSeat(script)

    def repeater(self, bot: BotNo) -> ScriptedSeat:
        """A bot that does the same again."""
        todo = iter(self.entries[bot])

        def script(prompt: Prompt) -> list[Step]:
            steps = next(todo, [])
            if bot in self.loose and responding(prompt) and is_pass(steps):
                return pass_somehow(self.rng)
            return steps

        return ScriptedSeat(script)


def anything(prompt: Prompt, rng: Random) -> list[Step]:
    """A legal action, named, at any time; declines most coups fourrés; now and then a fault."""
    legal = prompt.view.legal
    if responding(prompt):
        choice = legal[-1] if has_the_safety(prompt) and rng.random() < 0.3 else PASS
        return [Reply(choice, Nanos(rng.randrange(W)))]
    attacks = [action for action in legal if action.team is not None]
    choice = rng.choice(attacks if attacks and rng.random() < 0.6 else legal)
    orders = frozenset[Card](rng.sample(HAZARDS, rng.randrange(5)))
    good = Reply(choice, Nanos(rng.randrange(1, 120) * MS), orders=orders)
    if rng.random() < 0.9:
        return [good]
    return rng.choice(
        [[], [Reply(99)], [good, good], [Note(), good], [Reply(0, prompt_id="?"), good]]
    )


def is_pass(steps: Sequence[Step]) -> bool:
    return all(step.choice is PASS for step in steps if isinstance(step, Reply))


def pass_somehow(rng: Random) -> list[Step]:
    """A pass in time, too late or by silence."""
    late = rng.randrange(2 * W)
    return [] if rng.random() < 0.2 else [Reply(PASS, Nanos(late))]


# -- two worlds ------------------------------------------------------------------------------------


def leaks(plan: MatchPlan, seed: int, machine: Machine = Match) -> Iterator[str]:
    """Play a match in two worlds that part at one step, and report what a reader can tell."""
    rng = Random(seed)
    diary = Diary(rng)
    first = Simulation(machine(plan, SECRET), [diary.writer(bot) for bot in plan.bots])
    fork = choose_fork(first, rng)
    if fork is None:
        return
    second = Simulation(machine(plan, SECRET), [diary.repeater(bot) for bot in plan.bots])
    run_forked(second, fork, diary)
    yield from differences(first, second, plan.bots_at(0)[fork.reader])


def choose_fork(simulation: Simulation, rng: Random) -> Fork | None:
    """Play a match to its end and choose where another world begins."""
    chosen: Fork | None = None
    seen = step = 0
    simulation.handle(Begin())
    while not simulation.match.over:
        game = simulation.match._game
        if game is not None and game.state.stage in (Stage.PLAY, Stage.DRAW):
            reader = rng.randrange(game.state.players)
            places = choose_places(game.state, reader, rng)
            # A step at which a safety may soon matter is likelier than others to be the one.
            weight = 0 if places is None else 20 if is_at_stake(game.state, places[0]) else 1
            seen += weight
            if places is not None and rng.randrange(seen) < weight:
                chosen = Fork(step, reader, places)
        simulation.step()
        step += 1
    return chosen


def choose_places(state: HandState, reader: int, rng: Random) -> tuple[Place, Place] | None:
    """Two cards that the reader cannot see, often a safety; none in the hand that is asked now."""
    places = [place for place in hidden_places(state, reader) if place.seat != state.seat]
    stakes = [place for place in places if is_at_stake(state, place)]
    for _ in range(20 if places else 0):
        one = rng.choice(stakes if stakes and rng.random() < 0.7 else places)
        other = rng.choice(places)
        apart = one.where != other.where or one.seat != other.seat
        if apart and card_at(state, one) != card_at(state, other):
            return one, other
    return None


def is_at_stake(state: HandState, place: Place) -> bool:
    """Whether a hand's safety lies there that answers an attack which can be laid this turn."""
    if place.where != "hand":
        return False
    suffers = state.tables[state.frame.team_of[place.seat]].suffers & state.masks[state.seat]
    return any(SAFETY_FOR[hazard] == place.at for hazard in HAZARDS if suffers >> hazard & 1)


def run_forked(simulation: Simulation, fork: Fork, diary: Diary) -> None:
    """Play a match to its end, and exchange the two cards after so many steps."""
    plan = simulation.match.plan
    simulation.handle(Begin())
    step = 0
    while not simulation.match.over:
        if step == fork.step:
            game = simulation.match._game
            assert game is not None
            game.state = exchange(game.state, *fork.places)
            if plan.limits.window is WindowMode.SEALED:
                diary.loose = set(plan.bots) - {game.bots[fork.reader]}
        simulation.step()
        step += 1


# -- what a reader can tell ------------------------------------------------------------------------


def differences(first: Simulation, second: Simulation, bot: BotNo) -> Iterator[str]:
    """What a bot was told differently before the play parts."""
    timed = first.match.plan.limits.window is not WindowMode.PROMPT
    until, leak = parting(first.effects, second.effects)
    if leak:
        yield leak
    one, other = (
        list(heard(simulation.effects[:end], bot))
        for simulation, end in zip((first, second), until, strict=True)
    )
    for here, there in zip_longest(one, other):
        if here is None or there is None:
            yield f"bot {bot} is told more in one world: {here or there}"
            return
        if timed and here[0] != there[0]:
            yield f"bot {bot} is told at {here[0]} or {there[0]}: {here[1]}"
            return
        if here[1] != there[1]:
            if own_cards(here[1]) == own_cards(there[1]):
                yield f"bot {bot} is told {here[1]} or {there[1]}"
            return


def heard(effects: Sequence[Timed], bot: BotNo) -> Iterator[tuple[int, Message]]:
    for at, effect in effects:
        if isinstance(effect, Tell) and effect.bot == bot:
            yield at, effect.message


def own_cards(message: Message) -> bytes | None:
    """The cards that a message shows its reader as its own."""
    if isinstance(message, Prompt):
        return message.view.hand
    return message.seen.hand if isinstance(message, HandOver) else None


Moment = tuple[int, Played | HandEnded | WindowOpened]


def moments(effects: Sequence[Timed]) -> list[Moment]:
    """What happened at the table, with its place among the effects."""
    kinds = (Played, HandEnded, WindowOpened)
    return [(at, one) for at, (_, one) in enumerate(effects) if isinstance(one, kinds)]


def parting(one: Sequence[Timed], other: Sequence[Timed]) -> tuple[tuple[int, int], str]:
    """How many effects of each world come before the play parts, and what parts it wrongly."""
    before = (0, 0)
    for (here, first), (there, second) in zip(moments(one), moments(other), strict=False):
        match first, second:
            case Played(), Played():
                if not are_asked_alike(first, second):
                    return (here, there), f"seat {first.seat} or {second.seat} is asked"
                if (first.seat, first.action) != (second.seat, second.action):
                    return (here, there), ""
            case HandEnded(), HandEnded():
                if first.result != second.result:
                    return before, finished(first, second)
            case WindowOpened(), WindowOpened():
                if first != second:
                    return (here, there), f"the window is {first} or {second}"
            case _:
                ended = [end for end in (first, second) if isinstance(end, HandEnded)]
                return before, finished(*ended) if ended else f"{first} or {second}"
        before = (here + 1, there + 1)
    return (len(one), len(other)), ""


def are_asked_alike(one: Played, other: Played) -> bool:
    """Whether both answer one question; of partners, whoever has the safety answers first."""
    is_coup = Verb.COUP_FOURRE in (one.action.verb, other.action.verb)
    return one.stage == other.stage and (one.seat == other.seat or is_coup)


def finished(*ends: HandEnded) -> str:
    """A complaint, if one of these hands was finished: then all of it is public."""
    if any(end.result.reason is Reason.TARGET for end in ends):
        return f"the hand ends in one world only, or otherwise: {ends}"
    return ""
