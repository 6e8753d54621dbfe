"""`arena rerun`: a recorded game put to another bot, or to another version of the same one."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.frames import milliseconds
from arena.cli.labels import so_many
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.cli.records import bot_labels, load_record
from arena.cli.replayjump import there_are
from arena.errors import InputError
from arena.referee.events import SeatNo
from arena.sandbox.launcher import last_lines
from arena.submissions.manifest import FORMS, Manifest, find_bot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.cli.rerunning import Answer, Rerun
    from arena.referee.replay import Replay

__all__ = ["facts_of", "report_of", "rerun"]

_LOG_LINES = 10


def _quoted(bot: str) -> str:
    """Refuse a command that the shell has taken apart, before its words are taken for files."""
    if bot.strip() == "--":
        raise typer.BadParameter("a command is one word for the shell: quote it, '-- command ...'")
    return bot


def rerun(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The record of a match.", show_default=False)
    ],
    seat: Annotated[
        int, typer.Option(min=0, help="Whose prompts: a seat at the table.", show_default=False)
    ],
    bot: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help=f"Who is asked: {FORMS}.",
            callback=_quoted,
            show_default=False,
        ),
    ],
    game: Annotated[int, typer.Option(min=0, help="Which game; the first one is 0.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Put a recorded game to a bot, and see where it would play otherwise.

    The bot runs in a process of its own and is asked over the protocol what the bot on that seat
    was asked, response windows included, with the same view, the same limits and, where the record
    has it, the same seed for its own chance. Each answer is compared with the recorded action; then
    the game goes on as recorded. A bot that keeps plans from prompt to prompt may find that it did
    not do what it planned.

    Exit code 0 if every prompt was put, 1 if the bot ended early or would have lost by its faults.
    """
    record = load_record(file)
    _check(record, seat, game)
    manifest = find_bot(bot)
    from arena.cli.rerunning import rerun_game  # gRPC: slow to load

    done = rerun_game(record, game, SeatNo(seat), manifest)
    if as_json:
        print_json(facts_of(record, game, seat, manifest, done))
    else:
        console = results()
        for line in report_of(record, game, seat, manifest, done):
            console.print(line, soft_wrap=True)
    if done.broken_off:
        for line in last_lines(done.log, _LOG_LINES):
            remarks().print(f"its log: {line}", soft_wrap=True)
        raise typer.Exit(ExitCode.FAILED)


def _check(record: Replay, seat: int, game: int) -> None:
    """Refuse a seat or a game that is not there."""
    players = record.plan.seating.players
    if seat >= players:
        raise InputError(f"seat {seat} is not at the table; the seats are 0 to {players - 1}")
    if game >= len(record.games):
        raise InputError(f"game {game}: {there_are(len(record.games), 'game', 'the record')}")


def report_of(
    record: Replay, game: int, seat: int, manifest: Manifest, done: Rerun
) -> Iterator[str]:
    """What came of it, line by line."""
    then = bot_labels(record.header)[record.games[game].began.bots[seat]]
    now = printable(f"{manifest.name} {manifest.version}")
    yield f"{record.header.match}, game {game}, seat {seat}: {then} as recorded, {now} now"
    for answer in done.answers:
        if not answer.agrees:
            yield from _difference(answer)
    agreed = sum(answer.agrees for answer in done.answers)
    asked = f" of {done.asked}" if len(done.answers) < done.asked else ""
    yield f"{agreed} of {len(done.answers)}{asked} answers agree"
    for name, times in (("recorded", _recorded_times(done)), ("now", _times(done))):
        if times:
            longest = milliseconds(max(times))
            yield f"{name}: median {milliseconds(int(median(times)))}, longest {longest}"
    if done.broken_off:
        after = so_many(len(done.answers), "prompt")
        yield printable(f"ended after {after}: {done.broken_off}")


def _difference(answer: Answer) -> Iterator[str]:
    step = answer.recorded
    assert step is not None
    why = "" if step.said.answered else f" (the default action, because {step.said.fault})"
    if answer.action is not None:
        now = answer.action.text
    else:
        now = f"{answer.fault}{f': {answer.detail}' if answer.detail else ''}"
    yield (
        f"prompt {answer.prompt.number}, line {step.line}, hand {step.hand}, "
        f"{step.stage.name.lower()}: recorded {step.action}{why} in "
        f"{milliseconds(step.said.spent)}, now {now} in {milliseconds(answer.spent)}"
    )
    yield f"    legal: {', '.join(map(str, answer.prompt.view.legal))}"


def _times(done: Rerun) -> Sequence[int]:
    return [answer.spent for answer in done.answers]


def _recorded_times(done: Rerun) -> Sequence[int]:
    return [one.recorded.said.spent for one in done.answers if one.recorded is not None]


def facts_of(
    record: Replay, game: int, seat: int, manifest: Manifest, done: Rerun
) -> dict[str, object]:
    """The same for programs."""
    number = record.games[game].began.bots[seat]
    return {
        "match": record.header.match,
        "game": game,
        "seat": seat,
        "recorded": record.header.bots[number]._asdict(),
        "bot": {"name": manifest.name, "version": manifest.version},
        "prompts": done.asked,
        "answered": len(done.answers),
        "agree": sum(answer.agrees for answer in done.answers),
        "broken_off": done.broken_off,
        "answers": [_answer_facts(answer) for answer in done.answers],
    }


def _answer_facts(answer: Answer) -> dict[str, object]:
    step = answer.recorded
    assert step is not None
    return {
        "prompt": answer.prompt.number,
        "line": step.line,
        "hand": step.hand,
        "kind": step.stage.name,
        "legal": [action.text for action in answer.prompt.view.legal],
        "recorded": {
            "action": step.action.text,
            "answered": step.said.answered,
            "fault": step.said.fault,
            "spent": step.said.spent,
        },
        "now": {
            "action": None if answer.action is None else answer.action.text,
            "fault": answer.fault,
            "spent": answer.spent,
        },
        "agrees": answer.agrees,
    }
