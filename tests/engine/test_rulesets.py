"""Rule sets: every option with every value, refusals that say what is right, decks, presets."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from arena.engine.cards import CLASSIC_DECK, EXPRESS_DECK, SHORT_DECK, Card
from arena.engine.rulesets import (
    OPTIONS,
    Family,
    RuleSet,
    Value,
    make_ruleset,
    parse_option,
)
from arena.errors import RuleSetError, quoted

C, E, P = "classic", "express", "plateau"
FAMILIES = (C, E, P)
BOOL: tuple[Value, ...] = (True, False)
COUNT: tuple[Value, ...] = (0, 1, 2, 300, 10**6)
POSITIVE: tuple[Value, ...] = (1, 2, 5000)
SEATS: tuple[Value, ...] = tuple(range(6))

ALLOWED: dict[str, dict[str, tuple[Value, ...]]] = {
    "target": dict.fromkeys(FAMILIES, (1000, 700)),
    "extension": {C: BOOL},
    "failed_extension_bonus": {C: BOOL},
    "max_200": dict.fromkeys(FAMILIES, (None, *COUNT)),
    "late_safety_restarts": {C: BOOL, E: (True,), P: (True,)},
    "exhausted_safety_replays": dict.fromkeys(FAMILIES, BOOL),
    "discard_visible": dict.fromkeys(FAMILIES, BOOL),
    "forced_play": dict.fromkeys(FAMILIES, BOOL),
    "reshuffle": {C: BOOL},
    "delayed_action_trigger": {C: ("pile_empty", "empty_at_turn_start")},
    "four_safeties_bonus": {C: COUNT},
    "shutout_rule": {C: ("all", "any", "dujardin")},
    "match_points": {C: POSITIVE},
    "match_tie": {C: ("extra_hand", "draw")},
    "max_hands": {C: POSITIVE},
    "deck_2p_reduction": {C: BOOL},
    "allow_individual_4": {C: BOOL},
    "first_dealer": {C: (None, *SEATS), E: (None, *SEATS)},
    "first_player": {P: SEATS},
    "safety_km": dict.fromkeys(FAMILIES, COUNT),
    "coup_fourre_km": dict.fromkeys(FAMILIES, COUNT),
    "bonus_overflow": {E: ("forfeit", "clamp", "allow")},
    "express_safety_draw": {E: ("pile", "choice")},
    "express_exhausted_draw": {E: ("none", "discard", "reshuffle")},
    "express_stall_rounds": {E: COUNT},
    "top_choice": {E: BOOL},
    "plateau_green_light_to_start": {P: BOOL},
    "plateau_exhaustion": {P: ("play_out", "reshuffle")},
}
"""The options, written down again: option, family, values; a family left out is n/a."""

DEFAULTS: dict[str, dict[str, Value]] = {
    C: {
        "target": 1000,
        "max_200": 2,
        "exhausted_safety_replays": True,
        "delayed_action_trigger": "pile_empty",
        "four_safeties_bonus": 300,
        "shutout_rule": "all",
        "match_points": 5000,
        "match_tie": "extra_hand",
        "max_hands": 1000,
        "first_dealer": None,
        "safety_km": 0,
        "coup_fourre_km": 0,
    },
    E: {
        "target": 1000,
        "max_200": 2,
        "late_safety_restarts": True,
        "exhausted_safety_replays": True,
        "discard_visible": True,
        "first_dealer": None,
        "safety_km": 100,
        "coup_fourre_km": 300,
        "bonus_overflow": "forfeit",
        "express_safety_draw": "pile",
        "express_exhausted_draw": "none",
        "express_stall_rounds": 2,
    },
    P: {
        "target": 1000,
        "max_200": None,
        "late_safety_restarts": True,
        "exhausted_safety_replays": True,
        "discard_visible": True,
        "first_player": 0,
        "safety_km": 0,
        "coup_fourre_km": 0,
        "plateau_exhaustion": "play_out",
    },
}
"""The same section's defaults, where they are not false."""

WRONG: tuple[Any, ...] = (
    *(True, False, 0, 1, 2, 6, -1, 700, 999, 10**30, 700.0, 1.0, float("nan"), None),
    *("", "700", "true", "none", "All", "pile", "\u0667"),
)
"""Values of all kinds; for each option those that ALLOWED does not hold are refused."""

EVERY = [(name, family) for name, families in ALLOWED.items() for family in families]
NOT_THERE = [
    (name, family) for name in ALLOWED for family in FAMILIES if family not in ALLOWED[name]
]


def build(family: str, name: str, value: Any) -> RuleSet:
    """The family's rules with one option, and what that option needs."""
    needed: dict[str, Value] = {"target": 700} if name == "extension" else {}
    return make_ruleset(family, needed | {name: value})


def is_allowed(name: str, family: str, value: Any) -> bool:
    allowed = ALLOWED[name][family]
    if allowed in (COUNT, POSITIVE, (None, *COUNT)):
        lowest = 1 if allowed is POSITIVE else 0
        return (type(value) is int and value >= lowest) or (value is None and None in allowed)
    return any(type(value) is type(one) and value == one for one in allowed)


def written(value: Any) -> str:
    """How a message shows a value that can be written on the command line."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def refusal(family: str, name: str, value: Any) -> str:
    with pytest.raises(RuleSetError) as refused:
        build(family, name, value)
    message = str(refused.value)
    assert len(message.splitlines()) == 1, message
    return message


def test_every_option_is_in_the_table() -> None:
    assert list(ALLOWED) == list(OPTIONS)
    fields = [field.name for field in dataclasses.fields(RuleSet)]
    assert fields == ["preset", "family", *OPTIONS]


@pytest.mark.parametrize("family", FAMILIES)
def test_family_has_its_options_with_their_defaults(family: str) -> None:
    rules = make_ruleset(family)
    wanted = {
        name: DEFAULTS[family].get(name, False) for name in ALLOWED if family in ALLOWED[name]
    }
    assert rules.options() == wanted
    assert [type(value) for value in rules.options().values()] == list(map(type, wanted.values()))
    assert rules.changed_options() == {}
    assert rules.family is Family(family)
    assert rules.preset == family


@pytest.mark.parametrize(("name", "family"), EVERY)
def test_every_allowed_value_is_accepted(name: str, family: str) -> None:
    for value in ALLOWED[name][family]:
        rules = build(family, name, value)
        assert getattr(rules, name) == rules.options()[name] == value
        assert type(getattr(rules, name)) is type(value)
        changed = {} if value == DEFAULTS[family].get(name, False) else {name: value}
        needed = {"target": 700} if name == "extension" else {}
        assert rules.changed_options() == needed | changed


@pytest.mark.parametrize(("name", "family"), EVERY)
def test_every_other_value_is_refused_with_what_is_allowed(name: str, family: str) -> None:
    refused = [value for value in WRONG if not is_allowed(name, family, value)]
    assert len(refused) >= len(WRONG) // 2
    for value in refused:
        message = refusal(family, name, value)
        assert message.startswith(f"option {name}: ")
        assert f"allowed: {OPTIONS[name].allowed}" in message
        assert OPTIONS[name].ruling in message
        if isinstance(value, int | None) and value != 10**30:
            assert message.startswith(f"option {name}: {written(value)} is not allowed; ")


@pytest.mark.parametrize("value", [(), [], [1], {}, {1: 2}, object])
def test_value_of_a_type_that_no_option_has_is_refused(value: Any) -> None:
    """The types forbid it, but not every caller is checked by them."""
    for name in ("target", "max_200", "reshuffle", "shutout_rule", "first_dealer"):
        assert f"allowed: {OPTIONS[name].allowed}" in refusal(C, name, value)


@pytest.mark.parametrize("value", ["a\nb", "all\u2028", "\x1b[31m"])
@pytest.mark.parametrize("name", ["shutout_rule", "top_choice"])
def test_line_break_in_a_value_does_not_break_the_message(name: str, value: str) -> None:
    """A message is one line, whatever stands in a value: it goes to terminals and logs."""
    message = refusal(C, name, value)
    assert message.isprintable()
    assert message.startswith(f"option {name}: ")


@pytest.mark.parametrize(("name", "family"), NOT_THERE)
def test_option_of_another_family_is_refused_whatever_its_value(name: str, family: str) -> None:
    """Also with the value that would change nothing."""
    for values in ALLOWED[name].values():
        for value in (*values, getattr(make_ruleset(family), name)):
            message = refusal(family, name, value)
            shown = f'"{value}"' if isinstance(value, str) else written(value)
            assert message.startswith(
                f"option {name}: {shown} is not allowed, {family} has no such option (only "
            )
            assert " and ".join(ALLOWED[name]) in message
            assert OPTIONS[name].allowed in message


@pytest.mark.parametrize(
    ("family", "name", "instead"),
    [
        (E, "reshuffle", "express has express_exhausted_draw"),
        (P, "reshuffle", "plateau has plateau_exhaustion"),
        (P, "first_dealer", "plateau has first_player"),
        (C, "first_player", "classic and express have first_dealer"),
        (E, "first_player", "classic and express have first_dealer"),
    ],
)
def test_refusal_names_the_option_that_is_meant(family: str, name: str, instead: str) -> None:
    assert instead in refusal(family, name, getattr(make_ruleset(family), name))


@pytest.mark.parametrize("family", [E, P])
def test_late_safety_cannot_be_switched_off_outside_the_classic_game(family: str) -> None:
    assert refusal(family, "late_safety_restarts", False) == (
        "option late_safety_restarts: false is not allowed; allowed: true or false in classic; "
        "always true in express and plateau (R12, X14)"
    )


@pytest.mark.parametrize("options", [{}, {"target": 1000}])
def test_extension_needs_a_target_of_700(options: dict[str, Value]) -> None:
    with pytest.raises(RuleSetError) as refused:
        make_ruleset(C, options | {"extension": True})
    message = str(refused.value)
    assert message.startswith("option extension: true goes only with target 700, not 1000 (R32)")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("targett", "target"),
        ("Target", "target"),
        ("max200", "max_200"),
        ("shutout", "shutout_rule"),
    ],
)
def test_misspelt_option_is_told_what_may_be_meant(name: str, meant: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        make_ruleset(C, {name: 700})
    assert str(refused.value) == f"unknown option {quoted(name)}; did you mean {meant}?"


@pytest.mark.parametrize("name", ["", "preset", "a\nb", "é"])
def test_unknown_option_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        make_ruleset(C, {name: 700})
    assert (
        str(refused.value) == f"unknown option {quoted(name)}; the options are {', '.join(OPTIONS)}"
    )


@pytest.mark.parametrize("preset", ["", "Classic", "mille", "a\nb"])
def test_unknown_preset_is_refused_with_the_names_there_are(preset: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        make_ruleset(preset)
    assert str(refused.value) == (
        f"unknown preset {quoted(preset)}; the presets are classic, express, plateau, leaflet"
    )


# -- built directly ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "family"), EVERY)
def test_rule_set_built_directly_is_checked_too(name: str, family: str) -> None:
    rules = make_ruleset(family, {"target": 700} if name == "extension" else {})
    for value in ALLOWED[name][family]:
        assert getattr(dataclasses.replace(rules, **{name: value}), name) == value  # type: ignore[arg-type]
    for value in WRONG:
        if not is_allowed(name, family, value):
            with pytest.raises(RuleSetError, match=f"^option {name}: "):
                dataclasses.replace(rules, **{name: value})


@pytest.mark.parametrize(("name", "family"), NOT_THERE)
def test_option_of_another_family_cannot_be_set_directly(name: str, family: str) -> None:
    rules = make_ruleset(family)
    neutral = getattr(rules, name)
    for values in ALLOWED[name].values():
        for value in values:
            if value != neutral:
                with pytest.raises(RuleSetError, match=f"^option {name}: .*{family}"):
                    dataclasses.replace(rules, **{name: value})  # type: ignore[arg-type]


def test_extension_is_checked_when_built_directly() -> None:
    with pytest.raises(RuleSetError, match=r"^option extension: true goes only with target 700"):
        dataclasses.replace(make_ruleset(C), extension=True)
    with pytest.raises(RuleSetError, match=r"^option extension: true goes only with target 700"):
        dataclasses.replace(make_ruleset("leaflet"), target=1000)


def test_rule_set_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_ruleset(C).target = 700  # type: ignore[misc]
    assert hash(make_ruleset(C)) == hash(make_ruleset(C, {"target": 1000}))


# -- presets and decks ------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 6, None])
def test_leaflet_plays_700_with_extension(players: int | None) -> None:
    """R31-R34 as the leaflets print them."""
    rules = make_ruleset("leaflet", players=players)
    assert rules.preset == "leaflet"
    assert rules.family is Family.CLASSIC
    assert rules.changed_options() == {
        "target": 700,
        "extension": True,
        "failed_extension_bonus": True,
        "deck_2p_reduction": True,
    }


def test_leaflet_plays_1000_without_extension_with_four() -> None:
    rules = make_ruleset("leaflet", players=4)
    assert (rules.target, rules.extension) == (1000, False)
    assert rules.failed_extension_bonus
    assert rules.deck_2p_reduction


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_options_win_over_the_preset(players: int) -> None:
    rules = make_ruleset("leaflet", {"extension": False, "target": 700}, players=players)
    assert (rules.target, rules.extension) == (700, False)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("preset", FAMILIES)
def test_other_presets_do_not_depend_on_the_players(preset: str, players: int) -> None:
    assert make_ruleset(preset, players=players) == make_ruleset(preset)


@pytest.mark.parametrize(
    ("preset", "players", "deck", "size"),
    [
        *[(C, players, CLASSIC_DECK, 106) for players in (2, 3, 4, 6)],
        *[(P, players, CLASSIC_DECK, 106) for players in (2, 3, 4)],
        *[(E, players, EXPRESS_DECK, 66) for players in (2, 3, 4)],
        *[("leaflet", players, SHORT_DECK, 101) for players in (2, 3)],
        *[("leaflet", players, CLASSIC_DECK, 106) for players in (4, 6)],
    ],
)
def test_deck(preset: str, players: int, deck: tuple[int, ...], size: int) -> None:
    rules = make_ruleset(preset, players=players)
    assert rules.deck(players) == deck
    assert sum(deck) == size


def test_decks_are_those_of_the_rule_books() -> None:
    def sums(deck: tuple[int, ...]) -> list[int]:
        return [sum(deck[:5]), sum(deck[5:10]), sum(deck[10:15]), sum(deck[15:])]

    assert sums(CLASSIC_DECK) == [46, 18, 38, 4]
    assert sums(SHORT_DECK) == [46, 13, 38, 4]
    assert sums(EXPRESS_DECK) == [31, 10, 21, 4]
    removed = {card for card in Card if CLASSIC_DECK[card] != SHORT_DECK[card]}
    assert removed == {card for card in Card if card.is_hazard}
    assert CLASSIC_DECK[:5] == (10, 10, 10, 12, 4)
    assert CLASSIC_DECK[Card.GREEN_LIGHT] == 14


def test_derived_facts() -> None:
    assert [make_ruleset(family).is_scored for family in FAMILIES] == [True, False, False]
    assert [make_ruleset(family).hand_size for family in FAMILIES] == [6, 4, 6]
    assert [make_ruleset(family).reshuffles for family in FAMILIES] == [False, False, False]
    assert make_ruleset(C, {"reshuffle": True}).reshuffles
    assert make_ruleset(E, {"express_exhausted_draw": "reshuffle"}).reshuffles
    assert not make_ruleset(E, {"express_exhausted_draw": "discard"}).reshuffles
    assert make_ruleset(P, {"plateau_exhaustion": "reshuffle"}).reshuffles


# -- the command line's words -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("target=700", 700), ("max_200=0", 0), ("max_200=-1", -1), ("max_200=none", None)],
        *[("reshuffle=true", True), ("reshuffle=false", False), ("shutout_rule=any", "any")],
        *[("target=", ""), ("target=7=8", "7=8"), ("target=700.0", "700.0"), ("target=+7", "+7")],
        *[("reshuffle=True", "True"), ("target= 700", " 700"), ("target=\u0667", "\u0667")],
        *[("target=--7", "--7"), ("target=-", "-"), ("target=7_0", "7_0"), ("target=0x7", "0x7")],
    ],
)
def test_option_is_read_from_a_word(text: str, value: Value) -> None:
    name, read = parse_option(text)
    assert name == text.partition("=")[0]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(("name", "family"), EVERY)
def test_every_allowed_value_can_be_written_as_a_word(name: str, family: str) -> None:
    """Also the word none of `express_exhausted_draw`, which is a word there."""
    for value in ALLOWED[name][family]:
        assert parse_option(f"{name}={written(value)}") == (name, value)


@pytest.mark.parametrize("text", ["", "target", "target 700", "target:700", "a\nb"])
def test_word_without_equals_is_refused(text: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        parse_option(text)
    assert (
        str(refused.value)
        == f"option {quoted(text)} is not of the form name=value, e.g. target=700"
    )


@pytest.mark.parametrize("name", ["", "colour", "a\nb"])
def test_word_with_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        parse_option(f"{name}=1")
    assert (
        str(refused.value) == f"unknown option {quoted(name)}; the options are {', '.join(OPTIONS)}"
    )


@pytest.mark.parametrize("digits", [31, 4301, 100_000])
def test_endless_number_is_refused_in_one_short_line(digits: int) -> None:
    """Python itself refuses to read more than 4300 digits, with an error of its own."""
    with pytest.raises(RuleSetError) as refused:
        make_ruleset(C, dict([parse_option("target=" + "9" * digits)]))
    assert len(str(refused.value)) < 300
