"""`python -m tests.hostile`: play the corpus, and print what came of each behaviour.

With `--boxed` it is the corpus for containers, and the table also says what the engine had to do.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tests.hostile import features
from tests.hostile.cases import BOTS, BOXED, Case, all_cases
from tests.hostile.judge import ENOUGH, Baseline, others
from tests.hostile.playing import Court, Judged, boxed_court, court

HEAD = ("behaviour", "threats", "expected", "actual", "s", "other seat, ms", "")
WIDTHS = (28, 11, 17, 17, 5, 15, 0)
BOXED_HEAD = (*HEAD[:-1], "ratio", "engine, s", "disk, MB", "left", "")
BOXED_WIDTHS = (*WIDTHS[:-1], 6, 10, 9, 5, 0)


def main() -> int:
    """Play what is asked for; 1 if anything is not as expected."""
    options = _options()
    known = {case.name: case for case in all_cases(BOXED if options.boxed else BOTS)}
    if options.boxed and (why := features.why_not()):
        sys.stderr.write(f"{len(known)} cases not run: {why}\n")
        return 2
    for name in options.names:
        if name not in known:
            sys.stderr.write(f"unknown behaviour {name!r}; there are {', '.join(known)}\n")
            return 2
    cases = [known[name] for name in options.names or known]
    if options.fast:
        cases = [case for case in cases if not case.slow]
    begin = time.monotonic()
    wrong = _play(cases, options)
    took = time.monotonic() - begin
    sys.stdout.write(f"\n{len(cases)} behaviours in {took:.0f} s, {wrong} not as expected\n")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=main.__doc__)
    parser.add_argument("names", nargs="*", help="behaviours; all by default")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="matches at once (2)")
    parser.add_argument("--fast", action="store_true", help="leave out what takes seconds")
    parser.add_argument("--boxed", action="store_true", help="the corpus for containers")
    return parser.parse_args()


def _play(cases: list[Case], options: argparse.Namespace) -> int:
    """Play all cases and print a line for each; how many are not as expected."""
    wrong = 0
    make = boxed_court if options.boxed else court
    with make(options.jobs) as one, ThreadPoolExecutor(options.jobs) as threads:
        if options.boxed:
            sys.stdout.writelines(f"{line}\n" for line in features.missing())
        quiet = one.quiet
        sys.stdout.write(
            f"in quiet, another seat needs {quiet.median:.1f} ms in the median, "
            f"{quiet.nine_of_ten:.1f} ms in nine of ten answers\n\n"
        )
        _line(*(BOXED_HEAD if options.boxed else HEAD))
        for case, judged in zip(
            cases, threads.map(lambda case: _judge(one, case), cases), strict=True
        ):
            wrong += bool(judged.problems)
            _tell(case, judged, quiet)
    return wrong


def _judge(one: Court, case: Case) -> Judged:
    return one.judge(case)


def _tell(case: Case, judged: Judged, quiet: Baseline) -> None:
    seen = judged.seen
    times = others(seen)
    enough = len(times) >= ENOUGH
    median = times.quantile(0.5) / 1e6
    think = f"{median:.1f}, {times.quantile(0.9) / 1e6:.1f}" if enough else "-"
    how = "ok" if not judged.problems else "WRONG"
    if judged.tries > 1:
        how += f", {judged.tries} tries"
    threats = " ".join(case.threats)
    fields = [case.name, threats, case.verdict, seen.verdict, f"{seen.seconds:.1f}", think]
    if seen.machine is not None:
        ratio = f"{median / quiet.median:.1f}" if enough else "-"
        engine, disk = f"{seen.machine.engine:.1f}", f"{seen.machine.disk:.1f}"
        fields += [ratio, engine, disk, str(len(seen.left))]
    _line(*fields, how)
    for problem in judged.problems:
        sys.stdout.write(f"    {problem.text}\n")
    sys.stdout.flush()


def _line(*fields: str) -> None:
    widths = WIDTHS if len(fields) == len(WIDTHS) else BOXED_WIDTHS
    cells = [field.ljust(width) for field, width in zip(fields, widths, strict=True)]
    sys.stdout.write(f"{' '.join(cells).rstrip()}\n")


if __name__ == "__main__":
    sys.exit(main())
