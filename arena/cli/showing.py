"""A playthrough in the terminal, in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from arena.engine.playthrough import LineKind, Playthrough, lines

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_playthrough"]

STYLES: Final = {
    LineKind.HEAD: "bold",
    LineKind.ACTION: "cyan",
    LineKind.COUP_FOURRE: "bold white on red",
    LineKind.EVENT: "dim",
    LineKind.TABLE: "",
    LineKind.END: "bold green",
    LineKind.SCORE: "green",
}
"""How each kind of line looks."""


def show_playthrough(console: Console, playthrough: Playthrough) -> None:
    """Print a hand: where it starts, each action with what follows, the score table."""
    for line in lines(playthrough):
        console.print(Text(line.text, style=STYLES[line.kind]))
