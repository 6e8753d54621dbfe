"""Scores that come without a game: byes, and pairings with somebody who is gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.formats.scoring import walkover
from arena.formats.story import Score, Story, Way

__all__ = ["BYE", "automatic"]

BYE: Final = Score(ranks=(1,), boards=(0.0,), faults=(0,), way=Way.BYE)
"""What every bye ends with; the table knows what it is worth."""


def automatic(story: Story) -> Mapping[str, Score]:
    """The scores, by key, that pairings without one get by themselves.

    A bye counts at once, and so does a pairing with somebody who is gone. What has a score already
    keeps it: leaving never changes what was played.
    """
    found: dict[str, Score] = {}
    for pairing in story.pairings:
        if pairing.key in story.scores:
            continue
        if pairing.is_bye:
            found[pairing.key] = BYE
        elif not story.gone.keys().isdisjoint(pairing.entrants):
            found[pairing.key] = walkover(pairing, story.gone)
    return found
