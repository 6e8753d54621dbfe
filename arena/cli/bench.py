"""`arena bench`: measure this machine, always against a reference in the same run."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import Progress
from rich.table import Table

from arena.cli import enginebench
from arena.cli.enginebench import Row
from arena.cli.output import JsonOption, flowing, print_json, remarks, results

if TYPE_CHECKING:
    from arena.cli.refereebench import Figure

__all__ = ["app"]

app = typer.Typer(invoke_without_command=True)


@app.callback()
def bench(context: typer.Context) -> None:
    """Measure this machine, as ratios to a reference in the same run."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def engine(
    rounds: Annotated[
        int, typer.Option(min=1, help="Counted rounds for each table; one more is thrown away.")
    ] = 7,
    seconds: Annotated[
        float, typer.Option(min=0.01, help="CPU seconds of one run in a round, about.")
    ] = 0.2,
    as_json: JsonOption = False,
) -> None:
    """Measure the engine on one core: random play, views, copies, memory.

    Every action is drawn uniformly from the legal ones, which are worked out for every decision.
    The ratio is to a minimal two-player loop in plain Python, measured in turn with ours: quote it
    rather than the rates, which depend on the machine and its load.
    """
    rows = []
    with Progress(console=remarks(), transient=True) as progress:
        task = progress.add_task("measuring", total=len(enginebench.TABLES) + 1)
        for row in enginebench.measure(rounds, seconds):
            rows.append(row)
            progress.advance(task)
        peer = enginebench.open_spiel_rate(rounds, seconds)
    if as_json:
        print_json(
            {
                "rounds": rounds,
                "rows": [_as_json(row) for row in rows],
                "open_spiel": None
                if peer is None
                else {
                    "decisions": dataclasses.asdict(peer[0]),
                    "ours_with_views_ratio": dataclasses.asdict(peer[1]),
                },
            }
        )
        return
    console = results()
    console.print(_table(rows))
    console.print(
        f"Medians of {rounds} rounds, rates per CPU second. Ratio: to the decisions/s of the "
        "yardstick, a minimal two-player loop. Views: each decision from a full view with the "
        "events since the last. Bytes: the largest state of twenty hands. Copy and redeal (a "
        "random state that fits a view): microseconds each."
    )
    if peer is not None:
        console.print(
            f"OpenSpiel crazy_eights with observation string: {peer[0].median:,.0f} decisions/s; "
            f"ours with views / theirs: {peer[1].median:.2f} "
            f"({peer[1].low:.2f} to {peer[1].high:.2f})"
        )


app.command("engine", help=flowing(engine))(engine)


def referee(
    rounds: Annotated[
        int, typer.Option(min=1, help="Counted rounds of each comparison; one more is thrown away.")
    ] = 7,
    hands: Annotated[int, typer.Option(min=1, help="Hands of a match in a round.")] = 15,
    games: Annotated[
        int, typer.Option(min=20, help="Games over which the memory is watched.")
    ] = 200,
    as_json: JsonOption = False,
) -> None:
    """Measure the referee: what a match costs beyond a bare exchange of the same messages.

    Bots are the least there can be, and processes of their own. Deadlines are kept and a record is
    written, as always. Quote the ratios: rates depend on the machine and its load.

    With python-chess installed (`pip install chess`) its match runner is compared as well.
    """
    from arena.cli import chessbench, refereebench

    figures = []
    with Progress(console=remarks(), transient=True) as progress:
        task = progress.add_task("measuring", total=5 + chessbench.is_installed())
        for figure in refereebench.measure(rounds, hands):
            figures.append(figure)
            progress.advance(task)
        early, late = refereebench.measure_memory(games)
    if as_json:
        memory = {"games": games, "early_kib": early, "late_kib": late}
        rows = [dataclasses.asdict(figure) for figure in figures]
        print_json({"rounds": rounds, "hands": hands, "rows": rows, "memory": memory})
        return
    console = results()
    console.print(_comparisons(figures))
    console.print(
        f"Medians of {rounds} rounds. Memory of a match process: {early / 1024:.1f} MiB at most "
        f"until game {games // 10}, {late / 1024:.1f} MiB until game {games}."
    )


app.command("referee", help=flowing(referee))(referee)


def sandbox(
    rounds: Annotated[
        int, typer.Option(min=1, help="Counted rounds of each comparison; one more is thrown away.")
    ] = 7,
    boards: Annotated[int, typer.Option(min=2, help="Boards of a tournament.")] = 40,
    as_json: JsonOption = False,
) -> None:
    """Measure what it costs to run bots in containers, against plain processes in the same run.

    A place is made ready while the match before is still played, so of the two starts the second
    is the one that a match waits for. Needs a Docker engine and the image for Python.
    """
    from arena.cli import sandboxbench

    figures = []
    with Progress(console=remarks(), transient=True) as progress:
        task = progress.add_task("measuring", total=4)
        for figure in sandboxbench.measure(rounds, boards):
            figures.append(figure)
            progress.advance(task)
    holding = sandboxbench.measure_holding()
    if as_json:
        rows = [dataclasses.asdict(figure) for figure in figures]
        held = None if holding is None else dataclasses.asdict(holding)
        print_json({"rounds": rounds, "boards": boards, "rows": rows, "holding_us": held})
        return
    console = results()
    console.print(_comparisons(figures))
    told = "This user may not hold a container still."
    if holding is not None:
        told = f"Holding a busy program still takes {holding.freeze.median:.0f} us, "
        told += f"letting it go {holding.thaw.median:.0f} us."
    console.print(f"Medians of {rounds} rounds, {boards} boards in a tournament. {told}")


app.command("sandbox", help=flowing(sandbox))(sandbox)


def _comparisons(figures: Sequence[Figure]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for at, name in enumerate(("what", "ours", "yardstick", "ratio", "range", "target")):
        table.add_column(name, justify="right" if at else "left")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{figure.ours.median:,.0f} {figure.unit}",
            f"{figure.theirs.median:,.0f} {figure.unit}",
            f"{figure.ratio.median:.2f}",
            f"{figure.ratio.low:.2f}-{figure.ratio.high:.2f}",
            figure.target,
        )
    return table


def _as_json(row: Row) -> dict[str, object]:
    facts = dataclasses.asdict(row)
    del facts["single"]
    return facts | {
        "state_bytes": row.single.state_bytes,
        "copy_us": row.single.copy_us,
        "determinize_us": row.single.determinize_us,
    }


COLUMNS: Final = (
    "players",
    "hands/s",
    "decisions/s",
    "ratio",
    "views/s",
    "ratio",
    "bytes",
    "copy",
    "redeal",
)


def _table(rows: list[Row]) -> Table:
    table = Table(
        title="Engine: random legal play on one core",
        box=None,
        padding=(0, 2, 0, 0),
        pad_edge=False,
    )
    for at, name in enumerate(COLUMNS):
        table.add_column(name, justify="right" if at else "left", no_wrap=True)
    for row in rows:
        table.add_row(
            f"{row.preset} {row.players}",
            f"{row.hands.median:,.0f}",
            f"{row.decisions.median:,.0f}",
            f"{row.ratio.median:.2f}",
            f"{row.with_views.median:,.0f}",
            f"{row.with_views_ratio.median:.2f}",
            f"{row.single.state_bytes:,}",
            f"{row.single.copy_us:.1f}",
            f"{row.single.determinize_us:.0f}",
        )
    return table
