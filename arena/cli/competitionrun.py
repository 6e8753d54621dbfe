"""`arena competition open ...`: what operators do to a competition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.competitionshow import NameArgument
from arena.cli.operating import DataOption, operating, say, tell
from arena.cli.output import JsonOption
from arena.errors import InputError
from arena.storage.facts import Level

if TYPE_CHECKING:
    from arena.tournament.competition.lines import CompetitionInfo

__all__ = [
    "add",
    "cancel",
    "decide",
    "disqualify",
    "finish",
    "freeze",
    "mix",
    "open_",
    "pause",
    "reinstate",
    "release",
    "rerun",
    "resume",
    "start",
    "withdraw",
]

_DATA: Final = Path("arena-data")

WhyRequired = Annotated[
    str,
    typer.Option("--why", metavar="TEXT", help="Why; it goes into the journal, for ever."),
]
BotArgument = Annotated[
    str, typer.Argument(metavar="OWNER/NAME", help="An entry of the competition.")
]
StageArgument = Annotated[int, typer.Argument(metavar="STAGE", min=1, help="A stage's number.")]
KeyArgument = Annotated[
    str, typer.Argument(metavar="KEY", help="A pairing's key, as `status --pairings` names it.")
]


def open_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The competition's file; or the name of one that is announced."
        ),
    ],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Announce a competition by its file; it opens at once, or when its schedule says.

    With the name of a competition that is announced it opens now, whatever its schedule says.
    """
    if not file.exists() and file.suffix != ".toml":
        with operating(data) as client:
            found = client.organising.open(str(file))
        _tell(found, "is open", as_json=as_json)
        return
    text = _read(file)
    with operating(data) as client:
        found = client.organising.announce(text)
    when = "its schedule says when it opens" if found.opens else "it opens at once"
    _tell(found, f"is announced; {when}", as_json=as_json)
    if not as_json:
        say(f"authors enter with: arena competition enter {found.name} BOT")


def freeze(name: NameArgument, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Take no more entries; which versions play is settled when uploads under way are done."""
    with operating(data) as client:
        found = client.organising.freeze(name)
    _tell(found, "takes no more entries", as_json=as_json)


def mix(
    name: NameArgument,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="The value, as it was published.")],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Mix in the public value that its file has named in advance; once, and before the start."""
    with operating(data) as client:
        found = client.organising.mix(name, value)
    _tell(found, "has its public value", as_json=as_json)


def start(name: NameArgument, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Begin to play, now."""
    with operating(data) as client:
        found = client.organising.start(name)
    _tell(found, "begins", as_json=as_json)


def pause(
    name: NameArgument, why: WhyRequired, data: DataOption = _DATA, as_json: JsonOption = False
) -> None:
    """Begin no more matches; those that are being played go on to their end."""
    with operating(data) as client:
        found = client.organising.pause(name, why)
    _tell(found, "is paused", as_json=as_json)


def resume(name: NameArgument, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Begin matches again."""
    with operating(data) as client:
        found = client.organising.resume(name)
    _tell(found, "goes on", as_json=as_json)


def finish(name: NameArgument, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Let the result stand, tell the secret seed, and release results as its file says.

    Until then results are provisional: something can be decided otherwise or played again.
    """
    with operating(data) as client:
        found = client.organising.finish(name)
    _tell(found, "is finished", as_json=as_json)


def cancel(
    name: NameArgument, why: WhyRequired, data: DataOption = _DATA, as_json: JsonOption = False
) -> None:
    """End a competition without a result."""
    with operating(data) as client:
        found = client.organising.cancel(name, why)
    _tell(found, "is cancelled", as_json=as_json)


def release(
    name: NameArgument,
    level: Annotated[Level, typer.Argument(metavar="LEVEL", help="Who may see results.")],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Say who may see results from now on: hidden, participants or public."""
    with operating(data) as client:
        found = client.organising.release(name, level)
    _tell(found, f"shows its results to: {found.level}", as_json=as_json)


def add(
    name: NameArgument, bot: BotArgument, data: DataOption = _DATA, as_json: JsonOption = False
) -> None:
    """Have a bot take part, before the freeze or after it.

    After the freeze it plays with the version that it has now. Until play begins it is one like all
    others; then it plays from the next round on, if the format of the stage allows it.
    """
    with operating(data) as client:
        found = client.organising.add(name, bot)
    _tell(found, f"has {bot} in it", as_json=as_json)


def withdraw(
    name: NameArgument,
    bot: BotArgument,
    why: WhyRequired,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Have an entry play no more, because its owner wants so."""
    with operating(data) as client:
        found = client.organising.withdraw(name, bot, why)
    _tell(found, f"goes on without {bot}", as_json=as_json)


def disqualify(
    name: NameArgument,
    bot: BotArgument,
    why: WhyRequired,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Put an entry out; what that means for its results the format says."""
    with operating(data) as client:
        found = client.organising.disqualify(name, bot, why)
    _tell(found, f"has disqualified {bot}", as_json=as_json)


def reinstate(
    name: NameArgument,
    bot: BotArgument,
    why: WhyRequired,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Take back that an entry was withdrawn or disqualified, because that was a mistake.

    It plays on as if it had never left; its matches that were cancelled are played as new runs.
    Once a stage has begun or pairings were announced without it, it is too late.
    """
    with operating(data) as client:
        found = client.organising.reinstate(name, bot, why)
    _tell(found, f"goes on with {bot} again", as_json=as_json)


def rerun(
    name: NameArgument,
    stage: StageArgument,
    key: KeyArgument,
    why: WhyRequired,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Have a pairing played once more; what it had is kept in the archive and does not count.

    Pairings that were announced stay as they are.
    """
    with operating(data) as client:
        found = client.organising.rerun(name, stage, key, why)
    _tell(found, f"plays {key} of stage {stage} again", as_json=as_json)


def decide(
    name: NameArgument,
    stage: StageArgument,
    key: KeyArgument,
    ranks: Annotated[
        str, typer.Argument(metavar="RANKS", help="By team, 1 for the best, such as 1,2.")
    ],
    why: WhyRequired,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Say how a pairing ended, instead of a match."""
    with operating(data) as client:
        found = client.organising.decide(name, stage, key, _ranks(ranks), why)
    _tell(found, f"has {key} of stage {stage} decided", as_json=as_json)


def _ranks(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(one.strip().isascii() and one.strip().isdigit() for one in parts):
        raise InputError(f"ranks {text}: must be numbers with commas between them, such as 1,2")
    return tuple(map(int, parts))


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not UTF-8") from None


def _tell(found: CompetitionInfo, text: str, *, as_json: bool) -> None:
    tell(found, f"{found.title} {text}", as_json=as_json)
