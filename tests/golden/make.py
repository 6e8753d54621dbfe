"""Makes the golden playthroughs anew: python tests/golden/make.py

Whole hands, one per preset and number of players, and one short excerpt per rare event. Looking for
a rare event means playing hands from seed after seed until it happens; what is kept is the position
a few decisions before it, and what followed. A change in these files is a decision to be reviewed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from arena.engine.actions import Action, Verb
from arena.engine.cards import HAZARDS, Card
from arena.engine.deal import seed_from_text
from arena.engine.playthrough import Deal, Decision, Playthrough, render
from arena.engine.position import write_position
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import Value, make_ruleset
from arena.engine.scoring import Item, hand_result
from arena.engine.seating import make_seating
from arena.engine.state import HandState, Reason, Stage
from arena.errors import PositionError

HERE = Path(__file__).parent
COUNTS = {
    "classic": (2, 3, 4, 6),
    "leaflet": (2, 3, 4, 6),
    "express": (2, 3, 4),
    "plateau": (2, 3, 4),
}

Policy = Callable[[HandState, int, Random], Action]
Options = tuple[tuple[str, Value], ...]


def eager(state: HandState, seat: int, rng: Random) -> Action:
    """Plays rather than discards, and answers attacks, mostly."""
    options = legal(state, seat)
    plays = [one for one in options if one.verb not in (Verb.DISCARD, Verb.PASS)]
    return rng.choice(plays if plays and rng.random() < 0.9 else options)


def never_drives(state: HandState, seat: int, rng: Random) -> Action:
    """As `eager`, but seat 1 plays no distance card."""
    while True:
        action = eager(state, seat, rng)
        if seat != 1 or action.verb is not Verb.PLAY or not _is_distance(action):
            return action


def swaps(state: HandState, seat: int, _rng: Random) -> Action:
    """Takes the top discard whenever it may, and discards."""
    return legal(state, seat)[-1]


def _is_distance(action: Action) -> bool:
    return action.card is not None and action.card.is_distance


@dataclass
class Moment:
    """A decision in a hand: the state before it, who decided what, and the state after."""

    before: HandState
    decision: Decision
    after: HandState


@dataclass
class Hand:
    """A hand that was played: how it began and every moment of it."""

    start: Playthrough
    moments: list[Moment] = field(default_factory=list)

    @property
    def decisions(self) -> list[Decision]:
        return [moment.decision for moment in self.moments]


def play(preset: str, players: int, number: int, policy: Policy, options: Options = ()) -> Hand:
    rules = make_ruleset(preset, dict(options), players=players)
    seating = make_seating(rules, players)
    seed = seed_from_text(f"golden {preset} {players} {number}")
    start = Playthrough(
        title=f"{preset}, {players} players",
        preset=preset,
        options=options,
        teams=seating.teams,
        dealer=players - 1,
        start=Deal(seed=seed, striped=number % 2 == 1),
    )
    hand = Hand(start)
    rng = Random(seed)
    state = start.first_state()
    while not state.over:
        seat = rng.choice(asked(state))
        action = policy(state, seat, rng)
        before = state.copy()
        apply(state, seat, action)
        hand.moments.append(Moment(before, Decision(seat, action), state.copy()))
    return hand


def whole_hands() -> Iterator[tuple[str, Playthrough]]:
    for preset, counts in COUNTS.items():
        for players in counts:
            hand = play(preset, players, 0, eager)
            yield f"{preset}_{players}", hand.start.with_decisions(hand.decisions)


@dataclass(frozen=True)
class Rare:
    """An event to look for: what marks its moment, and where hands are likely to have it."""

    name: str
    title: str
    marks: Callable[[Moment], bool]
    preset: str = "classic"
    players: int = 2
    options: Options = ()
    policy: Policy = eager
    lead: int = 3
    tail: int = 2


def answers(hazard: Card) -> Callable[[Moment], bool]:
    return lambda moment: (
        moment.decision.action.verb is Verb.COUP_FOURRE and moment.before.attack == hazard
    )


def does(verb: Verb) -> Callable[[Moment], bool]:
    return lambda moment: moment.decision.action.verb is verb


def skips_seats(moment: Moment) -> bool:
    distance = (moment.decision.seat - moment.before.seat) % moment.before.players
    return moment.decision.action.verb is Verb.COUP_FOURRE and distance > 1


def partner_answers(moment: Moment) -> bool:
    """The partner who would not have been next answers for the team."""
    return skips_seats(moment) and (moment.decision.seat - moment.before.seat) % 4 == 3


def scores(item: Item) -> Callable[[Moment], bool]:
    return lambda moment: (
        moment.after.over and any(sheet[item] for sheet in hand_result(moment.after).sheets)
    )


def ends_dry(moment: Moment) -> bool:
    return moment.after.over and moment.after.reason == Reason.BLOCKED


def ends_empty(moment: Moment) -> bool:
    return moment.after.over and moment.after.reason == Reason.EXHAUSTED


def wins_by_bonus(verb: Verb) -> Callable[[Moment], bool]:
    return lambda moment: (
        moment.after.over
        and moment.after.reason == Reason.TARGET
        and moment.decision.action.verb is verb
        and not _is_distance(moment.decision.action)
    )


def chooses_top(moment: Moment) -> bool:
    return moment.decision.action.verb is Verb.TOP and bool(
        moment.decision.action.card and moment.decision.action.card.is_hazard
    )


RARE = (
    *(
        Rare(f"coup_fourre_{hazard.name.lower()}", f"coup fourré against {hazard}", answers(hazard))
        for hazard in HAZARDS
    ),
    Rare("skipped_seats", "a coup fourré skips seats", skips_seats, players=3),
    Rare("partner_answers", "the partner declares the coup fourré", partner_answers, players=4),
    Rare("extension_accepted", "the extension is accepted", does(Verb.EXTEND), "leaflet"),
    Rare("extension_refused", "the extension is refused", does(Verb.STOP), "leaflet"),
    Rare("exhausted_pile", "nobody can play any more", ends_dry, lead=14, players=3),
    Rare("last_card", "the last card of all is played", ends_empty, lead=14),
    Rare("shutout", "a shutout", scores(Item.SHUTOUT), policy=never_drives, lead=6),
    Rare("delayed_action", "a delayed action", scores(Item.DELAYED_ACTION), lead=12),
    Rare("express_win_by_safety", "won by a safety", wins_by_bonus(Verb.PLAY), "express"),
    Rare(
        "express_win_by_coup_fourre",
        "won out of turn by a coup fourré",
        wins_by_bonus(Verb.COUP_FOURRE),
        "express",
    ),
    Rare(
        "express_top_choice",
        "the attack goes on top",
        chooses_top,
        "express",
        options=(("top_choice", True),),
    ),
    Rare("express_all_played", "all distance cards played", ends_empty, "express", 3, lead=8),
)


def excerpt(rare: Rare) -> Playthrough:
    """The first hand, seed after seed, in which the event happens, cut to what leads to it."""
    for number in range(20_000):
        hand = play(rare.preset, rare.players, 2 * number, rare.policy, rare.options)
        for at, moment in enumerate(hand.moments):
            if rare.marks(moment):
                cut = _cut(rare, hand, at)
                if cut is not None:
                    return cut
    raise SystemExit(f"{rare.name}: not found")


def _cut(rare: Rare, hand: Hand, at: int) -> Playthrough | None:
    for first in range(at - rare.lead, -1, -1):
        state = hand.moments[first].before
        if state.stage != Stage.PLAY:
            continue
        try:
            position = json.dumps(write_position(state), separators=(",", ":"))
        except PositionError:
            continue
        start = Playthrough(
            title=rare.title,
            preset=rare.preset,
            options=rare.options,
            teams=hand.start.teams,
            dealer=hand.start.dealer,
            start=position,
        )
        return start.with_decisions(hand.decisions[first : at + 1 + rare.tail])
    return None


def stall() -> Playthrough:
    """Two rounds of taking discards, then the draw pile must be used (X17)."""
    hand = play("express", 3, 0, swaps)
    title = "two rounds without a draw from the pile: the next player must draw from it"
    return replace(hand.start.with_decisions(hand.decisions[:18]), title=title)


def reshuffle() -> Playthrough:
    """A whole hand: a position does not say in which order a discard pile comes back."""
    options: Options = (("plateau_exhaustion", "reshuffle"),)
    number = 0
    while True:
        hand = play("plateau", 3, number, eager, options)
        if hand.moments[-1].after.reshuffled:
            break
        number += 2
    title = "the discard pile becomes the draw pile"
    return replace(hand.start.with_decisions(hand.decisions), title=title)


def all_playthroughs() -> Iterator[tuple[str, Playthrough]]:
    yield from whole_hands()
    for rare in RARE:
        yield rare.name, excerpt(rare)
    yield "express_stall", stall()
    yield "reshuffle", reshuffle()


def main() -> None:
    for name, playthrough in all_playthroughs():
        (HERE / f"{name}.txt").write_text(render(playthrough), encoding="utf-8")
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
