"""What may a seat play now? A slow second answer, written from the rulings alone.

It reads case positions (names of cards, lists, no masks) and shares no code with the engine's
`status`, `legal` and `Table.refresh`. `legal` of the engine is held against it on every state of
random hands, and `model` plays whole hands with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.engine.rulesets import RuleSet

Table = Mapping[str, Any]
"""A TABLE of a position."""

KM: Final = {"D25": 25, "D50": 50, "D75": 75, "D100": 100, "D200": 200}
STOPPED_BY: Final = {
    "RED_LIGHT": ("GREEN_LIGHT", "RIGHT_OF_WAY"),
    "OUT_OF_GAS": ("GASOLINE", "EXTRA_TANK"),
    "FLAT_TIRE": ("SPARE_TIRE", "PUNCTURE_PROOF"),
    "ACCIDENT": ("REPAIRS", "DRIVING_ACE"),
}
"""Attacks of the battle pile: remedy (K28, K29) and safety (R15)."""
REMEDY: Final = {attack: remedy for attack, (remedy, _) in STOPPED_BY.items()} | {
    "SPEED_LIMIT": "END_OF_LIMIT"
}
SAFETY: Final = {attack: safety for attack, (_, safety) in STOPPED_BY.items()} | {
    "SPEED_LIMIT": "RIGHT_OF_WAY"
}
SAFETIES: Final = ("RIGHT_OF_WAY", "EXTRA_TANK", "PUNCTURE_PROOF", "DRIVING_ACE")
BATTLE_REMEDIES: Final = ("GREEN_LIGHT", "GASOLINE", "SPARE_TIRE", "REPAIRS")
KINDS: Final = (*KM, *SAFETY, *BATTLE_REMEDIES, "END_OF_LIMIT", *SAFETIES)


def km_of(table: Table) -> int:
    """Distance cards and bonus km together (X07)."""
    return sum(KM[card] for card in table["distance"]) + int(table["bonus_km"])


def stopping_attack(table: Table) -> str | None:
    """The attack in force on the battle pile.

    R11: only the top card counts. R12: an attack whose safety is exposed no longer counts.
    """
    if not table["battle"]:
        return None
    top = table["battle"][-1]
    if top not in STOPPED_BY or STOPPED_BY[top][1] in table["safeties"]:
        return None
    return str(top)


def is_limited(table: Table) -> bool:
    """K22, R09: a Speed Limit on top; R11: never with Right of Way."""
    shows_limit = bool(table["speed"]) and table["speed"][-1] == "SPEED_LIMIT"
    return shows_limit and "RIGHT_OF_WAY" not in table["safeties"]


def is_moving(rules: RuleSet, table: Table) -> bool:
    """Whether the car may be moved by a distance card, limits aside."""
    if stopping_attack(table):
        return False  # K26, E07, B09; R11: Right of Way does not heal a breakdown
    if "RIGHT_OF_WAY" in table["safeties"]:
        return True  # R11: no Green Light is ever needed
    if rules.family == "classic":
        return bool(table["battle"]) and table["battle"][-1] == "GREEN_LIGHT"  # K19, R10, R12
    # X05, P02, P05: once started, the car needs no Green Light any more. a position leaves
    # `started` out where the battle pile tells it.
    started = bool(table.get("started")) or bool(table["battle"])
    if rules.family == "plateau" and not rules.plateau_green_light_to_start:
        return True
    return started


def accepts_distance(rules: RuleSet, target: int, table: Table, card: str) -> bool:
    """E07, K19; K22, E09; R30, P07; R29, P06."""
    if not is_moving(rules, table):
        return False
    if is_limited(table) and KM[card] > 50:
        return False
    if km_of(table) + KM[card] > target:
        return False
    if card != "D200" or rules.max_200 is None:
        return True
    return list(table["distance"]).count("D200") < rules.max_200


def accepts_own(rules: RuleSet, target: int, table: Table, card: str) -> bool:
    """Whether the team may play `card`, no attack, on its own table (R06, R39)."""
    if card in KM:
        return accepts_distance(rules, target, table, card)
    if card in SAFETIES:
        return card not in table["safeties"]  # K31
    if card == "END_OF_LIMIT":
        return is_limited(table)  # R06, K30
    attack = stopping_attack(table)
    if attack:
        return REMEDY[attack] == card  # K28, K29
    # R10, X05, P02: nothing is in force; a Green Light where the car does not roll.
    return card == "GREEN_LIGHT" and not is_moving(rules, table)


def suffers(rules: RuleSet, table: Table, attack: str) -> bool:
    """Whether an opponent may lay `attack` on the table."""
    if SAFETY[attack] in table["safeties"]:
        return False  # K31, E17, B11
    if attack == "SPEED_LIMIT":
        return not is_limited(table)  # R09, P04, P14
    return is_moving(rules, table)  # R07, R08, E10, P03


def plays_of(
    rules: RuleSet, target: int, tables: Sequence[Table], team: int, hand: Sequence[str]
) -> set[str]:
    """Every action of a hand's cards that is no discard."""
    plays = set()
    for card in set(hand):
        if card in SAFETY:
            plays |= {
                f"play {card} on {other}"
                for other, table in enumerate(tables)
                if other != team and suffers(rules, table, card)
            }
        elif accepts_own(rules, target, tables[team], card):
            plays.add(f"play {card}")
    return plays


def actions_of(
    rules: RuleSet, target: int, tables: Sequence[Table], team: int, hand: Sequence[str]
) -> set[str]:
    """Every action of a seat that must play: R04 and its option `forced_play`, R41."""
    plays = plays_of(rules, target, tables, team, hand)
    if plays and rules.forced_play:
        return plays
    return plays | {f"discard {card}" for card in hand}


def legal_by_position(
    rules: RuleSet, team_of: Sequence[int], position: Mapping[str, Any]
) -> set[str]:
    """What the seat on turn in a POSITION may do."""
    seat = position["turn"]["seat"]
    if position["turn"]["stage"] == "start":
        return {"draw pile", "draw discard"}  # X03: nothing else is ever asked there
    target = position.get("target", rules.target)
    return actions_of(rules, target, position["tables"], team_of[seat], position["hands"][seat])
