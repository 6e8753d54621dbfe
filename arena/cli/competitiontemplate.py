"""The file of regulations that `arena competition init` writes after its questions."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["MOST", "Plan", "Wishes", "plans_for", "written"]

MOST: Final = 512
"""So many can play in a Swiss, which is what most would take."""

_FEW: Final = 8
"""So many can still play a league in an afternoon."""

_LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class Plan:
    """What can be played: what it means for people, and its stages in TOML."""

    meaning: str
    stages: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the organiser has answered."""

    title: str
    entrants: int
    is_week: bool
    plan: Plan


def plans_for(entrants: int) -> Mapping[str, Plan]:
    """What so many, from 2 to MOST, can play, by a word; the first is what suits them best."""
    best = 4 if entrants < 2 * _FEW else 8
    groups = max(2, min(16, entrants // 5))
    league = Plan(
        f"everybody against everybody: {entrants * (entrants - 1) // 2:,} matches", _LEAGUE
    )
    knock_out = Plan("whoever loses a match is out", _FINAL.lstrip("\n"))
    if entrants <= 4:
        return {"league": league, "knock-out": knock_out}
    swiss = Plan("winners meet winners, and nobody is out", _SWISS)
    plans = {
        "swiss-final": Plan(
            f"a Swiss, then a knock-out of the best {best}",
            f"{_SWISS}advance = {best}\n{_FINAL}",
        ),
        "swiss": swiss,
        "groups": Plan(
            f"{groups} groups, then a knock-out of the first two of each",
            f"{_GROUPS.format(groups=groups, advance=2 * groups)}{_FINAL}",
        ),
    }
    if entrants <= _FEW:
        return {"league": league, "swiss": swiss, "groups": plans["groups"], "knock-out": knock_out}
    if entrants <= 8 * _FEW:
        plans |= {"league": league, "knock-out": knock_out}
    return plans


def written(wishes: Wishes) -> str:
    """The text of the file."""
    head = _HEAD.format(
        name=_name(wishes.title), title=json.dumps(wishes.title, ensure_ascii=False)
    )
    entrants = _ENTRANTS.format(most=wishes.entrants)
    if wishes.is_week:
        parts = [head, _WEEK, entrants, _SCHEDULE, wishes.plan.stages, _AFTERWARDS]
    else:
        parts = [head, _AFTERNOON, entrants, wishes.plan.stages, _AT_ONCE]
    return "\n".join(parts)


def _name(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_NAME].strip("-") or "competition"


_HEAD: Final = """\
# Regulations of a competition. After a change: arena competition validate FILE

name = "{name}"
title = {title}
"""

_GAME: Final = """\
[game]
ruleset = "classic"                # `arena rules` explains the rule sets
players = 2                        # one against one
hands = 1                          # a game is one hand; 0: to the match points
boards = {boards:<26}# of a match
rotations = "all"                  # every board twice, with the seats changed: luck evens out
"""
_AFTERNOON: Final = _GAME.format(boards=12)
_WEEK: Final = _GAME.format(boards=24)

_ENTRANTS: Final = """\
[entrants]
from = "open"                      # open | invited | ladder
most = {most}
per_owner = 1                      # bots of one owner
seeding = "lot"                    # lot | ladder | listed (the order of the invited)
"""

_SCHEDULE: Final = """\
[schedule]                         # what has no date waits for a person's command
# opens = 2027-03-01T08:00:00+01:00
# freeze = 2027-03-05T18:00:00+01:00
# start = 2027-03-05T19:00:00+01:00
# release = 2027-03-12T18:00:00+01:00
grace = 300                        # seconds after the freeze for uploads that are under way
"""

_LEAGUE: Final = """\
[[stage]]
name = "League"
format = "round-robin"             # everybody meets everybody
times = 1                          # so often
"""

_SWISS: Final = """\
[[stage]]
name = "Swiss"
format = "swiss"                   # winners meet winners; nobody is out
rounds = 0                         # 0: as many as suit the number of entrants
"""

_GROUPS: Final = """\
[[stage]]
name = "Groups"
format = "groups"                  # everybody meets everybody of its group
groups = {groups}
advance = {advance}
"""

_FINAL: Final = """
[[stage]]
name = "Finals"
format = "elimination"             # whoever loses a match is out
third_place = true                 # those who lose the semi-finals play for the third place
"""

_AT_ONCE: Final = """\
[release]                          # who sees results: hidden | participants | public
during = "public"
after = "public"
"""

_AFTERWARDS: Final = """\
[release]                          # who sees results: hidden | participants | public
during = "participants"
after = "public"
"""
