"""What sdk/python/README.md shows is true: its bots play, its expressions mean something.

Its figures are those of the referee. Its commands are run by tests/test_readmes.py.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import pytest

import arena_sdk
from arena.cli.newbot import BOT, BOT_TOML, names_from
from arena.referee.limits import STANDARD, FaultBudget
from arena_sdk import Bot, Card, Prompt, tables
from arena_sdk._loading import class_in_file
from arena_sdk.testing import play_game, prompts
from tests.sdk.bots import Chooses

GUIDE = (Path(__file__).parents[2] / "sdk" / "python" / "README.md").read_text(encoding="utf-8")
WORDS = " ".join(GUIDE.split())


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


# -- its bots ---------------------------------------------------------------------------------


def bots(tmp_path: Path) -> list[type[Bot]]:
    """The bots that the guide shows, each in a file of its own."""
    found = []
    for number, text in enumerate(blocks("python")):
        path = tmp_path / f"bot_{number}.py"
        path.write_text(text)
        found.append(class_in_file(path))
    return found


def test_the_first_bot_is_the_one_that_new_bot_writes() -> None:
    words = names_from("hasty").words
    assert blocks("toml") == [Template(BOT_TOML).substitute(words)]
    assert blocks("python")[0] == Template(BOT).substitute(words)


@pytest.mark.parametrize("rules", ["classic", "leaflet", "express", "plateau"])
def test_its_bots_play(rules: str, tmp_path: Path) -> None:
    kinds = bots(tmp_path)
    assert [kind.__name__ for kind in kinds] == ["HastyBot", "WatchfulBot", "SearchBot"]
    hasty, watchful, search = kinds
    (result,) = play_game([hasty(), watchful(), search()], rules=rules, hands=1)
    assert len(result.km) == 3


def test_its_bots_end_with_a_program() -> None:
    assert all(
        re.search(r'\n\nif __name__ == "__main__":\n    run\(', one) for one in blocks("python")
    )


def test_the_bot_that_hears_everything_shows_every_method(tmp_path: Path) -> None:
    _, watchful, _ = bots(tmp_path)
    methods = {name for name in vars(Bot.__mro__[1]) if not name.startswith("_")}
    methods |= {"choose", "respond", "standing_orders"}
    assert methods == {name for name in vars(watchful) if not name.startswith("_")}
    assert len(methods) == 9


@pytest.mark.slow
def test_the_bot_that_searches_is_better_than_random(tmp_path: Path) -> None:
    _, _, search = bots(tmp_path)
    ahead = 0
    for seed in range(6):
        for seat in (0, 1):
            rival = Chooses(lambda prompt: rival.rng.choice(prompt.legal))  # noqa: B023
            players = [search(), rival] if seat == 0 else [rival, search()]
            (result,) = play_game(players, rules="plateau", seed=seed, hands=1)
            ahead += result.km[seat] > result.km[1 - seat]
    assert ahead >= 10  # of 12; by luck alone with a chance of 2 %


# -- its table --------------------------------------------------------------------------------


def expressions() -> list[str]:
    """What the first column of the table of prompts and views shows."""
    _, _, rest = GUIDE.partition("| expression |")
    table, _, _ = rest.partition("\n\n")
    columns = [row.split(" | ")[0] for row in table.splitlines()[2:]]
    return [found for column in columns for found in re.findall("`([^`]+)`", column)]


@pytest.fixture(scope="module")
def asked() -> list[Prompt]:
    return [*prompts(hands=1), *prompts(rules="express", players=3, hands=1)]


@pytest.mark.parametrize("expression", expressions())
def test_what_the_table_shows_can_be_written(expression: str, asked: list[Prompt]) -> None:
    promised = {name: getattr(arena_sdk, name) for name in arena_sdk.__all__}
    for prompt in asked:
        names = promised | {
            "prompt": prompt,
            "view": prompt.view,
            "table": prompt.view.table,
            "tables": tables,
            "team": tables.rivals(prompt.view)[0],
            "card": Card.D100,
        }
        if "is_immune" in expression:
            names["card"] = Card.ACCIDENT
        assert eval(expression, names) is not NotImplemented


def test_the_table_shows_every_word_there_is() -> None:
    shown = " ".join(expressions())
    assert len(expressions()) > 40
    for name in tables.__all__:
        assert f"tables.{name}(" in shown or name == "km"
    for name in ("drives", "remedies", "safeties", "plays", "attacks", "discards", "coup_fourre"):
        assert f"prompt.{name}" in shown


# -- its figures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("start_up", "To start and join: {:g} s."),
        ("turn", "A decision: {:g} s free"),
        ("bank", "beyond that {:g} s in a game"),
        ("response_window", "A response: {:g} s."),
    ],
)
def test_the_times_are_the_referee_s(name: str, said: str) -> None:
    assert said.format(getattr(STANDARD, name) / 1e9) in WORDS


def test_the_budgets_are_the_referee_s() -> None:
    budget = FaultBudget()
    assert f"| {budget.max_strikes} strikes in a match | forfeit |" in WORDS
    assert f"more than {budget.surplus_messages} messages too many" in WORDS


def test_the_guide_can_be_read_in_ten_minutes() -> None:
    assert len(WORDS.split()) <= 2200
    assert len(GUIDE.splitlines()) <= 260
