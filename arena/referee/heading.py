"""The first line of a record, read back: what was agreed, and what was promised of the deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from arena.engine.deal import SEED_BYTES, Board, commitment
from arena.engine.fields import as_bool, as_int, as_list, as_object, as_text, as_word, shown
from arena.engine.rulesets import MAX_SEATS, PRESETS, RuleSet, make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import Seating, make_seating
from arena.engine.version import ENGINE_VERSION
from arena.errors import FieldError, InputError, quoted
from arena.referee.game import MatchPlan, Sitting
from arena.referee.limits import FaultBudget, HostGuard, Limits, Nanos, TimeControl, WindowMode
from arena.referee.record import FORMAT

__all__ = ["BotFacts", "Header", "UnknownRecord", "read_header"]

_DIGITS: Final = 64
_MOST: Final = 1 << 63


class UnknownRecord(InputError):  # noqa: N818 - it may well be right, elsewhere
    """Not a record, or of a format or an engine that is not this one: nothing is said about it."""


class BotFacts(NamedTuple):
    """What a record says of a bot; its name may hold anything."""

    name: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the header of a record says.

    Attributes:
        match, attempt: What the match is called, and which try it is.
        created: When it was begun, as its organiser wrote it.
        bots: By number.
        boards: What the boards are called in their series.
        bot_seeds: By leg and bot, the seed for the bot's own chance; None if nobody wrote it down.
        commitments: By board, SHA-256 of its seed in hexadecimal digits.
        agreed: The plan, with boards that nobody knows yet.
    """

    match: str
    attempt: int
    created: str
    bots: tuple[BotFacts, ...]
    boards: tuple[int, ...]
    bot_seeds: tuple[tuple[int, ...], ...] | None
    commitments: tuple[str, ...]
    agreed: MatchPlan

    def plan(self, seeds: Sequence[str]) -> MatchPlan:
        """The plan of the match with the boards of these seeds, in hexadecimal digits.

        Raises:
            FieldError: they are not what was promised; the message names the first that is not.
        """
        if len(seeds) != len(self.commitments):
            raise FieldError("seeds", f"are {len(seeds)}, must be {len(self.commitments)}")
        boards = []
        for at, (text, promise) in enumerate(zip(seeds, self.commitments, strict=True)):
            seed = _hexadecimal(text, f"seeds[{at}]")
            if commitment(seed).hex() != promise:
                raise FieldError(f"seeds[{at}]", "its SHA-256 is not the header's commitment")
            boards.append(Board(seed))
        return _with_boards(self.agreed, tuple(boards))


def read_header(members: Mapping[str, object]) -> Header:
    """The header, from the members of a record's first line.

    Members that are not named here are facts of whoever had the match played; they are passed over.

    Raises:
        UnknownRecord: it is of another format or engine; the message names both.
        FieldError: a member is missing or breaks the format.
    """
    _check_maker(members)
    bots = tuple(
        _bot(one, f"bots[{at}]") for at, one in enumerate(as_list(_of(members, "bots"), "bots"))
    )
    promised = as_list(_of(members, "commitments"), "commitments")
    commitments = tuple(
        _hexadecimal(one, f"commitments[{at}]").hex() for at, one in enumerate(promised)
    )
    agreed = _agreed(members, len(commitments))
    _check_number("bots", len(bots), agreed.seating.players, "seats")
    boards = _counts(_of(members, "boards"), "boards")
    _check_number("boards", len(boards), len(commitments), "commitments")
    return Header(
        match=as_text(_of(members, "match"), "match"),
        attempt=as_int(_of(members, "attempt"), "attempt", 1),
        created=as_text(_of(members, "created"), "created"),
        bots=bots,
        boards=boards,
        bot_seeds=_bot_seeds(members.get("bot_seeds"), agreed),
        commitments=commitments,
        agreed=agreed,
    )


def _check_maker(members: Mapping[str, object]) -> None:
    made = members.get("format")
    if members.get("t") != "header" or not isinstance(made, str):
        raise UnknownRecord(f"not a record: its first line is no header of the format {FORMAT}")
    if made != FORMAT:
        raise UnknownRecord(f"its format is {quoted(made)}; the one that is read here is {FORMAT}")
    engine = as_int(_of(members, "engine"), "engine", 1, _MOST)
    if engine != ENGINE_VERSION:
        raise UnknownRecord(f"made by engine {engine}; this is engine {ENGINE_VERSION}")


def _check_number(name: str, count: int, right: int, of_what: str) -> None:
    if count != right:
        raise FieldError(name, f"are {count}, must be as many as {of_what}, {right}")


def _of(members: Mapping[str, object], name: str, path: str = "") -> object:
    if name not in members:
        raise FieldError(f"{path}{name}", "is missing")
    return members[name]


# -- what was agreed --------------------------------------------------------------------------


def _agreed(members: Mapping[str, object], boards: int) -> MatchPlan:
    preset = as_word(_of(members, "preset"), "preset", tuple(PRESETS))
    seats = [
        _counts(team, f"teams[{at}]")
        for at, team in enumerate(as_list(_of(members, "teams"), "teams"))
    ]
    if sum(map(len, seats)) > MAX_SEATS:
        raise FieldError("teams", f"name more than {MAX_SEATS} seats")
    rules, seating = _rules(preset, _of(members, "rules"), seats)
    hands = _of(members, "hands")
    legs = [
        tuple(_sitting(one, f"legs[{leg}][{at}]") for at, one in enumerate(as_list(games, "legs")))
        for leg, games in enumerate(as_list(_of(members, "legs"), "legs"))
    ]
    limits = _limits(_of(members, "limits"))
    try:
        return MatchPlan(
            rules=rules,
            seating=seating,
            boards=(Board(bytes(SEED_BYTES)),) * boards,
            legs=tuple(legs),
            limits=limits,
            length=Length(None if hands is None else as_int(hands, "hands", 1)),
            striped=as_bool(_of(members, "striped"), "striped"),
            play_on=as_bool(_of(members, "play_on"), "play_on"),
        )
    except FieldError:
        raise
    except InputError as error:
        raise FieldError("legs", str(error)) from None


def _with_boards(agreed: MatchPlan, boards: tuple[Board, ...]) -> MatchPlan:
    values = {field.name: getattr(agreed, field.name) for field in fields(MatchPlan)}
    return MatchPlan(**{**values, "boards": boards})


def _rules(preset: str, given: object, seats: Sequence[Sequence[int]]) -> tuple[RuleSet, Seating]:
    options = as_object(given, "rules")
    try:
        rules = make_ruleset(preset, options)  # type: ignore[arg-type]  # it looks at every value
        seating = make_seating(rules, seats)
    except InputError as error:
        raise FieldError("rules", str(error)) from None
    if list(seating.teams) != list(seats):
        raise FieldError("teams", f"the seats of each must be in order: {seating}")
    if missing := [name for name in rules.options() if name not in options]:
        raise FieldError("rules", f"{missing[0]} is missing")
    return rules, seating


def _limits(given: object) -> Limits:
    kinds = (TimeControl, FaultBudget)
    own = {kind: [field.name for field in fields(kind)] for kind in kinds}
    guard = ("lag_credited", "lag_void")
    names = [*own[TimeControl], "window", *own[FaultBudget], *guard]
    members = as_object(given, "limits", names)
    numbers = {
        name: as_int(_of(members, name, "limits."), f"limits.{name}", 0, _MOST)
        for name in names
        if name != "window"
    }
    mode = as_word(_of(members, "window", "limits."), "limits.window", tuple(WindowMode))
    credited, void = (Nanos(numbers[name]) for name in guard)
    try:
        return Limits(
            time=TimeControl(**{name: Nanos(numbers[name]) for name in own[TimeControl]}),
            faults=FaultBudget(**{name: numbers[name] for name in own[FaultBudget]}),
            window=WindowMode(mode),
            host=HostGuard(credited=credited, void=void),
        )
    except InputError as error:
        raise FieldError("limits", str(error)) from None


# -- parts ------------------------------------------------------------------------------------


def _bot(given: object, path: str) -> BotFacts:
    members = as_object(given, path, BotFacts._fields)
    return BotFacts(
        *[as_text(_of(members, name, f"{path}."), f"{path}.{name}") for name in BotFacts._fields]
    )


def _bot_seeds(given: object, agreed: MatchPlan) -> tuple[tuple[int, ...], ...] | None:
    if given is None:
        return None
    seeds = tuple(
        tuple(
            as_int(seed, f"bot_seeds[{leg}]", 0, _MOST_SEED) for seed in as_list(row, "bot_seeds")
        )
        for leg, row in enumerate(as_list(given, "bot_seeds"))
    )
    if [len(row) for row in seeds] != [agreed.seating.players] * len(agreed.legs):
        raise FieldError("bot_seeds", "must be a list for each leg with a number for each bot")
    return seeds


_MOST_SEED: Final = (1 << 64) - 1


def _sitting(given: object, path: str) -> Sitting:
    pair = _counts(given, path)
    if len(pair) != 2:
        raise FieldError(path, "must be a list of two numbers: board and rotation")
    return Sitting(*pair)


def _counts(given: object, path: str) -> tuple[int, ...]:
    return tuple(as_int(one, f"{path}[{at}]") for at, one in enumerate(as_list(given, path)))


def _hexadecimal(given: object, path: str) -> bytes:
    text = as_text(given, path)
    if len(text) == _DIGITS and set(text) <= set("0123456789abcdef"):
        return bytes.fromhex(text)
    raise FieldError(path, f"{shown(text)} is not {_DIGITS} hexadecimal digits in lower case")
