"""What stands in the bracket of an elimination: names, scores, who has won and by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.formats.elimination import Elimination
from arena.formats.elimination_bracket import RESET, Duel, Source
from arena.formats.elimination_duels import Bout, How
from arena.formats.story import Field, Pairing, Score, Story, Way
from arena.tournament.competition.views import PairingLine
from arena.web.brackets import Box, Line, layout
from arena.web.competitionvalues import StagePages
from arena.web.texts import cut, number

__all__ = ["Drawing", "DrawnBox", "DrawnSide", "drawing_of"]

_WIDTH: Final = 280
_WIDTH_OF_DOUBLE: Final = 260  # which has more columns
_BESIDE_NAME: Final = 90  # of a box, for the seed and the score
_COLUMN: Final = 10  # of a name, in bold
_SMALL_COLUMN: Final = 8
_UNIT: Final = 16  # of a drawing, to one em
_FITTING: Final = 64  # em that fit on a page
_SMALLEST: Final = 0.75  # of the size of other text
_NO_LOTS: Final = bytes(32)  # nothing in a bracket is drawn by lot


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSide:
    """A line of a box.

    Attributes:
        seed: The place of seeding from 1; 0: it is not known.
        text: The name as it fits in, or from which duel somebody comes; `whole` is uncut.
        is_known: It is a name.
    """

    seed: int = 0
    text: str = ""
    whole: str = ""
    score: str = ""
    is_known: bool = False
    is_winner: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBox:
    """A box with what stands in it; `key` is of the pairing that it leads to, if there is one."""

    box: Box
    caption: str
    label: str
    sides: tuple[DrawnSide, ...]
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A bracket, ready to be drawn."""

    width: int
    height: int
    boxes: tuple[DrawnBox, ...]
    lines: tuple[Line, ...]
    is_double: bool

    def em(self, length: int) -> float:
        """A length in the size of the page's text: a wide bracket is drawn a little smaller."""
        whole = self.width / _UNIT
        shrunk = max(_FITTING / whole, _SMALLEST) if whole > _FITTING else 1.0
        return length / _UNIT * shrunk


def drawing_of(stage: StagePages, form: Elimination) -> Drawing | None:
    """The bracket of a stage as it stands; None: it has not begun."""
    count = stage.info.entries
    if not stage.info.is_begun or count < 2:
        return None
    drawn = _Drawn(stage, form, count)
    laid = layout(drawn.bracket, _WIDTH_OF_DOUBLE if form.double else _WIDTH)
    return Drawing(
        width=laid.width,
        height=laid.height,
        boxes=tuple(map(drawn.box, laid.boxes)),
        lines=laid.lines,
        is_double=form.double,
    )


class _Drawn:
    """The duels of a stage, as its pairings tell them."""

    def __init__(self, stage: StagePages, form: Elimination, count: int) -> None:
        self._is_seeded = len(stage.seeding) == count
        groups = stage.groups if self._is_seeded and len(stage.groups) == count else ()
        field = Field(entrants=count, seed=_NO_LOTS, groups=groups)
        self.bracket = form.bracket(field)
        self._duels = {duel.name: duel for duel in self.bracket.duels}
        self._titles = (
            dict(enumerate(stage.seeding))
            if self._is_seeded
            else _first_seen(self.bracket.duels, stage.pairings)
        )
        self._bouts = form.bouts(_story(field, self._titles, stage.pairings))

    def box(self, box: Box) -> DrawnBox:
        """A box with what stands in it."""
        if box.bye is not None:
            side = self._side(box, box.bye)
            label = f"{side.whole}: a bye, begins a round later"
            return DrawnBox(box=box, caption="bye", label=label, sides=(side,))
        duel = self._duels[box.name]
        bout = self._bouts.get(box.name)
        if bout is None:
            sides = tuple(self._side(box, source) for source in duel.sides)
            caption = duel.title + (", if needed" if box.name == RESET else "")
            label = f"{duel.title}: {sides[0].whole}, {sides[1].whole}"
            return DrawnBox(box=box, caption=_caption(caption, box), label=label, sides=sides)
        return self._played(box, bout)

    def _played(self, box: Box, bout: Bout) -> DrawnBox:
        scores = _scores(bout)
        winner = None
        how = ""
        if bout.outcome is not None:
            how = bout.outcome.how.value
            winner = None if bout.outcome.how is How.NOBODY else bout.outcome.winner
        sides = tuple(
            self._side(box, entrant, score, is_winner=entrant == winner)
            for entrant, score in zip(bout.pair, scores, strict=True)
        )
        key = bout.matches[-1][0].key if bout.matches else ""
        caption = f"{bout.duel.title}, {how}" if how else bout.duel.title
        label = f"{caption}: {' - '.join(f'{one.whole} {one.score}'.strip() for one in sides)}"
        for side in sides:
            label += f"; {side.whole} has won" if side.is_winner else ""
        return DrawnBox(box=box, caption=_caption(caption, box), label=label, sides=sides, key=key)

    def _side(
        self, box: Box, source: Source, score: str = "", *, is_winner: bool = False
    ) -> DrawnSide:
        if not isinstance(source, int):
            before = self._duels[source.duel].title
            whole = f"{'winner' if source.wins else 'loser'} of {before}"
            return DrawnSide(text=cut(whole, int(box.width / _COLUMN)), whole=whole)
        title = self._titles.get(source, "")
        if not title:
            return DrawnSide(text="not known yet", whole="not known yet")
        return DrawnSide(
            seed=source + 1 if self._is_seeded else 0,
            text=cut(title, int((box.width - _BESIDE_NAME) / _COLUMN)),
            whole=title,
            score=score,
            is_known=True,
            is_winner=is_winner,
        )


def _caption(text: str, box: Box) -> str:
    return cut(text, int(box.width / _SMALL_COLUMN))


def _first_seen(duels: Sequence[Duel], lines: Sequence[PairingLine]) -> dict[int, str]:
    """Entrants by their place in the bracket, as far as announced duels tell them."""
    by_duel = {line.key.rpartition("-")[0]: line for line in lines}
    found: dict[int, str] = {}
    for duel in duels:
        line = by_duel.get(duel.name)
        for side, source in enumerate(duel.sides):
            if line is not None and isinstance(source, int):
                found[source] = line.teams[side][0]
    return found


def _story(field: Field, titles: Mapping[int, str], lines: Sequence[PairingLine]) -> Story:
    """The story that the lines tell; what is of somebody whom the bracket lacks is left out."""
    places = {title: place for place, title in titles.items()}
    known = [line for line in lines if all(title in places for (title,) in line.teams)]
    return Story(
        field=field,
        pairings=tuple(
            Pairing(
                key=line.key,
                round=line.round,
                title=line.title,
                teams=tuple((places[title],) for (title,) in line.teams),
            )
            for line in known
        ),
        scores={line.key: _score(line) for line in known if line.ranks},
    )


def _score(line: PairingLine) -> Score:
    return Score(
        ranks=line.ranks, boards=line.boards, faults=line.faults, way=line.way or Way.PLAYED
    )


def _scores(bout: Bout) -> tuple[str, str]:
    """What stands beside the two: board points of a single match, or the matches won of several."""
    scored = [(pairing, score) for pairing, score in bout.matches if score is not None]
    if not scored:
        return "", ""
    if any(score.way is Way.WALKOVER for _, score in scored):
        lost = [sum(_share(match, one) for match in scored) == 0 for one in bout.pair]
        return "w/o" if lost[0] else "", "w/o" if lost[1] else ""
    if len(bout.matches) == 1:
        pairing, score = scored[0]
        if score.way is Way.DECISION:
            return "", ""
        upper, lower = (number(score.boards[pairing.team_of(one)]) for one in bout.pair)
        return upper, lower
    upper, lower = (number(sum(_share(match, one) for match in scored)) for one in bout.pair)
    return upper, lower


def _share(match: tuple[Pairing, Score], entrant: int) -> float:
    pairing, score = match
    return score.share(pairing.team_of(entrant))
