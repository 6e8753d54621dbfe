"""Matches to test with, and questions about what happened in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Final, TypeVar

from arena.engine.actions import Action, Verb
from arena.engine.deal import Board, seed_from_text, sub_key
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.engine.state import Stage
from arena.referee.events import (
    Begin,
    BotNo,
    Effect,
    Forfeit,
    Message,
    Played,
    Prompt,
    Tell,
    Verdict,
)
from arena.referee.game import MatchPlan, every_rotation, one_rotation
from arena.referee.limits import FaultBudget, Limits, Nanos, TimeControl, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import (
    Reply,
    Script,
    ScriptedSeat,
    Simulation,
    Step,
    eager,
)
from arena.referee.tally import Fault

M = TypeVar("M", bound=Message)
E = TypeVar("E", bound=Effect)

ZERO, ONE, TWO = BotNo(0), BotNo(1), BotNo(2)
MS = 1_000_000
TIME = TimeControl(
    start_up=Nanos(500 * MS),
    turn=Nanos(100 * MS),
    bank=Nanos(1000 * MS),
    response_window=Nanos(50 * MS),
)

LIMIT: Final = TIME.turn + TIME.bank
"""The most that the first prompt of a game may take."""

PUBLISHED: Final = FaultBudget()
FORGIVING: Final = FaultBudget(max_strikes=1_000_000, surplus_messages=1_000_000)


def make_plan(
    preset: str = "classic",
    players: int = 2,
    *,
    games: int = 1,
    hands: int | None = 1,
    seed: str = "test",
    time: TimeControl = TIME,
    window: WindowMode = WindowMode.PROMPT,
    faults: FaultBudget = FORGIVING,
    rotate: bool = False,
    play_on: bool = True,
    **options: object,
) -> MatchPlan:
    """One leg of `games` boards or, with `rotate`, a leg for each seat. Faults cost nothing."""
    rules = make_ruleset(preset, players=players, **options)  # type: ignore[arg-type]
    key = seed_from_text(seed)
    legs = every_rotation if rotate else one_rotation
    return MatchPlan(
        rules=rules,
        seating=make_seating(rules, players),
        boards=tuple(Board(sub_key(key, f"board/{game}")) for game in range(games)),
        legs=legs(games, players),
        limits=Limits(time=time, window=window, faults=faults),
        length=Length(hands),
        play_on=play_on,
    )


def simulate(plan: MatchPlan, *scripts: Script | ScriptedSeat) -> Simulation:
    """Play a match to its end."""
    simulation = prepare(plan, *scripts)
    simulation.run()
    return simulation


def prepare(plan: MatchPlan, *scripts: Script | ScriptedSeat) -> Simulation:
    """A match that has not begun."""
    seats = [one if isinstance(one, ScriptedSeat) else ScriptedSeat(one) for one in scripts]
    return Simulation(Match(plan, b"secret"), seats)


def at_the_first_prompt(plan: MatchPlan, *scripts: Script | ScriptedSeat) -> Simulation:
    """A match in which somebody has just been asked for the first time."""
    simulation = prepare(plan, *scripts)
    simulation.handle(Begin())
    while not asked(simulation):
        simulation.step()
    return simulation


def once(first: Iterable[Step], then: Script = eager) -> Script:
    """Do `first` about the first prompt, and follow `then` afterwards."""
    return in_turn([first], then)


def in_turn(reactions: Iterable[Iterable[Step]], then: Script = eager) -> Script:
    """Do these about the first prompts, and follow `then` afterwards."""
    todo = [list(steps) for steps in reactions]
    return lambda prompt: todo.pop(0) if todo else then(prompt)


def after(delay: int, script: Script = eager) -> Script:
    """Answer as `script` does, but so long after the prompt."""
    return lambda prompt: [
        replace(step, after=Nanos(delay)) if isinstance(step, Reply) else step
        for step in script(prompt)
    ]


def in_windows(response: Script, otherwise: Script = eager) -> Script:
    """Follow `response` in response windows and `otherwise` elsewhere."""
    return lambda prompt: (response if responding(prompt) else otherwise)(prompt)


def silent(prompt: Prompt) -> list[Step]:
    """Say nothing."""
    return []


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
    return dict(simulation.match.roster.tallies[bot].faults)


def verdict(simulation: Simulation) -> Verdict:
    """How the match ended."""
    assert simulation.match.verdict is not None
    return simulation.match.verdict


def forfeits(simulation: Simulation) -> tuple[Forfeit, ...]:
    """Who has lost the match, in the order in which it happened."""
    return verdict(simulation).forfeits


def effects(simulation: Simulation, kind: type[E]) -> list[tuple[int, E]]:
    """Every effect of one kind with its instant."""
    return [(at, effect) for at, effect in simulation.effects if isinstance(effect, kind)]


def told(simulation: Simulation, kind: type[M]) -> list[tuple[BotNo, M]]:
    """Every message of one kind with its receiver."""
    return [
        (effect.bot, effect.message)
        for _, effect in simulation.effects
        if isinstance(effect, Tell) and isinstance(effect.message, kind)
    ]
