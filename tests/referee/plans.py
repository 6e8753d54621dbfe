"""Matches to test with, and questions about what happened in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeVar

from arena.engine.actions import Action, Verb
from arena.engine.deal import Board, seed_from_text, sub_key
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.engine.state import Stage
from arena.referee.events import BotNo, Message, Played, Prompt, Tell
from arena.referee.game import MatchPlan
from arena.referee.limits import Nanos, TimeControl
from arena.referee.match import Match
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Simulation, eager
from arena.referee.tally import Fault

M = TypeVar("M", bound=Message)

ZERO, ONE, TWO = BotNo(0), BotNo(1), BotNo(2)
MS = 1_000_000
TIME = TimeControl(
    start_up=Nanos(500 * MS),
    turn=Nanos(100 * MS),
    bank=Nanos(1000 * MS),
    response_window=Nanos(50 * MS),
)


def make_plan(
    preset: str = "classic",
    players: int = 2,
    *,
    games: int = 1,
    hands: int | None = 1,
    seed: str = "test",
    time: TimeControl = TIME,
) -> MatchPlan:
    rules = make_ruleset(preset, players=players)
    key = seed_from_text(seed)
    return MatchPlan(
        rules=rules,
        seating=make_seating(rules, players),
        boards=tuple(Board(sub_key(key, f"board/{game}")) for game in range(games)),
        time=time,
        length=Length(hands),
    )


def simulate(plan: MatchPlan, *scripts: Script | ScriptedSeat) -> Simulation:
    """Play a match to its end."""
    seats = [one if isinstance(one, ScriptedSeat) else ScriptedSeat(one) for one in scripts]
    simulation = Simulation(Match(plan, b"secret"), seats)
    simulation.run()
    return simulation


def once(first: Iterable[Reply | Leave], then: Script = eager) -> Script:
    """Do `first` about the first prompt, and follow `then` afterwards."""
    todo = [list(first)]
    return lambda prompt: todo.pop() if todo else then(prompt)


def at_random(seed: int = 0) -> Script:
    """Any legal action."""
    rng = Random(seed)
    return lambda prompt: [Reply(rng.randrange(len(prompt.view.legal)))]


def hostile(prompt: Prompt) -> list[Reply]:
    """Attack whenever possible; otherwise the first legal action."""
    legal = prompt.view.legal
    return [Reply(next((action for action in legal if action.team is not None), legal[0]))]


def patient(prompt: Prompt) -> list[Reply]:
    """Get going and stay so, answer attacks, keep every safety for that."""
    action = max(prompt.view.legal, key=_urgency)
    return [Reply(action)]


def _urgency(action: Action) -> int:
    if action.verb is Verb.COUP_FOURRE:
        return 3
    if action.card is None:
        return 0
    if action.card.is_safety:
        return -1
    return 2 if action.verb is Verb.PLAY and action.card.is_remedy else 1


def prompts(seat: ScriptedSeat) -> Iterator[Prompt]:
    return (message for message in seat.told if isinstance(message, Prompt))


def has_the_safety(prompt: Prompt) -> bool:
    """Whether a response has a coup fourré to choose."""
    return any(action.verb is Verb.COUP_FOURRE for action in prompt.view.legal)


def played(simulation: Simulation) -> list[Played]:
    return [effect for _, effect in simulation.effects if isinstance(effect, Played)]


def asked(simulation: Simulation) -> list[tuple[int, BotNo, Prompt]]:
    """Every prompt with its instant and its bot."""
    return [
        (at, effect.bot, effect.message)
        for at, effect in simulation.effects
        if isinstance(effect, Tell) and isinstance(effect.message, Prompt)
    ]


def responding(prompt: Prompt) -> bool:
    return prompt.view.stage is Stage.RESPOND


def prompts_of(simulation: Simulation, bot: BotNo) -> list[Prompt]:
    return [prompt for _, whom, prompt in asked(simulation) if whom == bot]


def faults(simulation: Simulation, bot: BotNo) -> dict[Fault, int]:
    return dict(simulation.match.tallies[bot].faults)


def told(simulation: Simulation, kind: type[M]) -> list[tuple[BotNo, M]]:
    """Every message of one kind with its receiver."""
    return [
        (effect.bot, effect.message)
        for _, effect in simulation.effects
        if isinstance(effect, Tell) and isinstance(effect.message, kind)
    ]
