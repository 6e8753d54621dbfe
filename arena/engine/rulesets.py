"""Rule sets: the presets, and every option, checked at birth.

A `RuleSet` that exists is valid. It belongs to one *family* (classic, express, plateau), the three
games of the rule books; a *preset* is a family with some defaults. An option that a family does
not have is refused there, even with the value that would change nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.engine.cards import CLASSIC_DECK, EXPRESS_DECK, SHORT_DECK
from arena.errors import ENDLESS, RuleSetError, quoted

Value = bool | int | str | None
"""What an option can be set to; None is written `none` on the command line, null in JSON."""


class Family(StrEnum):
    """Which of the three games is played."""

    CLASSIC = "classic"
    EXPRESS = "express"
    PLATEAU = "plateau"

    @property
    def keeps_cards_on_table(self) -> bool:
        """Whether played cards stay on the table; in Plateau only tokens do (P09)."""
        return self is not Family.PLATEAU


CLASSIC: Final = Family.CLASSIC
EXPRESS: Final = Family.EXPRESS
PLATEAU: Final = Family.PLATEAU


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of the rules: what it means, in which ruling, which values it takes.

    `defaults` has a value for each family that knows the option. `elsewhere` is what the other
    families do, so that the engine reads one field whatever the family.
    """

    name: str
    meaning: str
    ruling: str
    allowed: str
    accepts: Callable[[Value], bool]
    defaults: Mapping[Family, Value]
    elsewhere: Value
    hint: str = ""

    def neutral(self, family: Family) -> Value:
        """The value that holds in `family` when nobody sets the option."""
        return self.defaults.get(family, self.elsewhere)


def _is_bool(value: Value) -> bool:
    return isinstance(value, bool)


def _is_count(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_positive(value: Value) -> bool:
    return _is_count(value) and value != 0


def _is_count_or_none(value: Value) -> bool:
    return value is None or _is_count(value)


def _is_seat_or_none(value: Value) -> bool:
    return value is None or (_is_count(value) and isinstance(value, int) and value < MAX_SEATS)


def _one_of(*values: Value) -> Callable[[Value], bool]:
    # bool is an int in Python: 1 must not pass for true, nor true for 1.
    return lambda value: any(value == one and type(value) is type(one) for one in values)


def _flag(name: str, meaning: str, ruling: str, *families: Family, hint: str = "") -> Option:
    return Option(
        name=name,
        meaning=meaning,
        ruling=ruling,
        allowed="true or false",
        accepts=_is_bool,
        defaults=dict.fromkeys(families, False),
        elsewhere=False,
        hint=hint,
    )


def _choice(
    name: str, meaning: str, ruling: str, values: tuple[str, ...], *families: Family
) -> Option:
    """A choice between words; the first one is the default."""
    return Option(
        name=name,
        meaning=meaning,
        ruling=ruling,
        allowed=" or ".join(f'"{value}"' for value in values),
        accepts=_one_of(*values),
        defaults=dict.fromkeys(families, values[0]),
        elsewhere=values[0],
    )


def _number(  # noqa: PLR0913 - a row of a table
    name: str,
    meaning: str,
    ruling: str,
    defaults: Mapping[Family, Value],
    *,
    elsewhere: Value,
    positive: bool = False,
) -> Option:
    return Option(
        name=name,
        meaning=meaning,
        ruling=ruling,
        allowed="a whole number from 1 up" if positive else "a whole number from 0 up",
        accepts=_is_positive if positive else _is_count,
        defaults=defaults,
        elsewhere=elsewhere,
    )


MAX_SEATS: Final = 6

_OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        name="target",
        meaning="Kilometres that end a hand.",
        ruling="R31, X19",
        allowed="1000 or 700",
        accepts=_one_of(1000, 700),
        defaults=dict.fromkeys(Family, 1000),
        elsewhere=1000,
    ),
    _flag(
        "extension", "The first side at exactly 700 km may extend the hand to 1000.", "R32", CLASSIC
    ),
    _flag(
        "failed_extension_bonus",
        "If the side that extended does not finish, each of its opponents gets 200 points.",
        "R33",
        CLASSIC,
    ),
    Option(
        name="max_200",
        meaning="Most 200 km cards that a side may play in a hand.",
        ruling="R29, P06",
        allowed="a whole number from 0 up, or none",
        accepts=_is_count_or_none,
        defaults={CLASSIC: 2, EXPRESS: 2, PLATEAU: None},
        elsewhere=None,
    ),
    Option(
        name="late_safety_restarts",
        meaning="A safety played on an attack laid earlier also gets the car going again.",
        ruling="R12, X14",
        allowed="true or false in classic; always true in express and plateau",
        accepts=_is_bool,
        defaults={CLASSIC: False, EXPRESS: True, PLATEAU: True},
        elsewhere=True,
    ),
    Option(
        name="exhausted_safety_replays",
        meaning="A safety still gives another play when the draw pile is empty.",
        ruling="R26",
        allowed="true or false",
        accepts=_is_bool,
        defaults=dict.fromkeys(Family, True),
        elsewhere=True,
    ),
    Option(
        name="discard_visible",
        meaning="The discard pile lies face up.",
        ruling="R05",
        allowed="true or false",
        accepts=_is_bool,
        defaults={CLASSIC: False, EXPRESS: True, PLATEAU: True},
        elsewhere=True,
    ),
    _flag("forced_play", "Who can play a card must; discarding is for who cannot.", "R04", *Family),
    _flag(
        "reshuffle",
        "The discard pile is shuffled into a new draw pile.",
        "R27",
        CLASSIC,
        hint="express has express_exhausted_draw, plateau has plateau_exhaustion",
    ),
    _choice(
        "delayed_action_trigger",
        "The delayed action is earned with the pile empty, or only in a turn that began so.",
        "R28",
        ("pile_empty", "empty_at_turn_start"),
        CLASSIC,
    ),
    _number(
        "four_safeties_bonus",
        "Points for all four safeties, on top of 100 for each.",
        "R36",
        {CLASSIC: 300},
        elsewhere=0,
    ),
    _choice(
        "shutout_rule",
        "Who earns the shutout when there are several opponents.",
        "R37",
        ("all", "any", "dujardin"),
        CLASSIC,
    ),
    _number(
        "match_points",
        "Points that end a game.",
        "R38",
        {CLASSIC: 5000},
        elsewhere=1,
        positive=True,
    ),
    _choice(
        "match_tie",
        "What happens when a game ends in a tie.",
        "R38",
        ("extra_hand", "draw"),
        CLASSIC,
    ),
    _number(
        "max_hands",
        "A game has at most so many hands.",
        "R38",
        {CLASSIC: 1000},
        elsewhere=1,
        positive=True,
    ),
    _flag(
        "deck_2p_reduction",
        "Two or three players play without one card of each hazard.",
        "R34",
        CLASSIC,
    ),
    _flag("allow_individual_4", "Four players may play each for themselves.", "R01", CLASSIC),
    Option(
        name="first_dealer",
        meaning="Who deals first; the seat on the left begins.",
        ruling="R02, X21",
        allowed="a seat from 0 to 5 that is at the table, or none for the last seat",
        accepts=_is_seat_or_none,
        defaults={CLASSIC: None, EXPRESS: None},
        elsewhere=None,
        hint="plateau has first_player",
    ),
    Option(
        name="first_player",
        meaning="Who begins the first game.",
        ruling="P12",
        allowed="a seat from 0 to 5 that is at the table",
        accepts=lambda value: value is not None and _is_seat_or_none(value),
        defaults={PLATEAU: 0},
        elsewhere=0,
        hint="classic and express have first_dealer",
    ),
    _number(
        "safety_km",
        "Kilometres for a safety played on one's own turn.",
        "X07",
        {CLASSIC: 0, EXPRESS: 100, PLATEAU: 0},
        elsewhere=0,
    ),
    _number(
        "coup_fourre_km",
        "Kilometres for a coup fourré.",
        "X07",
        {CLASSIC: 0, EXPRESS: 300, PLATEAU: 0},
        elsewhere=0,
    ),
    _choice(
        "bonus_overflow",
        "What becomes of such kilometres when they would pass the target.",
        "X08",
        ("forfeit", "clamp", "allow"),
        EXPRESS,
    ),
    _choice(
        "express_safety_draw",
        "Where the card after a safety comes from.",
        "X04",
        ("pile", "choice"),
        EXPRESS,
    ),
    _choice(
        "express_exhausted_draw",
        "Where cards come from when the draw pile is out.",
        "X16",
        ("none", "discard", "reshuffle"),
        EXPRESS,
    ),
    _number(
        "express_stall_rounds",
        "Rounds of taking discards after which one must draw from the pile; 0: a cap of ten only.",
        "X17",
        {EXPRESS: 2},
        elsewhere=0,
    ),
    _flag(
        "top_choice",
        "Who covers an attack chooses which of the two cards lies on top of the discard pile.",
        "X20",
        EXPRESS,
    ),
    _flag("plateau_green_light_to_start", "A car needs a Green Light to start.", "P02", PLATEAU),
    _choice(
        "plateau_exhaustion",
        "What happens when the draw pile is out.",
        "P11",
        ("play_out", "reshuffle"),
        PLATEAU,
    ),
)

OPTIONS: Final[Mapping[str, Option]] = {option.name: option for option in _OPTIONS}
"""Every option by name, in the order in which `arena rules` lists them."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A name for a family with some defaults, which may depend on the number of players."""

    family: Family
    defaults: Mapping[str, Value]
    by_players: Mapping[int, Mapping[str, Value]]


PRESETS: Final[Mapping[str, Preset]] = {
    "classic": Preset(CLASSIC, {}, {}),
    "express": Preset(EXPRESS, {}, {}),
    "plateau": Preset(PLATEAU, {}, {}),
    # R31-R34 as printed: 700 with extension for 2, 3 and 6 players, 1000 without for 4.
    "leaflet": Preset(
        CLASSIC,
        {
            "target": 700,
            "extension": True,
            "failed_extension_bonus": True,
            "deck_2p_reduction": True,
        },
        {4: {"target": 1000, "extension": False}},
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One valid set of rules; every option as a field of its name.

    Build it with `make_ruleset`. Options that the family does not have hold the value that
    changes nothing. km are kilometres, `match_points` and bonuses are points.

    Raises:
        RuleSetError: an option has a value that its family does not allow.
    """

    preset: str
    family: Family
    target: int
    extension: bool
    failed_extension_bonus: bool
    max_200: int | None
    late_safety_restarts: bool
    exhausted_safety_replays: bool
    discard_visible: bool
    forced_play: bool
    reshuffle: bool
    delayed_action_trigger: str
    four_safeties_bonus: int
    shutout_rule: str
    match_points: int
    match_tie: str
    max_hands: int
    deck_2p_reduction: bool
    allow_individual_4: bool
    first_dealer: int | None
    first_player: int
    safety_km: int
    coup_fourre_km: int
    bonus_overflow: str
    express_safety_draw: str
    express_exhausted_draw: str
    express_stall_rounds: int
    top_choice: bool
    plateau_green_light_to_start: bool
    plateau_exhaustion: str

    def __post_init__(self) -> None:
        for option in _OPTIONS:
            _check_value(option, self.family, getattr(self, option.name))
        if self.extension and self.target != 700:
            raise RuleSetError(
                f"option extension: true goes only with target 700, not {self.target} (R32)"
            )

    @property
    def is_scored(self) -> bool:
        """Whether a hand makes points (classic); the other games have a winner only (X22)."""
        return self.family is CLASSIC

    @property
    def reshuffles(self) -> bool:
        """Whether the discard pile becomes a new draw pile (R27, X16, P11)."""
        return (
            self.reshuffle
            or self.express_exhausted_draw == "reshuffle"
            or self.plateau_exhaustion == "reshuffle"
        )

    @property
    def hand_size(self) -> int:
        """Cards in hand between turns (K08, X02, B02)."""
        return 4 if self.family is EXPRESS else 6

    def options(self) -> dict[str, Value]:
        """The options that this family has, with their values, in the order of `OPTIONS`."""
        return {
            option.name: getattr(self, option.name)
            for option in _OPTIONS
            if self.family in option.defaults
        }

    def changed_options(self) -> dict[str, Value]:
        """The options that differ from the family's preset of the same name."""
        return {
            name: value
            for name, value in self.options().items()
            if value != OPTIONS[name].neutral(self.family)
        }

    def deck(self, players: int) -> tuple[int, ...]:
        """The 19 counts that a hand for `players` is dealt from (K01-K05, R34, X01, P01)."""
        if self.family is EXPRESS:
            return EXPRESS_DECK
        if self.deck_2p_reduction and players in (2, 3):
            return SHORT_DECK
        return CLASSIC_DECK


def make_ruleset(
    preset: str = "classic",
    options: Mapping[str, Value] | None = None,
    *,
    players: int | None = None,
) -> RuleSet:
    """Return the rules of `preset` with `options` on top.

    `players` matters only to presets whose printed rules depend on it (`leaflet`).

    Raises:
        RuleSetError: unknown preset or option, an option that the family does not have, or a
            value that is not allowed. The message names option, value and what is allowed.
    """
    if preset not in PRESETS:
        raise RuleSetError(f"unknown preset {quoted(preset)}; the presets are {', '.join(PRESETS)}")
    chosen = PRESETS[preset]
    given = dict(options or {})
    for name, value in given.items():
        _check_known(name, value, chosen.family)
    values: dict[str, Value] = {option.name: option.neutral(chosen.family) for option in _OPTIONS}
    values |= chosen.defaults
    values |= chosen.by_players.get(players or 0, {})
    values |= given
    return RuleSet(preset=preset, family=chosen.family, **values)  # type: ignore[arg-type]


def parse_option(text: str) -> tuple[str, Value]:
    """Read `name=value` as the command line writes it: true, false, none, a number or a word.

    Raises:
        RuleSetError: there is no `=`, or the name is unknown.
    """
    name, equals, word = text.partition("=")
    if not equals:
        raise RuleSetError(f"option {quoted(text)} is not of the form name=value, e.g. target=700")
    if name not in OPTIONS:
        raise RuleSetError(_unknown_option(name))
    if OPTIONS[name].accepts(word):
        return name, word  # "none" is a word of some options and no value of others
    words: dict[str, Value] = {"true": True, "false": False, "none": None}
    if word in words:
        return name, words[word]
    if word.removeprefix("-").isdecimal() and word.isascii() and len(word) <= _LONGEST_NUMBER:
        return name, int(word)
    return name, word


_LONGEST_NUMBER: Final = 18
"""Digits of a number that could be meant; a longer one is refused as the word that it is."""


def _unknown_option(name: str) -> str:
    near = difflib.get_close_matches(name, OPTIONS, n=1)
    if near:
        return f"unknown option {quoted(name)}; did you mean {near[0]}?"
    return f"unknown option {quoted(name)}; the options are {', '.join(OPTIONS)}"


def _check_known(name: str, value: Value, family: Family) -> None:
    if name not in OPTIONS:
        raise RuleSetError(_unknown_option(name))
    option = OPTIONS[name]
    if family not in option.defaults:
        homes = " and ".join(option.defaults)
        hint = f"; {option.hint}" if option.hint else ""
        raise RuleSetError(
            f"option {name}: {_shown(value)} is not allowed, {family} has no such option "
            f"(only {homes}: {option.allowed}{hint})"
        )
    _check_value(option, family, value)


def _check_value(option: Option, family: Family, value: Value) -> None:
    if family not in option.defaults:
        if value != option.elsewhere:
            raise RuleSetError(f"option {option.name}: {family} has no such option")
        return
    fixed = option.name == "late_safety_restarts" and family is not CLASSIC
    if not option.accepts(value) or (fixed and value is not True):
        raise RuleSetError(
            f"option {option.name}: {_shown(value)} is not allowed; allowed: {option.allowed} "
            f"({option.ruling})"
        )


def _shown(value: object) -> str:
    """An option's value as one writes it: true, none, 700, "pile"."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"' if value.isprintable() and len(value) <= 40 else quoted(value)
    if isinstance(value, int) and abs(value) >= ENDLESS:
        return "an endless number"
    return quoted(value)
