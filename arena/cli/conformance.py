"""`arena conformance`: hold the engine against case files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.files import read_text
from arena.cli.output import JsonOption, print_json, printable
from arena.engine.conformance import Case, read_cases, run_case

if TYPE_CHECKING:
    from arena.engine.checks import Mismatch

__all__ = ["conformance"]


def conformance(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Case files of the format mille-conformance/1.",
            show_default=False,
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Run rule cases against the engine.

    One line a case, `ok` or `FAIL` with what was expected and what was found, and the counts at the
    end. Any engine in any language can be held against the same files.

    Exit code 0 if every case passed, 1 if one failed, 2 if a file is malformed: then nothing is
    run, and the message names the file, the case and the field.
    """
    cases = [(path, case) for path in files for case in read_cases(read_text(path), str(path))]
    outcomes = [(path, case, run_case(case)) for path, case in cases]
    failed = sum(mismatch is not None for _, _, mismatch in outcomes)
    if as_json:
        _print_json(outcomes, failed)
    else:
        for path, case, mismatch in outcomes:
            typer.echo(_line(path, case, mismatch))
        typer.echo(f"{len(outcomes) - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(1)


Outcome = tuple[Path, Case, "Mismatch | None"]


def _line(path: Path, case: Case, mismatch: Mismatch | None) -> str:
    name = printable(f"{path.stem}: {case.name}")
    return f"ok   {name}" if mismatch is None else f"FAIL {name}: {mismatch}"


def _print_json(outcomes: list[Outcome], failed: int) -> None:
    print_json(
        {
            "passed": len(outcomes) - failed,
            "failed": failed,
            "cases": [
                {
                    "file": str(path),
                    "name": case.name,
                    "source": case.source,
                    "ok": mismatch is None,
                    **(
                        {}
                        if mismatch is None
                        else {
                            "field": mismatch.field,
                            "expected": mismatch.expected,
                            "actual": mismatch.actual,
                        }
                    ),
                }
                for path, case, mismatch in outcomes
            ],
        }
    )
