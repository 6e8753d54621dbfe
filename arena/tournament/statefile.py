"""The state of a series in a file, so that it can be taken up again.

One JSON object a line: first what was planned, then one line for every finished match. The last
member of each is a checksum of the line without it. A line is written at once and whole; the last
one may be cut off by the end of the process that wrote it, and is then left out and played again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from arena.engine.version import ENGINE_VERSION
from arena.errors import HostFault, InputError
from arena.referee.events import BotNo, Forfeit, ForfeitReason, GameResult
from arena.referee.record import limits_facts
from arena.referee.tally import Fault, Tally, Times
from arena.submissions.manifest import digest_of
from arena.tournament.series import FinishedMatch, SeriesPlan, is_of, is_whole

__all__ = ["StateFile", "plan_facts", "seed_in"]

FORMAT: Final = "mille-arena-series/1"
_SEED_TEXT: Final = "seed_text"
_DIGESTS: Final = "digests"
_BOARDS: Final = "boards"
_NOT_COMPARED: Final = (_SEED_TEXT, _DIGESTS, _BOARDS)
"""Members of the first line that another run may have otherwise. More boards go on where fewer
ended: they are the same ones, and more of them."""

_SUM: Final = b',"sum":"'
_SUM_END: Final = b'"}'
_SUM_DIGITS: Final = 16
_LONGEST_HEAD: Final = 1 << 20  # bytes


def plan_facts(plan: SeriesPlan) -> dict[str, object]:
    """What two runs must have in common to be one series; plain JSON values."""
    facts = {
        "format": FORMAT,
        "engine": ENGINE_VERSION,
        "bots": [[bot.name, bot.version, list(bot.run), str(bot.folder)] for bot in plan.bots],
        "preset": plan.rules.preset,
        "rules": plan.rules.options(),
        "teams": plan.seating.teams,
        "seed": plan.seed.hex(),
        "boards": plan.boards,
        "rotate": plan.rotate,
        "match_boards": plan.match_boards,
        "hands": plan.length.hands,
        "striped": plan.striped,
        "limits": limits_facts(plan.limits),
        "in_process": plan.venue.in_process,
        "sandbox": str(plan.venue.sandbox),
        "pondering": str(plan.venue.pondering),
        "strict_bots": plan.venue.strict_bots,
    }
    plain: dict[str, object] = json.loads(json.dumps(facts))
    return plain


def seed_in(path: Path) -> str | None:
    """The text from which the seed of the series in a file was made; None if it tells none."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = _parsed(file.readline(_LONGEST_HEAD).removesuffix(b"\n"))
    except OSError:
        return None
    text = {} if head is None else head
    return text[_SEED_TEXT] if isinstance(text.get(_SEED_TEXT), str) else None


class StateFile:
    """Finished matches of one series, in a file that is this run's alone until it is closed.

    Attributes:
        path: Where it is.
        finished: What it holds.
        changed: Names of bots whose files have changed since it was begun.
    """

    def __init__(self, path: Path, plan: SeriesPlan, seed_text: str = "") -> None:
        """Open the file and read it; begin it if it is new or empty.

        Raises:
            InputError: it belongs to another plan (the message names what differs), it is no such
                file, it is damaged, another run has it, or it cannot be opened.
            HostFault: it cannot be written.
        """
        self.path = path
        self.finished: list[FinishedMatch] = []
        self._plan = plan
        self.changed: tuple[str, ...] = ()
        own = {_SEED_TEXT: seed_text, _DIGESTS: [digest_of(bot) for bot in plan.bots]}
        self._head = {**plan_facts(plan), **own}
        self._file = _opened(path)
        try:
            whole = self._read(self._file.read())
            self._file.truncate(whole)
            self._file.seek(whole)
            if not whole:
                self._append(_line(self._head))
        except OSError as error:
            self._file.close()
            raise HostFault(f"{path}: cannot be written: {error.strerror}") from None
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _read(self, content: bytes) -> int:
        """Take in what the file holds; how many bytes of it are whole."""
        # What follows the last line end was cut off while it was written.
        *lines, rest = content.split(b"\n")
        if not lines:
            if not _line(self._head).startswith(rest):
                raise InputError(f"{self.path}: is no state of a series ({FORMAT})")
            return 0
        self._check(_parsed(lines[0]))
        numbers = set()
        for place, line in enumerate(lines[1:], 2):
            match = self._match(line, place)
            if match.number in numbers:
                raise InputError(f"{self.path}: line {place}: match {match.number} is there twice")
            if match.number >= self._plan.match_count:
                raise InputError(
                    f"{self.path} has more than {self._plan.boards} boards: match {match.number}; "
                    "give as many boards as it has, or more"
                )
            if not is_whole(self._plan, match):
                continue  # the last one of fewer boards; it is played again, with all of its own
            numbers.add(match.number)
            self.finished.append(match)
        return len(content) - len(rest)

    def _match(self, line: bytes, place: int) -> FinishedMatch:
        try:
            facts = _parsed(line)
            if facts is not None:
                match = _match_from(facts, len(self._plan.bots))
                if match.number >= self._plan.match_count or is_of(self._plan, match):
                    return match
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
            pass
        raise InputError(
            f"{self.path}: line {place} is damaged; take it out to have its match played again"
        )

    def _check(self, facts: Mapping[str, Any] | None) -> None:
        if facts is None or facts.get("format") != FORMAT or not _has_digests(facts, self._plan):
            raise InputError(f"{self.path}: is no state of a series ({FORMAT})")
        for name, value in self._head.items():
            if name not in _NOT_COMPARED and facts.get(name) != value:
                was, now = json.dumps(facts.get(name)), json.dumps(value)
                raise InputError(
                    f"{self.path} belongs to another plan: {_difference(name, was, now)}; "
                    "give the same options again, or another file"
                )

        self.changed = tuple(
            bot.name
            for bot, was in zip(self._plan.bots, facts[_DIGESTS], strict=True)
            if was != digest_of(bot)
        )

    def write(self, matches: Sequence[FinishedMatch]) -> None:
        """Append finished matches, each in one write.

        Raises:
            HostFault: it cannot be written; what was in it is still there.
        """
        for match in matches:
            whole = self._file.tell()
            try:
                self._append(_line(_match_facts(match)))
            except OSError as error:
                with contextlib.suppress(OSError):  # a piece of a line does no harm at the end
                    self._file.truncate(whole)
                    self._file.seek(whole)
                raise HostFault(f"{self.path}: cannot be written: {error.strerror}") from None
            self.finished.append(match)

    def _append(self, line: bytes) -> None:
        while line:
            line = line[self._file.write(line) :]


def _opened(path: Path) -> BinaryIO:
    """The file for reading and writing, unbuffered, made if need be, and locked."""
    try:
        # Not blocking: whoever names a pipe is told that it is none.
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o666)
    except OSError as error:
        raise InputError(f"{path}: cannot be opened for writing: {error.strerror}") from None
    file = os.fdopen(number, "r+b", buffering=0)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise InputError(f"{path}: is no file")
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(f"{path}: another run is writing it; name another file") from None
    except BaseException:
        file.close()
        raise
    return file


def _has_digests(facts: Mapping[str, Any], plan: SeriesPlan) -> bool:
    digests = facts.get(_DIGESTS)
    return isinstance(digests, list) and len(digests) == len(plan.bots)


def _difference(name: str, was: str, now: str) -> str:
    if len(was) + len(now) > 200:
        return f"{name} differs"
    return f"{name} was {was} and is {now} now"


# -- lines ------------------------------------------------------------------------------------


def _line(facts: Mapping[str, object]) -> bytes:
    body = json.dumps(facts, separators=(",", ":")).encode()
    return body[:-1] + _SUM + _sum(body) + _SUM_END + b"\n"


def _sum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:_SUM_DIGITS].encode()


def _parsed(line: bytes) -> dict[str, Any] | None:
    """What a line says; None if it is not as it was written."""
    rest, _, end = line.rpartition(_SUM)
    body = rest + b"}"
    if end != _sum(body) + _SUM_END:
        return None
    value: object = json.loads(body)
    return value if isinstance(value, dict) else None


def _match_facts(match: FinishedMatch) -> dict[str, object]:
    return {
        "match": match.number,
        "results": [
            [getattr(result, one.name) for one in fields(GameResult)] for result in match.results
        ],
        "tallies": [_tally_facts(tally) for tally in match.tallies],
        "forfeits": [[one.bot, one.reason, one.detail, one.game] for one in match.forfeits],
        "voids": match.voids,
        "logs": match.brief().logs,
    }


def _tally_facts(tally: Tally) -> dict[str, object]:
    return {
        "faults": dict(tally.faults),
        "think": [list(tally.think_times.classes.items()), tally.think_times.longest],
        "start": [list(tally.start_ups.classes.items()), tally.start_ups.longest],
        "coups_fourres": tally.coups_fourres,
        "strikes": tally.strikes,
        "prompts": tally.prompts,
        "surplus": tally.surplus,
    }


def _match_from(facts: Mapping[str, Any], bots: int) -> FinishedMatch:
    tallies = tuple(_tally_from(one) for one in facts["tallies"])
    if len(tallies) != bots or len(facts["logs"]) != bots:
        raise ValueError("another number of bots")
    return FinishedMatch(
        number=int(facts["match"]),
        results=tuple(_result_from(one) for one in facts["results"]),
        tallies=tallies,
        forfeits=tuple(
            Forfeit(BotNo(bot), ForfeitReason(reason), _text(detail), game)
            for bot, reason, detail, game in facts["forfeits"]
        ),
        voids=tuple(map(_text, facts["voids"])),
        logs=tuple(map(_text, facts["logs"])),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _result_from(values: Sequence[Any]) -> GameResult:
    parts: list[Any] = [tuple(one) if isinstance(one, list) else one for one in values]
    return GameResult(*parts)


def _tally_from(facts: Mapping[str, Any]) -> Tally:
    return Tally(
        faults=Counter({Fault(name): count for name, count in facts["faults"].items()}),
        think_times=Times(dict(facts["think"][0]), facts["think"][1]),
        start_ups=Times(dict(facts["start"][0]), facts["start"][1]),
        coups_fourres=facts["coups_fourres"],
        strikes=facts["strikes"],
        prompts=facts["prompts"],
        surplus=facts["surplus"],
    )
