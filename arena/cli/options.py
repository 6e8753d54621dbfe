"""Options that several commands share: which rules, how many players."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.engine.rulesets import PRESETS, RuleSet, Value, make_ruleset, parse_option
from arena.engine.seating import Seating, make_seating
from arena.errors import RuleSetError

__all__ = ["OptionsOption", "PlayersOption", "RulesetOption", "read_rules"]

RulesetOption = Annotated[
    str, typer.Option("--ruleset", "-r", help=f"Rule set: {', '.join(PRESETS)}.")
]
PlayersOption = Annotated[
    int,
    typer.Option("--players", "-p", help="Players; 4 and 6 play the classic game in teams of two."),
]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="A rule's option, e.g. target=700; may be given several times. "
        "`arena rules` lists them.",
    ),
]


def read_rules(ruleset: str, options: list[str] | None, players: int) -> tuple[RuleSet, Seating]:
    """The rules and seating that the command line asks for.

    Raises:
        RuleSetError: unknown preset, option or value, an option given twice, or a number of
            players that cannot play.
    """
    chosen: dict[str, Value] = {}
    for text in options or ():
        name, value = parse_option(text)
        if name in chosen:
            raise RuleSetError(f"option {name} is given twice; say which one is meant")
        chosen[name] = value
    rules = make_ruleset(ruleset, chosen, players=players)
    return rules, make_seating(rules, players)
