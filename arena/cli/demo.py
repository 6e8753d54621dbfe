"""`arena demo`: a first look: a ladder with its server, its authors and its matches."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.text import Text

from arena.cli.demoserver import DemoServer, demo_server, why_no_docker
from arena.cli.frames import OpenFrames
from arena.cli.ladder import standings_table
from arena.cli.matches import match_table
from arena.cli.matchpage import change_table, explained
from arena.cli.output import printable, remarks, results
from arena.cli.records import bot_labels, load_record
from arena.cli.replaytext import block, game_line
from arena.cli.talking import first, new_request
from arena.errors import HostFault
from arena.referee.replay import coups_fourres
from arena.storage.facts import MatchState, TokenKind, UploadState
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import example_bots
from arena.submissions.packing import pack_folder

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.tournament.answers import MatchSummary, UploadStatus
    from arena.transport.client import Client

__all__ = ["demo"]

ENTRIES: Final = (("ann", "keeper"), ("ben", "cautious"), ("cleo", "racer"), ("dan", "random"))
"""Who enters what."""

_BEFORE: Final = 2  # actions that are shown before the coup fourré
_AFTER: Final = 3  # itself, and what follows
_SHOWN: Final = 5  # matches
_LOOK: Final = 0.5  # seconds
_BEFORE_PLAY: Final = 30.0  # seconds
_UPLOADS: Final = 120.0  # seconds that all uploads have together

INTRODUCTION: Final = """\
[bold]Mille Bornes[/bold] is a race of 1000 km with cards. A Green Light starts the car, distance \
cards (D25 to D200) drive it. Hazards (RED_LIGHT, SPEED_LIMIT, OUT_OF_GAS, FLAT_TIRE, ACCIDENT) \
stop or slow an opponent until the remedy is played. A safety makes immune to its hazard for ever; \
played at the very moment of the attack it is a [bold white on red]coup fourré[/], worth 300 \
points and the next turn. Hands are added up to 5000 points.

Now a ladder, for about a minute: a server on this machine, four authors who upload a bot each, \
and rated matches of four hands.
"""
NEXT: Final = """\
What next: [cyan]arena serve[/cyan] for a ladder that stays (deploy/README.md), \
[cyan]arena match keeper cautious --boards 20[/cyan] for matches without a server, sdk/README.md \
to write a bot, arena/engine/README.md for the rules.
"""


def demo(
    seconds: Annotated[
        float, typer.Option(min=1, max=3600, help="How long rated matches are played.")
    ] = 35.0,
    no_docker: Annotated[
        bool, typer.Option("--no-docker", help="Run the bots as plain processes.")
    ] = False,
) -> None:
    """See a ladder at work: a server, uploads, rated matches, and why a rating has moved.

    Bots run in containers where this machine has Docker and the image for Python, else as plain
    processes. Everything is in a temporary folder, and nothing is left.
    """
    console = results()
    console.print(Text.from_markup(INTRODUCTION))
    latest = time.monotonic() + seconds + _BEFORE_PLAY
    with contextlib.ExitStack() as stack:
        server = _started(console, stack, no_docker=no_docker)
        from arena.transport.client import Client  # gRPC: slow to load

        clients = [
            stack.enter_context(Client(server.login.public, token)) for token in _tokens(server)
        ]
        _submit_all(server, clients, console)
        # A machine that was slow to begin plays less: nobody waits for ever.
        left = latest - time.monotonic()
        _play(server, clients[0], max(seconds / 2, min(seconds, left)), console)
        _tell_the_end(clients[0], console)
    console.print(Text.from_markup(NEXT))


def _started(console: Console, stack: contextlib.ExitStack, *, no_docker: bool) -> DemoServer:
    """A server with Docker or, if that does not go, without."""
    why = "--no-docker" if no_docker else why_no_docker()
    console.print(Rule("a server starts"))
    if not why:
        try:
            with remarks().status("the server checks this machine"):
                server = stack.enter_context(demo_server(docker=True))
        except HostFault as fault:
            why = str(fault)
    if why:
        console.print(
            printable(
                f"not in containers ({why}): bots run as plain processes, which is for your "
                "own bots only, since they may do whatever you may"
            ),
            soft_wrap=True,
        )
        server = stack.enter_context(demo_server(docker=False))
    where = "plain processes" if why else "Docker containers"
    console.print(f"authors connect to {server.login.public}; bots run in {where}\n")
    return server


def _tokens(server: DemoServer) -> Iterator[str]:
    """Take in the owners, as an operator does, and make a token for each."""
    from arena.transport.client import OperatorClient

    with OperatorClient(server.login.server, server.login.token) as operator:
        for owner, _ in ENTRIES:
            operator.create_owner(owner, request=new_request())
            text, _ = operator.issue_token(TokenKind.OWNER, owner=owner)
            yield text


# -- uploads ------------------------------------------------------------------------------------


def _submit_all(server: DemoServer, clients: Sequence[Client], console: Console) -> None:
    """Upload every bot, and follow until each has been accepted.

    Raises:
        HostFault: one was not, or it takes too long.
    """
    console.print(Rule("four authors upload a bot each: arena submit FOLDER"))
    with tempfile.TemporaryDirectory(prefix="arena-demo-") as name:
        uploads, bots = [], example_bots()
        for client, (_, bot) in zip(clients, ENTRIES, strict=True):
            archive = Path(name) / f"{bot}.zip"
            archive.write_bytes(pack_folder(bots[bot], ArchiveLimits()).content)
            uploads.append((client, archive, _upload(client, archive)))
        until = time.monotonic() + _UPLOADS
        for client, archive, upload in uploads:
            found = _followed(server, client, upload, until)
            if found.state is UploadState.REFUSED:
                # These bots are good: a machine that is far too busy is to blame.
                found = _followed(server, client, _upload(client, archive), until)
            console.print(_uploaded(found), soft_wrap=True)
    console.print()


def _upload(client: Client, archive: Path) -> UploadStatus:
    return client.upload_version(archive, request=new_request())


def _followed(
    server: DemoServer, client: Client, found: UploadStatus, until: float
) -> UploadStatus:
    """An upload when nothing more happens to it."""
    with remarks().status("waiting") as status:
        while not found.is_over:
            if time.monotonic() > until:
                raise HostFault(f"upload {found.number} takes longer than {_UPLOADS:g} s")
            server.require()
            status.update(printable(f"{found.owner}: {found.step or found.state}"))
            time.sleep(_LOOK)
            found = client.upload(found.number)
    return found


def _uploaded(found: UploadStatus) -> str:
    if found.state is not UploadState.ACCEPTED:
        raise HostFault(f"{found.owner}'s bot was not accepted: {'; '.join(found.why)}")
    told = dict(found.told)
    steps = "; ".join(told[step] for step in ("check", "validate") if step in told)
    return printable(f"{found.owner}/{found.bot} version {found.ordinal} accepted: {steps}")


# -- the ladder ---------------------------------------------------------------------------------


def _play(server: DemoServer, client: Client, seconds: float, console: Console) -> None:
    """Show how the ladder moves, until its time is up and something has been played."""
    console.print(Rule("rated matches: arena ladder --watch"))
    until = time.monotonic() + seconds

    def page() -> RenderableType:
        running, _ = first(client.matches(state=MatchState.LEASED), _SHOWN)
        left = max(0.0, until - time.monotonic())
        return Group(
            standings_table(list(client.standings())),
            match_table(running, f"{left:.0f} s left; played at this moment"),
        )

    with contextlib.ExitStack() as stack:
        live = None
        if console.is_terminal:
            live = stack.enter_context(Live(page(), console=console, transient=True))
        while time.monotonic() < until or (
            not first(client.matches(state=MatchState.DONE), 1)[0]
            and time.monotonic() < until + _UPLOADS
        ):
            server.require()
            time.sleep(_LOOK)
            if live is not None:
                live.update(page())
    console.print(standings_table(list(client.standings())))


def _tell_the_end(client: Client, console: Console) -> None:
    """Explain a change of a rating, and show a coup fourré from a record."""
    done, _ = first(client.matches(state=MatchState.DONE), 200)
    if not done:
        raise HostFault("no match has come to its end in this time")
    console.print(f"{len(done)} matches, for instance the last one (arena matches MATCH):\n")
    match = done[0]
    console.print(match_table([match]))
    changes = client.explain_match(match.number)
    console.print(change_table(changes, "what it did to the ratings"))
    for line in explained(match, changes):
        console.print(printable(line), soft_wrap=True)
    console.print()
    _show_coup_fourre(client, done, console)


def _show_coup_fourre(client: Client, done: Sequence[MatchSummary], console: Console) -> None:
    """Replay the first coup fourré that there is, with the actions around it."""
    for match in done[:20]:
        with tempfile.NamedTemporaryFile(prefix="arena-", suffix=".jsonl") as file:
            for piece in client.download_record(match.number):
                file.write(piece)
            file.flush()
            replay = load_record(Path(file.name))
        step = next(iter(coups_fourres(replay)), None)
        if step is None:
            continue
        hand = replay.hand_of(step)
        start, end = max(0, step.place - _BEFORE), min(len(hand.steps), step.place + _AFTER)
        console.print(Rule(f"a coup fourré, from the record of match {match.number}"))
        console.print(game_line(replay, replay.games[step.game]))
        frames = OpenFrames(replay)
        names = bot_labels(replay.header)
        for one in hand.steps[start:end]:
            for line in block(frames.frame(one.number - 1), names[one.bot]):
                console.print(line, soft_wrap=True)
        console.print()
        return
