"""The names that the SDK promises."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

import arena_sdk
from arena_sdk import simulate, tables, testing

NAMES = {
    arena_sdk: [
        *("HAZARDS", "KM", "REMEDY_FOR", "SAFETY_FOR"),
        *("Action", "Bot", "Card", "Event", "EventKind", "Family", "FaultBudget", "HandResult"),
        *("Item", "Knowledge", "MatchResult", "Outcome", "Prompt", "Reason", "Rejection"),
        *("RejectionReason", "RuleSet", "Seating", "Stage", "TableView", "TimeControl", "Verb"),
        *("View", "Welcome", "WindowMode", "run"),
    ],
    simulate: [
        *("HandState", "Rng", "apply", "asked", "copy", "default_action", "determinize"),
        *("hand_result", "lead", "legal", "view"),
    ],
    tables: [
        *("accepts", "hazards", "is_immune", "km", "needs", "rivals", "safeties", "stopped_by"),
        *("suffers", "to_go", "top", "unseen"),
    ],
    testing: ["play_game", "play_hand", "prompts"],
}


@pytest.mark.parametrize("module", NAMES, ids=lambda module: module.__name__)
def test_the_public_surface_is_deliberate(module: ModuleType) -> None:
    assert module.__all__ == NAMES[module]
    assert all(getattr(module, name).__doc__ or name.isupper() for name in module.__all__)


def test_what_is_visible_is_promised() -> None:
    visible = {
        name
        for name, value in vars(arena_sdk).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert visible == set(arena_sdk.__all__)


def test_the_methods_of_a_bot_are_these() -> None:
    own = {
        name for name in dir(arena_sdk.Bot) if not name.startswith("_") and name not in dir(object)
    }
    assert own == {
        *("choose", "respond", "standing_orders"),
        *("game_started", "hand_started", "saw", "rejected", "hand_over", "match_over"),
        *("name", "version", "note", "rng"),
    }


def test_every_module_but_these_is_private() -> None:
    folder = Path(arena_sdk.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")}
    public = {name for name in modules if not name.startswith("_")}
    assert public == {"bridge", "simulate", "tables", "testing"}
    for name in public:  # each begins with how it is used
        text = ast.get_docstring(ast.parse((folder / f"{name}.py").read_text()))
        assert text
        assert "\n    " in text
