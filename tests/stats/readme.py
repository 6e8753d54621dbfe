"""What `arena/stats/README.md` says was measured."""

from __future__ import annotations

from pathlib import Path

README = Path(__file__).parents[2] / "arena/stats/README.md"


def rows(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table whose first column has this heading."""
    lines = README.read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return found
