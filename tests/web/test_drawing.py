"""What stands in a bracket: names, scores, winners, who is awaited, with and without a seeding."""

from __future__ import annotations

from dataclasses import replace

from arena.formats.elimination import Elimination
from arena.formats.story import Way
from arena.tournament.competition import events
from arena.tournament.competition.views import PairingLine, PairingState, StageInfo
from arena.web.competition import CompetitionPages, StagePages
from arena.web.competitionbracket import Drawing, DrawnBox, drawing_of
from tests.web.demo import NAMES, Play, regulations

ONE = 'format = "elimination"'
DOUBLE = 'format = "double-elimination"'


def drawing(pages: CompetitionPages, number: int = 1) -> Drawing:
    form = pages.regulations.stages[number - 1].format
    assert isinstance(form, Elimination)
    found = drawing_of(pages.stages[number - 1], form)
    assert found is not None
    return found


def boxes(found: Drawing) -> dict[str, DrawnBox]:
    return {one.box.name: one for one in found.boxes}


def duel(key: str, teams: tuple[str, str], **values: object) -> PairingLine:
    line = PairingLine(
        key=key,
        round=1,
        title=key,
        teams=tuple((one,) for one in teams),
        state=PairingState.DONE,
        run=1,
    )
    return replace(line, **values)  # type: ignore[arg-type]


def stage_of(*lines: PairingLine, seeding: tuple[str, ...] = (), entries: int = 2) -> StagePages:
    info = StageInfo(
        number=1, name="x", format="elimination", is_begun=True, is_over=False, entries=entries
    )
    return StagePages(info=info, pairings=lines, seeding=seeding)


def test_a_stage_that_has_not_begun_has_none() -> None:
    info = StageInfo(number=1, name="x", format="elimination", is_begun=False, is_over=False)
    assert drawing_of(StagePages(info=info), Elimination()) is None


def test_before_anything_is_played_it_says_who_is_awaited() -> None:
    found = boxes(drawing(Play(regulations(ONE), NAMES[:5]).go(1).pages()))
    semi = found["w2.1"]
    assert semi.caption == "semi-final 1"
    assert [side.whole for side in found["w3.1"].sides] == [
        "winner of semi-final 1",
        "winner of semi-final 2",
    ]
    assert not any(side.is_known for side in found["w3.1"].sides)
    assert found["w1.1"].box.bye == 0
    assert found["w1.1"].sides[0].whole == NAMES[0]


def test_the_winner_of_each_duel_goes_on() -> None:
    pages = Play(regulations(ONE), NAMES[:8]).go().finish().pages()
    found = drawing(pages)
    at = boxes(found)
    for line in found.lines:
        (winner,) = [side.whole for side in at[line.before].sides if side.is_winner]
        assert winner in [side.whole for side in at[line.after].sides]
    (champion,) = [side.whole for side in at["w3.1"].sides if side.is_winner]
    assert champion == pages.stages[0].table[0].title
    assert all(one.key for one in found.boxes)


def test_board_points_stand_beside_a_single_match_and_matches_won_beside_several() -> None:
    single = stage_of(
        duel("w1.1-1", ("a/a", "b/b"), ranks=(1, 2), boards=(7.5, 4.5), faults=(0, 0)),
        seeding=("a/a", "b/b"),
    )
    found = drawing_of(single, Elimination())
    assert found is not None
    assert [side.score for side in found.boxes[0].sides] == ["7.5", "4.5"]
    several = stage_of(
        duel("w1.1-1", ("a/a", "b/b"), ranks=(1, 2), boards=(7, 5), faults=(0, 0)),
        duel("w1.1-2", ("b/b", "a/a"), ranks=(1, 2), boards=(7, 5), faults=(0, 0)),
        duel("w1.1-3", ("a/a", "b/b"), ranks=(2, 1), boards=(5, 7), faults=(0, 0)),
        seeding=("a/a", "b/b"),
    )
    found = drawing_of(several, Elimination(best_of=3))
    assert found is not None
    assert [(side.score, side.is_winner) for side in found.boxes[0].sides] == [
        ("1", False),
        ("2", True),
    ]
    assert found.boxes[0].key == "w1.1-3"


def test_a_walkover_and_a_decision_have_no_points() -> None:
    gone = duel(
        "w1.1-1",
        ("a/a", "b/b"),
        ranks=(2, 1),
        boards=(0.0, 0.0),
        faults=(0, 0),
        way=Way.WALKOVER,
    )
    found = drawing_of(stage_of(gone, seeding=("a/a", "b/b")), Elimination())
    assert found is not None
    assert [(side.score, side.is_winner) for side in found.boxes[0].sides] == [
        ("w/o", False),
        ("", True),
    ]
    assert found.boxes[0].caption == "final, by walkover"
    decided = replace(gone, way=Way.DECISION)
    found = drawing_of(stage_of(decided, seeding=("a/a", "b/b")), Elimination())
    assert found is not None
    assert [(side.score, side.is_winner) for side in found.boxes[0].sides] == [
        ("", False),
        ("", True),
    ]


def test_nobody_wins_a_duel_for_which_both_are_gone() -> None:
    gone = duel(
        "w1.1-1",
        ("a/a", "b/b"),
        ranks=(1, 1),
        boards=(0.0, 0.0),
        faults=(0, 0),
        way=Way.WALKOVER,
    )
    found = drawing_of(stage_of(gone, seeding=("a/a", "b/b")), Elimination())
    assert found is not None
    assert not any(side.is_winner for side in found.boxes[0].sides)
    assert found.boxes[0].caption == "final, with nobody there"


def test_the_reset_is_drawn_as_if_needed_until_it_is() -> None:
    play = Play(regulations(DOUBLE), NAMES[:4]).go()
    found = boxes(drawing(play.pages()))
    assert found["g1.1"].key
    if not found["g2.1"].key:
        assert found["g2.1"].caption == "grand final (reset), if needed"
    last = play.here.stages[0].pairings["g1.1-1"]
    upset = (2, 1)  # who comes from the losers' bracket wins
    played = Play(regulations(DOUBLE), NAMES[:4])
    while "g1.1-1" not in (played.here.stages[0].pairings if played.here.stages else {}):
        played.go(1)
    played.tell(events.Decided(stage=1, key="g1.1-1", ranks=upset, why="to see it"))
    reset = boxes(drawing(played.go().pages()))["g2.1"]
    assert last.title == "grand final"
    assert reset.key == "g2.1-1"
    assert len([side for side in reset.sides if side.is_winner]) == 1


def test_without_a_seeding_names_come_from_what_is_announced() -> None:
    pages = Play(regulations(ONE), NAMES[:6]).go(2).pages()
    bare = replace(pages.stages[0], seeding=())
    found = drawing_of(bare, Elimination())
    assert found is not None
    with_seeding, without = boxes(drawing(pages)), boxes(found)
    assert all(side.seed for side in with_seeding["w1.2"].sides)
    for name in ("w1.2", "w1.4"):
        assert [side.whole for side in without[name].sides] == [
            side.whole for side in with_seeding[name].sides
        ]
        assert [side.seed for side in without[name].sides] == [0, 0]


def test_a_bye_that_nobody_can_know_yet_says_so() -> None:
    line = duel("w1.2-1", ("b/b", "c/c"), state=PairingState.WAITING)
    found = drawing_of(stage_of(line, entries=3), Elimination())
    assert found is not None
    assert boxes(found)["w1.1"].sides[0].whole == "not known yet"


def test_a_wide_bracket_is_drawn_smaller_and_never_below_three_quarters() -> None:
    narrow = drawing(Play(regulations(ONE), NAMES[:4]).go(1).pages())
    assert narrow.em(16) == 1
    wide = drawing(Play(regulations(DOUBLE), NAMES[:24]).go(1).pages())
    assert wide.em(16) == 0.75
    middle = drawing(Play(regulations(DOUBLE), NAMES[:6]).go(1).pages())
    assert 0.75 <= middle.em(16) < 1
