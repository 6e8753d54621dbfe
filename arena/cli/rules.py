"""`arena rules`: the rule sets and their options."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from arena.cli.output import JsonOption, print_json, results
from arena.engine.rulesets import OPTIONS, PRESETS, Option, RuleSet, Value, make_ruleset

__all__ = ["rules"]


def rules(
    ruleset: Annotated[
        str, typer.Argument(help=f"Which rule set: {', '.join(PRESETS)}.")
    ] = "classic",
    as_json: JsonOption = False,
) -> None:
    """List the options of a rule set, with their values and what they mean.

    classic, express and plateau are the three games of the rule books; leaflet is the classic game
    as the printed leaflets have it: 700 km with an extension to 1000 for 2, 3 or 6 players, 1000 km
    for 4, and a smaller deck for 2 or 3. Set an option with -o NAME=VALUE wherever a rule set is
    chosen. R, X and P numbers are rulings: arena/engine/README.md lists them.
    """
    chosen = make_ruleset(ruleset)
    options = [OPTIONS[name] for name in chosen.options()]
    if as_json:
        print_json(
            {
                "ruleset": ruleset,
                "family": chosen.family.value,
                "options": [_facts(option, chosen) for option in options],
            }
        )
        return
    results().print(_table(ruleset, chosen, options))


def _facts(option: Option, chosen: RuleSet) -> dict[str, Value]:
    return {
        "name": option.name,
        "value": getattr(chosen, option.name),
        "allowed": option.allowed,
        "meaning": option.meaning,
        "ruling": option.ruling,
    }


def _table(ruleset: str, chosen: RuleSet, options: list[Option]) -> Table:
    table = Table(title=f"{ruleset}: options and their values", box=box.SIMPLE_HEAD)
    table.add_column("option", no_wrap=True)
    table.add_column("value", no_wrap=True)
    table.add_column("meaning, values allowed, ruling")
    for option in options:
        table.add_row(
            option.name,
            _written(getattr(chosen, option.name)),
            Text.assemble(
                f"{option.meaning} ", (f"Allowed: {option.allowed} ({option.ruling}).", "dim")
            ),
        )
    return table


def _written(value: Value) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
