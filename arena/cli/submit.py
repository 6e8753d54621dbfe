"""`arena submit`: a bot's folder to the server, and what becomes of it there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.cli.talking import CaOption, ServerOption, ago, as_facts, connected, new_request
from arena.cli.uploadreport import report_lines
from arena.errors import HostFault
from arena.storage.facts import UploadState
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder

if TYPE_CHECKING:
    from arena.tournament.answers import UploadStatus
    from arena.transport.client import Client

__all__ = ["follow", "submit"]

_MARGIN: Final = 10


def submit(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", exists=True, file_okay=False, help="The folder with the bot's bot.toml."
        ),
    ],
    server: ServerOption = "",
    ca: CaOption = None,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Upload, and do not wait for what comes of it.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Pack a bot, upload it, and follow how it is checked, built and validated.

    It is packed as `arena pack` does; `arena try` does at home what the server does. Once it is
    accepted it plays rated matches, in place of the bot's version before. Ctrl-C stops the
    following only: `arena status` goes on.

    Exit code 0 if it was accepted, 1 if it was refused or nobody can tell yet.
    """
    packed = pack_folder(folder, ArchiveLimits())
    with connected(server, ca) as client:
        with tempfile.NamedTemporaryFile(prefix="arena-", suffix=".zip") as file:
            file.write(packed.content)
            file.flush()
            status = _upload(client, Path(file.name), quiet=as_json)
        if not no_wait:
            status = follow(client, status, quiet=as_json)
        log = client.build_log(status.number) if status.state is UploadState.REFUSED else ()
    if as_json:
        print_json({**as_facts(status), "build_log": list(log)})
    else:
        _print_end(status, log)
    if not no_wait and status.state is not UploadState.ACCEPTED:
        raise typer.Exit(ExitCode.FAILED)


def _upload(client: Client, archive: Path, *, quiet: bool) -> UploadStatus:
    """Upload an archive with a bar; broken off by the network, it is tried once more."""
    request = new_request()
    console = remarks()
    columns = (TextColumn("upload"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:
        task = progress.add_task("upload", total=archive.stat().st_size)

        def told(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        try:
            return client.upload_version(archive, request=request, progress=told)
        except HostFault:
            return client.upload_version(archive, request=request, progress=told)


def follow(client: Client, status: UploadStatus, *, quiet: bool) -> UploadStatus:
    """Say what happens to an upload until it is over.

    Raises:
        HostFault: the server has gone; the upload goes on, or waits for it.
    """
    said, last = 0, status
    if not quiet:
        _say(
            f"{'upload':<{_MARGIN}}number {status.number}, {status.length:,} bytes, SHA-256 "
            f"{status.archive}"
        )
    with remarks().status("waiting") as spinner:
        try:
            for now in client.follow_upload(status.number):
                # Of the step under way it may still be said otherwise how far it has come.
                is_whole = now.state is UploadState.ACCEPTED
                done = sum(is_whole or step != now.step for step, _ in now.told)
                for step, text in now.told[said:done] if not quiet else ():
                    _say(f"{step:<{_MARGIN}}{text}")
                said, last = max(said, done), now
                spinner.update(printable(_doing(now)))
        except HostFault as fault:
            raise HostFault(
                f"{fault}; upload {status.number} goes on without us, see `arena status`"
            ) from None
        except KeyboardInterrupt:
            remarks().print(f"upload {status.number} goes on; `arena status` tells how it stands")
            raise
    return last


def _doing(status: UploadStatus) -> str:
    if status.state is UploadState.QUEUED:
        place = f"place {status.position} in the queue" if status.position else "in the queue"
        expected = f", done {ago(status.expected)}" if status.expected else ""
        waiting = f": {status.waiting_for}" if status.waiting_for else ""
        return f"{place}{waiting}{expected}"
    told = dict(status.told).get(status.step, "")
    return ": ".join(filter(None, [status.step or str(status.state), told]))


def _print_end(status: UploadStatus, log: tuple[str, ...]) -> None:
    match status.state:
        case UploadState.ACCEPTED:
            _say(
                f"{'accepted':<{_MARGIN}}{status.owner}/{status.bot}, version {status.ordinal}: it "
                f"plays from now on; see `arena bots {status.owner}/{status.bot}` and "
                "`arena ladder`"
            )
        case UploadState.REFUSED:
            for line in refusal(status, log):
                _say(line)
        case UploadState.SET_ASIDE:
            _say(f"{'set aside':<{_MARGIN}}{'; '.join(status.why)}")
            _say("this is no fault of the bot; an operator has to look")
        case _:
            _say(f"upload {status.number} is under way; see `arena status`")


def refusal(status: UploadStatus, log: tuple[str, ...]) -> Iterator[str]:
    """Why an upload was refused, for its author."""
    indent = " " * _MARGIN
    yield f"{status.step or 'refused':<{_MARGIN}}REFUSED"
    details = list(report_lines(status.report)) if status.report else []
    yield from (f"{indent}{line}" for line in (details or status.why))
    if log and not details:
        yield f"{indent}the build wrote:"
        yield from (f"{indent}  {line}" for line in log)
    yield "a version that played before still does; `arena try` does the same at home"


def _say(text: str) -> None:
    results().print(printable(text), soft_wrap=True)
