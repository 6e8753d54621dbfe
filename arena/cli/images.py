"""`arena images`: make and list the images that bots in sandboxes are built and played in."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.status import Status
from rich.table import Table

from arena.cli.output import JsonOption, flowing, print_json, printable, remarks, results
from arena.errors import HostFault, InputError, quoted
from arena.sandbox.imagebases import Source
from arena.sandbox.images import ALSO_KNOWN_AS, Image, Language

if TYPE_CHECKING:
    from docker import APIClient

    from arena.sandbox.imagebuild import Building

__all__ = ["app"]

app = typer.Typer(invoke_without_command=True)

_SHOWN: Final = 20  # lines of a log, where a build has failed


@app.callback()
def images(context: typer.Context) -> None:
    """Make and list the images that bots in sandboxes are built and played in."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """An image, and how long it took in seconds."""

    image: Image
    seconds: float


class BuildLog:
    """Where the lines of a log go: to the terminal's last line, or all of them to the terminal."""

    def __init__(self, console: Console, status: Status, *, verbose: bool) -> None:
        self._console = console
        self._status = status
        self._verbose = verbose
        self._last: deque[str] = deque(maxlen=_SHOWN)
        self._language = "base"

    def begin(self, language: str) -> None:
        """The lines that follow are about the image for `language`."""
        self._language = language
        self._last.clear()
        self._status.update(f"{language}: begins")
        if not self._console.is_terminal:
            self._console.print(f"building the image for {language}", soft_wrap=True)

    def say(self, line: str) -> None:
        """One more line."""
        line = printable(line.expandtabs())
        self._last.append(line)
        room = max(20, self._console.width - len(self._language) - 8)
        self._status.update(f"{self._language}: {line[:room]}")
        if self._verbose:
            self._console.print(f"{self._language}: {line}", soft_wrap=True)

    def show_last(self) -> None:
        """The end of the log, if it has not been shown anyway."""
        if not self._verbose:
            for line in self._last:
                self._console.print(f"  {line}", soft_wrap=True)


def build(
    languages: Annotated[
        list[str] | None,
        typer.Argument(metavar="LANGUAGE", help="Which; all, if none is named."),
    ] = None,
    source: Annotated[
        Source | None,
        typer.Option("--from", help="Where base images come from; if not said, what there is."),
    ] = None,
    network: Annotated[
        str, typer.Option(metavar="NAME", help="The network of a build, e.g. host.")
    ] = "",
    ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Certificates in PEM to check downloads with; SSL_CERT_FILE, if not said.",
        ),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Fetch and build everything again: updates.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the whole log.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Build the image of each language: what bots are built in, and play in.

    Base images are public ones, by exact version. Where the engine cannot fetch those, a Debian is
    made with debootstrap, which needs root, and the rest comes from Debian's packages.
    """
    from arena.sandbox.engine import connect
    from arena.sandbox.imagebases import choose_source, fetch_bases
    from arena.sandbox.imagebuild import Building

    chosen = _languages(languages or ())
    certificates = _certificates(ca)
    console = remarks()
    with contextlib.closing(connect()) as engine:
        if source is None:
            source = choose_source(engine, chosen)
            console.print(f"base images: from {_WHERE[source]}", soft_wrap=True)
        how = Building(source=source, network=network, certificates=certificates, anew=anew)
        with console.status("base: begins") as status:
            log = BuildLog(console, status, verbose=verbose)
            try:
                fetch_bases(engine, chosen, source, log.say, anew=anew)
                built = [_build_one(engine, language, how, log) for language in chosen]
            except HostFault:
                log.show_last()
                raise
    _show_built(built, source, as_json=as_json)


app.command("build", help=flowing(build))(build)

_WHERE: Final = {
    Source.REGISTRY: "the registry",
    Source.DEBIAN: "debootstrap (the engine cannot fetch the public ones)",
}


class BuildOptionError(InputError):
    """What `arena images build` was asked for cannot be meant."""


def _languages(words: Sequence[str]) -> list[Language]:
    """The languages that were named, each once; all, if none was."""
    chosen = []
    for word in words:
        try:
            chosen.append(Language(ALSO_KNOWN_AS.get(word, word)))
        except ValueError:
            known = ", ".join((*Language, *ALSO_KNOWN_AS))
            raise BuildOptionError(f"language {quoted(word)}: must be one of {known}") from None
    return list(dict.fromkeys(chosen or Language))


def _certificates(file: Path | None) -> bytes:
    path = file or (Path(os.environ["SSL_CERT_FILE"]) if os.environ.get("SSL_CERT_FILE") else None)
    if path is None:
        return b""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BuildOptionError(f"certificates {path}: {error.strerror}") from None
    if b"-----BEGIN CERTIFICATE-----" not in content:
        raise BuildOptionError(f"certificates {path}: must be in the format PEM")
    return content


def _build_one(engine: APIClient, language: Language, how: Building, log: BuildLog) -> Built:
    from arena.sandbox.imagebuild import build_image

    began = time.monotonic()
    log.begin(language)
    image = build_image(engine, language, how, log.say)
    return Built(image=image, seconds=time.monotonic() - began)


def _show_built(built: Sequence[Built], source: Source, *, as_json: bool) -> None:
    if as_json:
        rows = [_facts(one.image) | {"seconds": round(one.seconds, 1)} for one in built]
        print_json({"from": source, "images": rows})
        return
    table = _table("language", "size", "seconds", "id")
    for one in built:
        size = f"{one.image.size / 1e6:,.0f} MB"
        table.add_row(one.image.language, size, f"{one.seconds:,.1f}", _short(one.image.id))
    results().print(table, soft_wrap=True)


def list_(as_json: JsonOption = False) -> None:
    """List the images: how large each is, when it was built, and whether it is of this version."""
    from arena.sandbox.engine import connect
    from arena.sandbox.images import list_images

    with contextlib.closing(connect()) as engine:
        there = list_images(engine)
    missing = [one.value for one in Language if one not in there]
    if as_json:
        print_json({"images": [_facts(there[one]) for one in there], "missing": missing})
        return
    table = _table("language", "size", "built", "wrapper", "id")
    for language in Language:
        image = there.get(language)
        if image is None:
            table.add_row(language, "", "not built", "", "")
            continue
        table.add_row(
            language,
            f"{image.size / 1e6:,.0f} MB",
            _moment(image.created),
            "of this version" if image.is_current else "build it again",
            _short(image.id),
        )
    results().print(table, soft_wrap=True)


app.command("list", help=flowing(list_))(list_)


def _short(ident: str) -> str:
    """As much of an id as the engine needs to know what is meant."""
    return ident[: len("sha256:") + 12]


def _moment(text: str) -> str:
    try:
        return f"{datetime.fromisoformat(text).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    except ValueError:  # some engines leave it out
        return "unknown"


def _facts(image: Image) -> dict[str, object]:
    return {
        "language": image.language,
        "id": image.id,
        "size_bytes": image.size,
        "created": image.created,
        "wrap": image.wrap,
        "is_current": image.is_current,
    }


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name in columns:
        right = name in ("size", "seconds")
        table.add_column(name, justify="right" if right else "left", no_wrap=True)
    return table
