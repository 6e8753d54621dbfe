"""The example bots, loaded as a referee's machine has them: each from its folder, alone."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from arena_sdk import Bot

EXAMPLES = Path(__file__).parents[2] / "example_bots"
TICK = 0.01  # seconds that a look at the clock takes


def module_of(name: str) -> ModuleType:
    """The module of an example bot, loaded anew."""
    spec = spec_from_file_location(f"example_{name}", EXAMPLES / name / f"{name}_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_bot(name: str, worlds: int = 1) -> Bot:
    """An example bot; the searcher one that looks at so many worlds, so that tests are quick."""
    module = module_of(name)
    if name == "searcher":
        return module.SearcherBot(seconds=(worlds + 0.5) * TICK, clock=Ticks(TICK))  # type: ignore[no-any-return]
    return getattr(module, f"{name.capitalize()}Bot")()  # type: ignore[no-any-return]


class Ticks:
    """A clock that goes on by `step` seconds whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.step = step
        self.now = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now
