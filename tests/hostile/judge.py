"""What is wrong with a case: what was seen, against what its file expects and a quiet baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from arena.referee.tally import Fault, Times
from arena.sandbox.policy import PLAYING
from tests.hostile.cases import Case
from tests.hostile.house import HOSTILE, Seen

__all__ = ["Baseline", "Problem", "baseline", "problems"]

ENOUGH: Final = 40
"""Answers of the other seats from which their think times can be judged."""

TIMES_SLOWER: Final = 3.0
MEDIAN_MS: Final = 2.0
NINE_OF_TEN_MS: Final = 10.0
"""An undisturbed seat needs at most so many times what it needs in quiet, and so much more: these
are round trips of half a millisecond on a machine that does other things as well."""

DISK_MB: Final = 4.0
"""What a match may have on disk meanwhile: the engine's books of its containers."""

KEPT_BYTES: Final = 128 * 1024
"""What may be kept of the output of a bot: its head, its tail, and a piece."""

LAG_MS: Final = 100.0
"""For so long the referee may stand still in all while another seat is asked. It gets that back,
and what a hostile bot could do with it is make the match void."""

BUSY_VERDICTS: Final = ("VOID", "FORFEIT STARTUP", "FORFEIT TIMEOUT")
TIME_FAULTS: Final = {str(Fault.MISSED_WINDOW), str(Fault.TIMED_OUT), str(Fault.LATE)}
"""What happens to everybody on a machine that is busy enough."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong; `noisy` if a busy machine can be the reason, so that it counts if it lasts."""

    text: str
    noisy: bool = False


@dataclass(frozen=True, slots=True)
class Baseline:
    """Think times of an honest seat against an honest one, in milliseconds.

    In containers also what the engine takes for such a match, in seconds of processor time.
    """

    median: float
    nine_of_ten: float
    engine: float = 0


def baseline(quiet: Sequence[Seen]) -> Baseline:
    """The slowest of some quiet matches."""
    times = [others(seen) for seen in quiet]
    engine = max(seen.machine.engine if seen.machine else 0 for seen in quiet)
    return Baseline(
        max(_ms(one, 0.5) for one in times), max(_ms(one, 0.9) for one in times), engine
    )


def others(seen: Seen) -> Times:
    """The think times of all seats but the hostile one's."""
    times = Times()
    for bot, tally in enumerate(seen.tallies):
        if bot != HOSTILE:
            times.merge(tally.think_times)
    return times


def _ms(times: Times, share: float) -> float:
    return times.quantile(share) / 1e6


def problems(case: Case, seen: Seen, quiet: Baseline) -> list[Problem]:
    """Everything that is not as it should be."""
    if seen.failure:
        return [Problem(f"no verdict but an exception:\n{seen.failure}")]
    return [
        *_verdict(case, seen),
        *_others(case, seen, quiet),
        *_host(case, seen),
        *_boxes(case, seen, quiet),
    ]


def _verdict(case: Case, seen: Seen) -> list[Problem]:
    """The verdict: what, by whom, in which words, how soon, and what else the bot brought about."""
    found = []
    if any(bot != HOSTILE for bot in seen.who):
        text = f"forfeits of bots {seen.who}, of which only {HOSTILE} is hostile"
        found.append(Problem(text, noisy=_started_late(seen)))
    if seen.record:
        found.append(Problem(f"its record does not hold: {seen.record}"))
    if seen.seconds > case.within:
        late = f"took {seen.seconds:.1f} s, more than {case.within:g} s"
        found.append(Problem(late, noisy=True))
    if seen.verdict != case.verdict:
        noisy = seen.verdict in BUSY_VERDICTS
        return [*found, Problem(f"{seen.text}, not {case.verdict}", noisy)]
    return [*found, *_particulars(case, seen)]


def _particulars(case: Case, seen: Seen) -> list[Problem]:
    """What belongs to the expected verdict."""
    found = [
        Problem(f"the verdict does not name {word!r}: {seen.text}")
        for word in case.words
        if word not in seen.text
    ]
    log = seen.logs[HOSTILE]
    found += [
        Problem(f"its log does not say {text!r}: {log[-300:]!r}")
        for text in case.log
        if text not in log
    ]
    found += [
        Problem(f"the log of bot {bot} says {text!r}: {_around(text, told)!r}")
        for bot, told in enumerate(seen.logs)
        for text in case.never
        if text in told
    ]
    if case.alike and len(set(seen.logs)) > 1:
        found.append(Problem(f"the logs are not the same: {_differing(seen.logs)}"))
    faults = {str(fault): count for fault, count in seen.tallies[HOSTILE].faults.items() if count}
    if case.faults is not None and faults != case.faults:
        kinds = {*faults, *case.faults}
        differ = {kind for kind in kinds if faults.get(kind) != case.faults.get(kind)}
        text = f"its faults are {faults}, not {case.faults}"
        found.append(Problem(text, noisy=differ <= TIME_FAULTS))
    return found


def _around(text: str, log: str) -> str:
    """The lines of a log that hold a text, not too many of them."""
    return "; ".join([line for line in log.splitlines() if text in line][:8])


def _differing(logs: Sequence[str]) -> list[tuple[str, ...]]:
    """The first lines that are not the same in all logs."""
    lines = zip_longest(*[log.splitlines() for log in logs], fillvalue="")
    return [one for one in lines if len(set(one)) > 1][:4]


def _started_late(seen: Seen) -> bool:
    """Whether all that the other seats did wrong is not to have started in time."""
    others = [bot for bot in seen.who if bot != HOSTILE]
    return bool(others) and all(f"bot {bot} (STARTUP" in seen.text for bot in others)


def _others(case: Case, seen: Seen, quiet: Baseline) -> list[Problem]:
    """The other seats: no fault, no strike, no bank taken, and as quick as in quiet."""
    found = []
    for bot, tally in enumerate(seen.tallies):
        faults = {str(fault): count for fault, count in tally.faults.items() if count}
        if bot != HOSTILE and (faults or tally.strikes):
            text = f"bot {bot} has {tally.strikes} strikes, faults {faults}"
            noisy = set(faults) <= TIME_FAULTS or _started_late(seen)
            found.append(Problem(text, noisy))
    if seen.bank_taken:
        taken = f"another seat's bank has lost {seen.bank_taken / 1e6:.1f} ms"
        found.append(Problem(taken, noisy=True))
    if seen.lag / 1e6 > LAG_MS:
        lag = f"the referee stood still for {seen.lag / 1e6:.0f} ms while another seat was asked"
        found.append(Problem(lag, noisy=True))
    times = others(seen)
    # How long an accomplice thinks is its own affair.
    if len(times) >= ENOUGH and not case.against:
        found += _slower("median", _ms(times, 0.5), quiet.median, MEDIAN_MS)
        found += _slower("nine of ten", _ms(times, 0.9), quiet.nine_of_ten, NINE_OF_TEN_MS)
    return found


def _slower(what: str, took: float, in_quiet: float, more: float) -> list[Problem]:
    if took <= TIMES_SLOWER * in_quiet + more:
        return []
    slower = f"another seat's think times, {what}: {took:.1f} ms, in quiet {in_quiet:.1f} ms"
    return [Problem(slower, noisy=True)]


def _host(case: Case, seen: Seen) -> list[Problem]:
    """This machine: nothing left, and no more taken than may be."""
    found = [Problem(f"left behind: {what}") for what in seen.left[:5]]
    if seen.descriptors:
        opened = ", ".join(seen.descriptors)
        found.append(Problem(f"file descriptors more than before: {opened}"))
    if seen.most_descriptors > case.descriptors:
        most = f"{seen.most_descriptors} file descriptors more meanwhile"
        found.append(Problem(f"{most}, {case.descriptors} allowed"))
    if seen.grown > case.megabytes:
        grown = f"the referee grew by {seen.grown:.0f} MB"
        found.append(Problem(f"{grown}, {case.megabytes:g} allowed"))
    if len(seen.errors) > case.errors:
        found.append(Problem(f"the referee wrote on standard error: {seen.errors[:500]}"))
    return found


def _boxes(case: Case, seen: Seen, quiet: Baseline) -> list[Problem]:
    """The engine and its disk, and what the containers took of this machine."""
    machine = seen.machine
    if machine is None:
        return []
    found = []
    if not machine.containers:
        found.append(Problem("no container of it was seen"))
    if machine.engine > quiet.engine + case.busy:
        took = f"the engine took {machine.engine:.1f} s, in quiet {quiet.engine:.1f} s"
        found.append(Problem(took, noisy=True))
    if machine.disk > DISK_MB:
        found.append(Problem(f"it had {machine.disk:.0f} MB on disk"))
    if machine.kept:
        found.append(Problem(f"the engine kept {machine.kept} bytes of its output"))
    for bot, log in enumerate(seen.logs):
        if len(log) > KEPT_BYTES:
            found.append(Problem(f"the log of bot {bot} has {len(log)} characters"))
    if machine.processes > PLAYING.processes:
        found.append(Problem(f"{machine.processes} processes in one container"))
    return found
