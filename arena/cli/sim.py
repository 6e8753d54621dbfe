"""`arena sim`: aggregate facts of random play."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.progress import Progress
from rich.table import Table

from arena.cli.options import OptionsOption, PlayersOption, RulesetOption, read_rules
from arena.cli.output import JsonOption, print_json, remarks, results
from arena.engine.deal import seed_from_text, sub_key
from arena.engine.simulate import Simulation, Tally

if TYPE_CHECKING:
    from arena.engine.rulesets import RuleSet
    from arena.engine.seating import Seating

__all__ = ["sim"]


def sim(
    ruleset: RulesetOption = "classic",
    players: PlayersOption = 2,
    hands: Annotated[int, typer.Option(min=1, help="How many hands.")] = 1000,
    seed: Annotated[str, typer.Option(help="Any text; the same one gives the same hands.")] = "1",
    option: OptionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play hands at random and show what the rules make of them.

    Every action is drawn uniformly from the legal ones. Shows how long hands are, how many are
    finished, how often coups fourrés happen and what the points come from.
    """
    rules, seating = read_rules(ruleset, option, players)
    tally = _play(rules, seating, hands, seed)
    facts: dict[str, object] = {
        "ruleset": ruleset,
        "options": rules.options(),
        "players": players,
        "seed": seed,
        **tally.facts(len(seating.teams)),
    }
    if as_json:
        print_json(facts)
    else:
        results().print(_table(facts))


def _play(rules: RuleSet, seating: Seating, hands: int, seed: str) -> Tally:
    seed_bytes = seed_from_text(seed)
    simulation = Simulation(rules, seating, seed_bytes)
    rng = Random(sub_key(seed_bytes, "players"))
    tally = Tally()
    with Progress(console=remarks(), transient=True) as progress:
        task = progress.add_task("hands", total=hands)
        for number in range(hands):
            simulation.play(number, rng, tally)
            if number % 100 == 99:
                progress.update(task, completed=number)
    return tally


def _table(facts: dict[str, object]) -> Table:
    title = f"{facts['ruleset']}, {facts['players']} players, {facts['hands']} hands at random"
    table = Table(title=f"{title}, seed {facts['seed']}", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in facts.items():
        if isinstance(value, dict) and name != "options":
            for part, number in cast("dict[str, float]", value).items():
                table.add_row(f"{_words(name)}: {_words(part)}", _figure(number))
        elif isinstance(value, float):
            table.add_row(_words(name), _figure(value))
    return table


def _words(name: str) -> str:
    return name.replace("_", " ").replace("coups fourres", "coups fourrés")


def _figure(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"
