"""Which conformance case covers which ruling: makes RULINGS.md from the case files.

    python tests/conformance/rulings.py

The cases in own/ name their rulings in `source`. The cases in shared/ are the rule book's, kept as
they came; the table SHARED says what they rest on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.engine.rulesets import OPTIONS, PRESETS, Family, Value

FOLDER: Final = Path(__file__).parent
TABLE: Final = FOLDER / "RULINGS.md"
_NUMBER: Final = re.compile(r"\b[RXP]\d\d\b")

TITLES: Final[Mapping[str, str]] = {
    "R01": "Numbers of players and teams",
    "R02": "Who starts; who deals next",
    "R03": "Direction of play",
    "R04": "Discarding although a card could be played",
    "R05": "Is the discard pile face up?",
    "R06": "No play without effect",
    "R07": "When an attack may be laid",
    "R08": "No attack on an attack or on a remedy that waits",
    "R09": "When a Speed Limit may be laid",
    "R10": "When a Green Light is legal and needed",
    "R11": "What Right of Way does",
    "R12": "A safety played late needs a Green Light",
    "R13": "Where a cancelled attack goes",
    "R14": "A safety draws and plays again",
    "R15": "Which safety answers which attack",
    "R16": "Until when a coup fourré can be declared",
    "R17": "How many cards a coup fourré draws",
    "R18": "Who plays after a coup fourré",
    "R19": "The partner's coup fourré",
    "R20": "Right of Way against a Speed Limit",
    "R21": "The state after a coup fourré",
    "R22": "Nobody must declare",
    "R23": "Illegal attacks",
    "R24": "A turn with the draw pile empty",
    "R25": "The end of a hand without a finisher",
    "R26": "A safety replays with the draw pile empty",
    "R27": "No new draw pile from the discard pile",
    "R28": "Delayed action",
    "R29": "Two 200 km cards at most",
    "R30": "Exact finish",
    "R31": "Length of a hand",
    "R32": "Extension: who is asked, when",
    "R33": "Extension: who gets what",
    "R34": "106 cards for every number of players",
    "R35": "Who gets which bonus",
    "R36": "Four safeties",
    "R37": "Shutout",
    "R38": "The end of the match",
    "R39": "What a team shares",
    "R40": "One card a turn, except after a safety",
    "R41": "A safety may be discarded",
    "X01": "Express: the deck",
    "X02": "Express: players",
    "X03": "Express: where to draw from",
    "X04": "Express: the draw after a safety",
    "X05": "Express: starting, and after an attack",
    "X06": "Express: a covered pile is cleared",
    "X07": "Express: km of a safety and of a coup fourré",
    "X08": "Express: bonus km past the target",
    "X09": "Express: bonus km while stopped or limited",
    "X10": "Express: the target reached by a bonus",
    "X11": "Express: the three further options",
    "X12": "Express: the draws of a coup fourré",
    "X13": "Express: Red Light first, Speed Limit on top",
    "X14": "Express: a safety played late",
    "X15": "Express: all distance cards played",
    "X16": "Express: the draw pile empty",
    "X17": "Express: endless drawing from the discard pile",
    "X18": "Express: a tie",
    "X19": "Express: 700 km",
    "X20": "Express: choice of the top card",
    "X21": "Express: dealer and starter",
    "X22": "Express: no points",
    "P01": "Plateau: the deck",
    "P02": "Plateau: no Go to start",
    "P03": "Plateau: attacks on the first space",
    "P04": "Plateau: how many attacks at once",
    "P05": "Plateau: no Go after a remedy",
    "P06": "Plateau: 200 km cards",
    "P07": "Plateau: exact finish",
    "P08": "Plateau: playing again after a safety",
    "P09": "Plateau: where played cards go",
    "P10": "Plateau: a card without effect",
    "P11": "Plateau: the draw pile empty",
    "P12": "Plateau: players and starter",
    "P13": "Plateau: Right of Way under two attacks",
    "P14": "Plateau: a second Speed Limit",
}

SHARED: Final[Mapping[str, str]] = {
    "cf-leaves-car-rolling-out-of-gas": "R21",
    "cf-row-on-limit-also-clears-red-light": "R11 R20",
    "safety-drawn-after-the-attack": "R12 R16",
    "speed-limit-on-unstarted-car": "R07 R09",
    "row-does-not-beat-flat-tire": "R11",
    "attack-on-remedy-when-row": "R07",
    "no-hazard-on-remedy": "R08",
    "green-light-on-remedy": "R10",
    "third-200-refused": "R29",
    "no-overshoot-at-950": "R30",
    "four-safeties-700": "R36",
    "safety-replays": "R14",
    "cf-skips-player-between": "R18",
    "cf-two-draws": "R17",
    "skip-empty-hand": "R24",
    "play-on-after-exhaustion": "R24 R28",
    "no-shutout-without-finish": "R37",
    "illegal-attack-no-window": "R23",
    "classic-deck": "R34",
    "two-piles-independent": "R09",
    "row-lifts-limit": "R11",
    "late-safety-needs-green-light": "R12",
    "may-discard-playable": "R04",
    "extension-declined": "R31 R32",
    "partners-share-table": "R39",
    "start-stopped": "R10",
    "score-no-finisher": "R28 R35",
    "score-finisher": "R35",
    "score-maximum": "R28 R35 R36 R37",
    "score-700": "R31 R35 R37",
    "score-extension-won": "R32 R33 R37",
    "lifecycle-flat-tire": "R07 R10",
    "cf-chain": "R14 R15 R17 R18",
    "delayed-on-last-draw": "R28",
    "classic-blocked-after-last-draw": "R25 R35",
    "match-both-past-5000": "R38",
    "cf-must-match-the-card-just-played": "R15 R16",
    "express-cf-on-limit-speed-pile": "R13 R20 X07",
    "express-limit-despite-other-safety": "R09",
    "express-cf-300": "X07",
    "express-first-turn": "R06 X05",
    "express-take-back-the-attack": "X07 X12",
    "express-safety-wins": "X07 X09 X10",
    "express-parade-clears-pile": "X05 X06",
    "express-top-choice": "X20",
    "express-all-distance-played": "X15",
    "express-row-discards-both": "X07 X13",
    "express-exhausted-no-draw": "X03 X16",
    "express-late-safety-drives": "X04 X07 X14",
    "plateau-first-turn": "P02 P03 R06",
    "plateau-parade-enough": "P05",
    "plateau-one-attack-plus-limit": "P04",
    "plateau-third-200-exact-finish": "P06 P07",
    "plateau-cf-four-players": "R17 R18",
}

NOTES: Final[Mapping[str, str]] = {
    "R01": "a case has teams that are allowed; that 5 players and other teams are refused is a "
    "matter of malformed files, and tested there",
    "R02": "a position names whose turn it is, so that the seat left of the dealer starts is not "
    "seen; `match` shows that the deal moves on",
    "R05": "a case knows no onlooker: who sees the discard pile is tested with the views; the "
    "cases show that the option changes nothing else",
    "X02": "as R01",
    "X11": "no rule of its own; the cases play the three options",
    "X21": "as R02, and without `match`, for there are no points",
    "X22": "points are absent: `score` and `match` checks of an Express case are malformed, and "
    "tested there",
    "P12": "as X21",
    "R33": "`score` does not say who extended the hand: the only side that came so far did; where "
    "several did, the case plays the hand",
    "R27": "a case has no chance in it: what is shuffled is cards of one kind",
    "X16": "as R27 (`reshuffle`)",
    "P11": "as R27 (`reshuffle`)",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One case as the tables need it."""

    file: str
    name: str
    rulings: frozenset[str]
    family: Family
    options: Mapping[str, Value]
    document: Mapping[str, Any]


def case_files() -> list[Path]:
    """Every case file, the rule book's first."""
    return sorted(FOLDER.glob("shared/*.json")) + sorted(FOLDER.glob("own/*.json"))


def entries() -> Iterator[Entry]:
    """Every case of every file, in order."""
    for path in case_files():
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            yield _entry(path, case)


def _entry(path: Path, case: Mapping[str, Any]) -> Entry:
    shared = path.parent.name == "shared"
    ruleset = case["ruleset"]
    preset = ruleset if isinstance(ruleset, str) else ruleset["preset"]
    return Entry(
        file=f"{path.parent.name}/{path.stem}",
        name=case["name"],
        rulings=frozenset(_NUMBER.findall(SHARED[case["name"]] if shared else case["source"])),
        family=PRESETS[preset].family,
        options={} if isinstance(ruleset, str) else ruleset["options"],
        document=case,
    )


def render() -> str:
    """The text of RULINGS.md."""
    cases = list(entries())
    own = sum(case.file.startswith("own/") for case in cases)
    return "\n".join(
        [
            "# Rulings and their cases",
            "",
            "Made by `python tests/conformance/rulings.py` from the case files; do not edit.",
            f"{len(cases)} cases: {own} of our own in `own/`, the other {len(cases) - own}, in "
            "`shared/`, are the rule book's.",
            "",
            "| Ruling | About | Cases |",
            "|---|---|---|",
            *(_ruling_row(number, cases) for number in TITLES),
            "",
            "## Options",
            "",
            "Every value that some case sets; the defaults are in force in all the others.",
            "",
            "| Option | Value | Cases |",
            "|---|---|---|",
            *_option_rows(cases),
            "",
            "## What a case file cannot say",
            "",
            "The cases of these rulings are the nearest that the format allows.",
            "",
            *(f"- **{number}** {note}." for number, note in sorted(NOTES.items(), key=_order)),
            "",
        ]
    )


def _order(item: tuple[str, str]) -> int:
    return list(TITLES).index(item[0])


def _ruling_row(number: str, cases: list[Entry]) -> str:
    return f"| {number} | {TITLES[number]} | {_listed(c for c in cases if number in c.rulings)} |"


def _option_rows(cases: list[Entry]) -> Iterator[str]:
    for option in OPTIONS:
        setting = [case for case in cases if option in case.options]
        for value in sorted({json.dumps(case.options[option]) for case in setting}):
            those = (case for case in setting if json.dumps(case.options[option]) == value)
            yield f"| `{option}` | `{value}` | {_listed(those)} |"


def _listed(cases: Iterator[Entry]) -> str:
    """The cases by file: "own/teams: a, b; own/match: c"."""
    by_file: dict[str, list[str]] = {}
    for case in cases:
        by_file.setdefault(case.file, []).append(case.name)
    return "; ".join(f"{file}: {', '.join(names)}" for file, names in by_file.items())


if __name__ == "__main__":
    TABLE.write_text(render(), encoding="utf-8")
