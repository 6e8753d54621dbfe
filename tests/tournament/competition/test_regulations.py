"""Regulations as values: what they say of matches and fields, and which of them cannot be."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest

from arena.errors import InputError
from arena.formats.elimination import Elimination
from arena.formats.groups import Groups
from arena.formats.scoring import Points, Scoring, TieBreak
from arena.formats.swiss import LatePoints, Swiss
from arena.referee.limits import WindowMode
from arena.sandbox.policy import PLAYING
from arena.storage.facts import Moment
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulations import (
    EligibilityGroup,
    EntrantRules,
    GameRules,
    Regulations,
    RegulationsError,
    ReleaseRules,
    Rotations,
    SandboxRules,
    Schedule,
    Seeding,
    SeedRules,
    Source,
    StageKind,
    StageRules,
)
from arena.tournament.ladder.terms import Terms, terms_from

SWISS = StageRules(kind=StageKind.SWISS, rounds=5, advance=4)
FINAL = StageRules(kind=StageKind.ELIMINATION, boards=24, best_of=3)


def regulations(**parts: object) -> Regulations:
    values: dict[str, object] = {"name": "cup", "title": "Cup", "stages": (SWISS, FINAL)}
    return Regulations(**(values | parts))  # type: ignore[arg-type]


def wrong(error: pytest.ExceptionInfo[RegulationsError]) -> dict[str, str]:
    """What is said of each key first."""
    found: dict[str, str] = {}
    for one in error.value.mistakes:
        found.setdefault(one.subject, one.problem)
    return found


def test_little_has_to_be_said() -> None:
    made = regulations()
    assert made.game == GameRules()
    assert made.field_teams == (1, 1)
    assert made.field_sizes == (64, 4)
    assert made.limits.window is WindowMode.SEALED
    assert [one.name for one in made.stages] == ["Swiss", "Knock-out"]


def test_a_stage_has_its_format_with_its_settings() -> None:
    scoring = SWISS.scoring
    assert SWISS.format == Swiss(rounds=5, scoring=scoring)
    assert scoring.breaks[-1] is TieBreak.LOT
    assert FINAL.format == Elimination(best_of=3)
    double = StageRules(kind=StageKind.DOUBLE_ELIMINATION, extra_boards=6, most_extra=1)
    assert double.format == Elimination(double=True, extra_boards=6, most_extra=1)
    groups = StageRules(kind=StageKind.GROUPS, groups=3, times=2, scoring=Scoring())
    assert groups.format == Groups(groups=3, times=2)
    late = StageRules(kind=StageKind.SWISS, late_points=LatePoints.HALF)
    assert late.format == Swiss(late_points=LatePoints.HALF, scoring=scoring)


def test_every_kind_makes_a_format() -> None:
    made = [
        StageRules(kind=kind, groups=2 if kind is StageKind.GROUPS else 0).format
        for kind in StageKind
    ]
    assert len({type(one) for one in made}) == len(StageKind) - 1  # two are eliminations


def test_terms_are_those_of_the_stage_unless_a_pairing_says_otherwise() -> None:
    made = regulations(game=GameRules(boards=10, hands=0, options={"target": 700}))
    assert made.terms(SWISS) == Terms(preset="classic", options={"target": 700}, boards=10)
    assert made.terms(FINAL).boards == 24
    assert made.terms(FINAL, boards=6).boards == 6
    assert regulations().terms(SWISS).hands == 1


def test_boards_can_be_played_once_each() -> None:
    made = regulations(game=GameRules(rotations=Rotations.ONE, boards=4))
    terms = made.terms(SWISS)
    assert terms.legs(2) == (((0, 0), (1, 1), (2, 0), (3, 1)),)
    assert terms_from(terms.as_json()) == terms
    assert terms.as_json()["rotations"] == "one"


def test_a_sandbox_of_its_own_is_in_the_terms() -> None:
    made = regulations(sandbox=SandboxRules(memory=96, processors=0.5))
    terms = made.terms(SWISS)
    assert terms.as_json()["sandbox"] == {
        "memory": 96 << 20,
        "processors": 0.5,
        "processes": PLAYING.processes,
    }
    assert terms_from(terms.as_json()) == terms
    assert terms.sandbox == replace(PLAYING, memory=96 << 20, processors=0.5)
    assert "sandbox" not in regulations().terms(SWISS).as_json()


@pytest.mark.parametrize(
    ("sandbox", "told"),
    [
        (3, "must have no more than memory, processors, processes"),
        ({"disk": 3}, "must have no more than memory"),
        ({"memory": PLAYING.memory + 1}, f"memory: must be up to {PLAYING.memory}"),
        ({"processors": "1"}, "processors: must be up to 1.0, not '1'"),
        ({"processes": True}, "processes: must be up to 128, not True"),
        ({"memory": 3}, "sandbox: memory 3: must be at least"),
    ],
)
def test_a_sandbox_that_cannot_be_is_refused(sandbox: object, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        terms_from({"sandbox": sandbox})


def test_terms_that_were_stored_without_rotations_have_all() -> None:
    stored = Terms(boards=2).as_json()
    assert "rotations" not in stored
    assert len(terms_from(stored).legs(3)) == 3
    with pytest.raises(InputError, match=r"terms\.rotations: must be all, one, not 'two'"):
        terms_from({"rotations": "two"})


@pytest.mark.parametrize(
    ("game", "teams", "seats"),
    [
        (GameRules(players=3), (1, 1, 1), ((0,), (1,), (2,))),
        (GameRules(players=4, teams=True), (2, 2), ((0, 2), (1, 3))),
        (GameRules(players=6, teams=True), (2, 2, 2), ((0, 3), (1, 4), (2, 5))),
        (
            GameRules(players=4, options={"allow_individual_4": True}),
            (1, 1, 1, 1),
            ((0,), (1,), (2,), (3,)),
        ),
        (
            GameRules(players=4, teams=True, options={"allow_individual_4": True}),
            (2, 2),
            ((0, 2), (1, 3)),
        ),
        (GameRules(players=4, ruleset="express"), (1, 1, 1, 1), ((0,), (1,), (2,), (3,))),
    ],
)
def test_tables(
    game: GameRules, teams: tuple[int, ...], seats: tuple[tuple[int, ...], ...]
) -> None:
    assert game.table == teams
    assert game.seating.teams == seats


def test_the_text_is_kept_and_has_a_digest() -> None:
    made = regulations(text="name = 'cup'\r\n")
    assert made.text == "name = 'cup'\r\n"
    assert made.digest == hashlib.sha256(b"name = 'cup'\r\n").hexdigest()
    assert made == regulations()


def test_groups_say_who_may_enter() -> None:
    assert regulations().may_enter("ann")
    made = regulations(groups=(EligibilityGroup(name="Year 9", owners=("ann", "ben")),))
    assert made.may_enter("ann")
    assert not made.may_enter("carla")
    assert (made.group_of("ben"), made.group_of("carla")) == ("Year 9", "")


@pytest.mark.parametrize(
    ("source", "size"),
    [
        (EntrantRules(most=30), 30),
        (EntrantRules(source=Source.LADDER, top=16), 16),
        (EntrantRules(source=Source.INVITED, invited=("a/b", "c/d", "e/f")), 3),
    ],
)
def test_how_many_can_come(source: EntrantRules, size: int) -> None:
    assert regulations(entrants=source, stages=(replace(SWISS, advance=0),)).field_sizes == (size,)


def test_a_field_gets_smaller_from_stage_to_stage() -> None:
    groups = StageRules(kind=StageKind.GROUPS, groups=4)
    made = regulations(stages=(groups, SWISS, FINAL), entrants=EntrantRules(most=20))
    assert made.field_sizes == (20, 20, 4)


# -- what cannot be -----------------------------------------------------------------------------


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(RegulationsError) as caught:
        GameRules(boards=0, hands=-1, players=7, ruleset="chess")
    assert list(wrong(caught)) == ["hands", "boards", "ruleset", "players"]
    assert str(caught.value) == "hands: must be from 0 to 1,000, not -1 (and 3 more)"


@pytest.mark.parametrize(
    ("given", "key", "problem"),
    [
        ({"players": 4}, "players", "write teams = true"),
        ({"players": 4}, "players", "allow_individual_4 = true"),
        ({"players": 5}, "players", "classic is for 2 or 3 players individually"),
        ({"players": 5, "teams": True}, "players", "must be 4 or 6 where teams = true, not 5"),
        ({"players": 4, "teams": True, "ruleset": "express"}, "players", "express is for"),
        ({"options": {"targt": 700}}, "options.targt", "did you mean target?"),
        ({"options": {"target": 3}}, "options.target", "target"),
        ({"options": {"extension": True}}, "options.extension", "goes only with target 700"),
        ({"ruleset": "clasic"}, "ruleset", "did you mean classic?"),
    ],
)
def test_games_that_there_are_not(given: dict[str, object], key: str, problem: str) -> None:
    with pytest.raises(RegulationsError) as caught:
        GameRules(**given)  # type: ignore[arg-type]
    assert problem in wrong(caught)[key]


def test_options_that_are_right_only_together_are_right() -> None:
    made = GameRules(options={"target": 700, "extension": True})
    assert made.rules.extension


@pytest.mark.parametrize(
    ("given", "key", "problem"),
    [
        ({"source": Source.INVITED}, "invited", "has 0; name 2 bots or more"),
        ({"invited": ("a/b",)}, "invited", 'goes with from = "invited" only'),
        ({"top": 4}, "top", 'goes with from = "ladder" only'),
        ({"source": Source.LADDER}, "top", "such as top = 16"),
        ({"source": Source.LADDER, "top": 65}, "top", "65 is more than most, 64; raise it"),
        ({"most": 1}, "most", "must be from 2 to 1,000, not 1"),
        ({"per_owner": 0}, "per_owner", "must be from 1"),
        ({"seeding": Seeding.LISTED}, "seeding", "there is no list"),
    ],
)
def test_entrants_that_cannot_be(given: dict[str, object], key: str, problem: str) -> None:
    with pytest.raises(RegulationsError) as caught:
        EntrantRules(**given)  # type: ignore[arg-type]
    assert problem in wrong(caught)[key]


def test_the_invited_are_named_well_and_once_and_not_too_many_of_one_owner() -> None:
    invited = ("ann/keeper", "ann", "ann/keeper", "ann/racer", "Ann/x", "ben/", "carla/ok")
    with pytest.raises(RegulationsError) as caught:
        EntrantRules(source=Source.INVITED, invited=invited)
    told = {one.path[1]: one.problem for one in caught.value.mistakes}
    assert list(told) == [1, 2, 3, 4, 5]
    assert told[1] == "must be OWNER/NAME, such as \"ann/keeper\", not 'ann'"
    assert told[2] == "'ann/keeper' is there twice"
    assert told[3] == "'ann/racer' is number 2 of ann; per_owner allows 1"


def after(milliseconds: int) -> Moment:
    """So long after noon of 2026-12-01 in UTC."""
    return Moment(1_796_126_400_000 + milliseconds)


def test_a_schedule_is_in_order() -> None:
    fine = Schedule(opens=after(0), freeze=after(1), start=after(300_001), release=after(300_002))
    assert fine.grace == 300
    with pytest.raises(RegulationsError, match="release: must be after opens"):
        Schedule(opens=after(5), release=after(5))
    with pytest.raises(RegulationsError) as caught:
        Schedule(opens=after(5), freeze=after(1), start=after(0), grace=-1)
    assert list(wrong(caught)) == ["grace", "freeze", "start"]


def test_play_does_not_begin_before_uploads_under_way_have_ended() -> None:
    with pytest.raises(RegulationsError, match="start: must be 300 seconds or more after freeze"):
        Schedule(freeze=after(0), start=after(299_999))
    assert Schedule(freeze=after(0), start=after(1), grace=0).start == after(1)


@pytest.mark.parametrize("moment", [946_684_800_000, 7_258_118_399_999])
def test_moments_of_two_hundred_years_can_be(moment: int) -> None:
    assert Schedule(opens=Moment(moment)).opens == moment


@pytest.mark.parametrize("moment", [-1, 0, 946_684_799_999, 7_258_118_400_000, 10**30])
def test_other_moments_cannot_be_and_nothing_is_compared_with_them(moment: int) -> None:
    with pytest.raises(RegulationsError) as caught:
        Schedule(opens=after(0), freeze=Moment(moment), start=after(1_000_000))
    assert wrong(caught) == {
        "freeze": f"must be in the years 2000 to 2199 in UTC, not {moment} ms after 1970-01-01"
    }


def test_nothing_is_hidden_again() -> None:
    with pytest.raises(RegulationsError, match='after: "participants" would hide'):
        ReleaseRules(during=Level.PUBLIC, after=Level.PARTICIPANTS)
    with pytest.raises(RegulationsError, match=r"schedule\.release: nothing is released then"):
        regulations(
            schedule=Schedule(release=after(5)),
            release=ReleaseRules(during=Level.HIDDEN, after=Level.HIDDEN),
        )


def test_a_public_value_is_one_line() -> None:
    with pytest.raises(RegulationsError, match="public: must be one line"):
        SeedRules(public="a\nb")


@pytest.mark.parametrize(
    ("given", "key", "problem"),
    [
        ({"kind": StageKind.GROUPS}, "groups", "such as groups = 4; not 0"),
        ({"kind": StageKind.SWISS, "times": 2}, "times", "goes with the format round-robin"),
        ({"kind": StageKind.ELIMINATION, "best_of": 2}, "best_of", "must be an odd number"),
        ({"kind": StageKind.DOUBLE_ELIMINATION, "third_place": True}, "third_place", "elimination"),
        ({"kind": StageKind.SWISS, "rounds": 201}, "rounds", "must be from 0 to 200"),
        ({"kind": StageKind.SWISS, "name": "a\tb"}, "name", "printable"),
        (
            {"kind": StageKind.SWISS, "scoring": Scoring(breaks=(TieBreak.MATCH_POINTS,))},
            "tie_breaks",
            "'match-points' never decides anything",
        ),
        (
            {
                "kind": StageKind.SWISS,
                "late_points": LatePoints.HALF,
                "scoring": Scoring(points=Points.BOARD, breaks=()),
            },
            "late_points",
            "half of a match is known in match points only",
        ),
    ],
)
def test_stages_that_cannot_be(given: dict[str, object], key: str, problem: str) -> None:
    with pytest.raises(RegulationsError) as caught:
        StageRules(**given)  # type: ignore[arg-type]
    assert problem in wrong(caught)[key]


def stage(kind: StageKind, **given: object) -> StageRules:
    return StageRules(kind=kind, **given)  # type: ignore[arg-type]


FOUR = GameRules(players=4, ruleset="express")
TEAMS = GameRules(players=4, teams=True)
ONCE = GameRules(rotations=Rotations.ONE)


@pytest.mark.parametrize(
    ("parts", "key", "problem"),
    [
        ({"name": "Cup"}, "name", "must be 1 to 40 of a-z 0-9 -"),
        ({"title": " "}, "title", "printable"),
        ({"stages": ()}, "stage", "there is none"),
        ({"stages": (FINAL, SWISS)}, "stage.format", "has to be the last stage"),
        ({"stages": (SWISS,)}, "stage.advance", "is for stages with another one after it"),
        ({"stages": (replace(SWISS, advance=1), FINAL)}, "stage.advance", "must be 2 or more"),
        (
            {"entrants": EntrantRules(most=3)},
            "stage.advance",
            "4 is more than the 3 that can play in this stage",
        ),
        (
            {"stages": (SWISS, stage(StageKind.ROUND_ROBIN, advance=5), FINAL)},
            "stage.advance",
            "5 is more than the 4 that come from the stage before",
        ),
        (
            {"stages": (stage(StageKind.GROUPS, groups=5, advance=4), FINAL)},
            "stage.advance",
            "4 of 5 groups",
        ),
        (
            {"stages": (stage(StageKind.GROUPS, groups=5),), "entrants": EntrantRules(most=9)},
            "stage.groups",
            "5 groups need 10 entrants or more, and 9 can play",
        ),
        (
            {"stages": (FINAL,), "entrants": EntrantRules(most=300)},
            "stage.format",
            "300 entrants: half of them would be out after one match",
        ),
        ({"stages": (SWISS, replace(SWISS, advance=0))}, "stage.name", "two stages are called"),
        ({"game": FOUR}, "stage.format", "swiss is played one against one, and [game] has"),
        ({"game": TEAMS}, "stage.format", "or the format partners or complete"),
        ({"stages": (stage(StageKind.TABLES),)}, "stage.format", "3 or more at a table"),
        (
            {"stages": (stage(StageKind.TABLES),), "game": TEAMS},
            "stage.format",
            "each for themselves, and [game] has players = 4 and teams = true",
        ),
        (
            {"stages": (stage(StageKind.PARTNERS),), "game": FOUR},
            "stage.format",
            "write teams = true",
        ),
        (
            {"stages": (stage(StageKind.COMPLETE),), "game": FOUR},
            "stage.format",
            "with 64 entrants: complete: 64 entrants make 635,376 pairings",
        ),
        (
            {"game": replace(ONCE, boards=11)},
            "game.boards",
            'with rotations = "one" and 2 at a table 11 boards do not give everybody every seat',
        ),
        (
            {"game": ONCE, "stages": (SWISS, replace(FINAL, boards=7))},
            "stage.boards",
            "take 6 or 8",
        ),
        (
            {"game": ONCE, "stages": (SWISS, replace(FINAL, extra_boards=1))},
            "stage.extra_boards",
            "take 2",
        ),
        (
            {
                "groups": (
                    EligibilityGroup(name="A", owners=("ann",)),
                    EligibilityGroup(name="B", owners=("ben", "ann")),
                )
            },
            "group.owners",
            "'ann' is in group 'A' already",
        ),
        (
            {
                "groups": (
                    EligibilityGroup(name="A", owners=("ann",)),
                    EligibilityGroup(name="A", owners=("ben",)),
                )
            },
            "group.name",
            "'A' is there twice",
        ),
        (
            {
                "groups": (EligibilityGroup(name="A", owners=("ann",)),),
                "entrants": EntrantRules(source=Source.INVITED, invited=("ann/a", "ben/b")),
                "stages": (stage(StageKind.SWISS),),
            },
            "entrants.invited",
            "ben is in no [[group]]",
        ),
    ],
)
def test_parts_that_do_not_fit(parts: dict[str, object], key: str, problem: str) -> None:
    with pytest.raises(RegulationsError) as caught:
        regulations(**parts)
    assert problem in wrong(caught)[key]
