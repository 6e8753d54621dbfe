"""`arena competition verify`: is what the archive of a competition says what happened?"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.competitionpages import archive_pages
from arena.cli.datafolder import counting
from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, results

if TYPE_CHECKING:
    from arena.storage.facts import Match
    from arena.tournament.competition.archivejournal import Told
    from arena.tournament.competition.archiveverify import ArchiveReport

__all__ = ["pages_again", "verify"]


def verify(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="The folder of an archive.", show_default=False),
    ],
    head: Annotated[
        str,
        typer.Option(
            metavar="HEX",
            help="The head that was published for the competition, its journal's last chain.",
        ),
    ] = "",
    commitment: Annotated[
        str,
        typer.Option(
            metavar="HEX",
            help="The commitment of the secret seed that was published at the freeze.",
        ),
    ] = "",
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", min=0, metavar="N", help="Processes at once; 0: one for each core."
        ),
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Check the archive of a competition: was anything changed, and does it follow from the rules?

    Compares every file with the manifest, goes through the journal step by step, works out lots,
    pairings, tables and seeds again, and plays every record again by the rules of the regulations.
    No server is needed, and nothing in the archive is run.

    Prints one line for everything that is wrong, with its file and line. Attempts that came to
    nothing are counted by bot: a machine may fail, but not whenever the same bot loses.

    Only a head and a commitment that were published in time prove that nobody made up the whole
    archive; give those that you wrote down with --head and --commitment.

    Exit code 0 if everything holds, 1 if something does not, 2 if it is no archive.
    """
    from arena.tournament.competition.archiveverify import Published, verify_archive

    published = Published(_digest("--head", head), _digest("--commitment", commitment))
    with counting("playing records again") as tell:
        report = verify_archive(
            folder, jobs or _cores(), published=published, make_pages=pages_again, tell=tell
        )
    if as_json:
        print_json(_facts(report))
    else:
        _print(report)
    if report.findings:
        raise typer.Exit(ExitCode.FAILED)


def pages_again(
    told: Told, matches: Mapping[str, Match], fitted: bytes | None
) -> Mapping[str, bytes]:
    """The pages of an archive, made from its journal: an `archivewalk.MakePages`."""
    from arena.web.competition import rendered

    pages = archive_pages(told.competition, told.lines, matches, fitted)
    return {str(page.path): page.content for page in rendered(pages)}


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _digest(option: str, text: str) -> str:
    if text and re.fullmatch("[0-9a-fA-F]{64}", text) is None:
        raise typer.BadParameter(f"{text!r} is not 64 hexadecimal digits", param_hint=f"'{option}'")
    return text.lower()


def _facts(report: ArchiveReport) -> dict[str, object]:
    return {
        "name": report.name,
        "title": report.title,
        "phase": report.phase,
        "head": report.head,
        "commitment": report.commitment,
        "lines": report.lines,
        "entries": report.entries,
        "matches": report.matches,
        "records": report.records,
        "games": report.games,
        "actions": report.actions,
        "attempts": [
            {"bot": one.title, "attempts": one.attempts, "void": one.void, "reruns": one.reruns}
            for one in report.attempts
        ],
        "notes": list(report.notes),
        "findings": [
            {"file": one.file, "line": one.line or None, "what": one.what}
            for one in report.findings
        ],
    }


def _print(report: ArchiveReport) -> None:
    def say(text: str) -> None:
        console.print(printable(text), soft_wrap=True)

    console = results()
    for one in report.findings:
        say(f"FAIL {one}")
    for note in report.notes:
        say(f"note {note}")
    for tried in report.attempts:
        if tried.void or tried.reruns:
            say(
                f"note {tried.title}: {_count(tried.attempts, 'attempt')}, of which {tried.void} "
                f"came to nothing; {_count(tried.reruns, 'rerun')}"
            )
    if report.title:
        say(
            f"{report.title}: {report.phase}, {_count(report.lines, 'line')} of the journal, "
            f"{_count(report.matches, 'match', 'matches')}, {_count(report.records, 'record')}, "
            f"{_count(report.games, 'game')}, {_count(report.actions, 'action')}"
        )
        say(f"head {report.head}")
        say(f"commitment {report.commitment or 'none yet'}")
    wrong = len(report.findings)
    say(f"{report.name}: {_count(wrong, 'thing')} wrong" if wrong else f"{report.name}: all holds")


def _count(number: int, word: str, words: str = "") -> str:
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"
