"""Golden playthroughs: replayed by the engine and compared line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.engine.playthrough import lines, parse, render
from arena.errors import FieldError, IllegalAction, InputError

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*.txt"))

# What each file of a rare event must show; the files of whole hands are checked below.
SHOWS = {
    "coup_fourre_red_light": ("play RED_LIGHT on", "coup_fourre RIGHT_OF_WAY"),
    "coup_fourre_speed_limit": ("play SPEED_LIMIT on", "coup_fourre RIGHT_OF_WAY"),
    "coup_fourre_out_of_gas": ("play OUT_OF_GAS on", "coup_fourre EXTRA_TANK"),
    "coup_fourre_flat_tire": ("play FLAT_TIRE on", "coup_fourre PUNCTURE_PROOF"),
    "coup_fourre_accident": ("play ACCIDENT on", "coup_fourre DRIVING_ACE"),
    "skipped_seats": ("*** coup fourré *** skips seat",),
    "partner_answers": ("teams 0+2 1+3", "*** coup fourré *** skips seat 0 and 1"),
    "extension_accepted": ("700 km", "extend: extend"),
    "extension_refused": ("700 km", "extend: stop", "over: target"),
    "exhausted_pile": ("draw pile 0", "over: blocked, nobody wins"),
    "last_card": ("draw pile 0", "over: exhausted, nobody wins"),
    "shutout": ("over: target", "shutout    500"),
    "delayed_action": ("over: target", "delayed_action"),
    "express_win_by_safety": ("over: target, team", "of which", "play: play "),
    "express_win_by_coup_fourre": ("respond: coup_fourre", "over: target, team"),
    "express_top_choice": ("top: top ",),
    "express_all_played": ("over: exhausted",),
    "express_stall": ("draw: draw discard",),
    "reshuffle": ("the discard pile becomes the draw pile",),
}
WHOLE = [
    *(f"{preset}_{players}" for preset in ("classic", "leaflet") for players in (2, 3, 4, 6)),
    *(f"{preset}_{players}" for preset in ("express", "plateau") for players in (2, 3, 4)),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough_is_unchanged(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8").splitlines()
    replayed = [line.text for line in lines(parse(path.read_text(encoding="utf-8")))]
    for number, (was, now) in enumerate(zip(recorded, replayed, strict=False), 1):
        assert now == was, f"line {number}"
    assert len(replayed) == len(recorded)


def test_every_event_and_every_table_size_has_its_file() -> None:
    assert {path.stem for path in FILES} == {*SHOWS, *WHOLE}


@pytest.mark.parametrize("name", SHOWS)
def test_file_shows_its_event(name: str) -> None:
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    for words in SHOWS[name]:
        assert words in text


@pytest.mark.parametrize("name", WHOLE)
def test_whole_hand_ends(name: str) -> None:
    preset, _, players = name.partition("_")
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert text.startswith(f"# {preset}, {players} players\n")
    assert "\nover: " in text


def test_stall_rule_forces_a_draw_from_the_pile() -> None:
    """X17: after two full rounds of taking discards the next seat is not asked, it draws."""
    text = (GOLDEN / "express_stall.txt").read_text(encoding="utf-8").splitlines()
    forced = [at for at, line in enumerate(text) if line.strip().startswith("seat 1 draws ")]
    assert len(forced) == 1
    before = [line for line in text[: forced[0]] if "takes" in line]
    assert len(before) == 2 * 3


def test_a_changed_line_is_noticed() -> None:
    text = (GOLDEN / "classic_2.txt").read_text(encoding="utf-8")
    changed = text.replace("seat 1 draws", "seat 1 drew", 1)
    assert changed != text
    assert render(parse(changed)) != changed


def test_an_illegal_decision_is_refused_with_its_number() -> None:
    text = (GOLDEN / "classic_2.txt").read_text(encoding="utf-8")
    with pytest.raises(IllegalAction, match=r"^decision 1: seat 0 may not extend now; legal: "):
        render(parse(text.replace("1 seat 0 play: ", "1 seat 0 play: extend\n", 1)))


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (0, "classic", "line 1: 'classic' does not begin with `# `"),
        (1, "rules classic", "line 2: 'rules classic' does not begin with `ruleset `"),
        (2, "teams 0 x", "line 3: 'x' is not a seat's number"),
        (3, "dealer ?", "line 4: '?' is not a seat's number"),
        (4, "deal 00", "line 5: 'deal 00' is neither"),
    ],
)
def test_a_malformed_head_is_refused(line: int, text: str, message: str) -> None:
    head = ["# title", "ruleset classic", "teams 0 1", "dealer 1", f"deal {'0' * 64} hand 0 shared"]
    head[line] = text
    with pytest.raises(FieldError) as refusal:
        parse("\n".join([*head, ""]))
    assert str(refusal.value).startswith(message)


def test_a_short_text_and_an_unknown_action_are_refused() -> None:
    with pytest.raises(InputError):
        parse("# title\n")
    head = f"# t\nruleset classic\nteams 0 1\ndealer 1\ndeal {'0' * 64} hand 0 shared\n"
    with pytest.raises(InputError, match="unknown action 'fly'"):
        parse(head + "1 seat 0 play: fly\n")
