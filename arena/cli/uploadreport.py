"""What a validation has found, for the author: from the report that a server sends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["report_lines"]


def report_lines(report: Any) -> Iterator[str]:
    """The problems of a report, where they were met, and what the bot had written.

    `report` is a `tournament.validation.Report` as JSON has it. A server may be newer than we are:
    what it does not say in our way is left out.
    """
    if not isinstance(report, Mapping):
        return
    findings = [one for one in report.get("findings") or () if isinstance(one, Mapping)]
    for one in findings:
        table = one.get("table", "?")
        problems = one.get("problems") or ()
        yield from (f"{table}: {problem}" for problem in problems)
        if problems:
            yield from _moment(one.get("moment"))
            yield from (f"  it wrote: {line}" for line in one.get("log") or ())
        yield from (f"warning: {table}: {text}" for text in one.get("warnings") or ())
    if left := report.get("not_played"):
        yield f"{left} {'table was' if left == 1 else 'tables were'} not played after that"


def _moment(moment: Any) -> Iterator[str]:
    if not isinstance(moment, Mapping) or not moment.get("prompt"):
        return
    seat = moment.get("seat")
    where = "" if seat is None else f"in seat {seat}, "
    yield f"  {where}at prompt {moment['prompt']}, {moment.get('asked', '')}"
    yield f"  it answered: {moment.get('answered', '')}"
