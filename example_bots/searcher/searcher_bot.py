"""Plays actions out in many hands that could be the true one, and takes what comes out best.

A *world* is the hand with the unseen cards dealt at random (`determinize`). In each world every
candidate is tried, and the hand is played to its end by the same rules for everybody. These rules
are keeper's, written for speed: the better they are, the more the results are worth.

What happens in the same world can be compared: the luck is the same. So candidates race against
the *usual* action, the one that the rules choose: one that is behind the best by more than its
doubt drops out, and the time goes to the others. In the end the usual action is left only for one
that did better by more than its doubt; without that, chance would mislead more than search helps.
A decision takes `seconds` (by default ARENA_SEARCH_SECONDS) or a quarter of what is free, or less
if nothing is in doubt any more.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev

from arena.engine.actions import COUP_FOURRE, DISCARD, DRAW_DISCARD, DRAW_PILE, LAY, PLAY
from arena.engine.state import FITS, TableView
from arena_sdk import KM, SAFETY_FOR, Action, Bot, Prompt, Stage, Verb, run
from arena_sdk.simulate import HandState, apply, asked, copy, default_action, determinize, lead

ROUND = 8  # worlds between two looks at who is still in the race
HOPELESS = 1.0  # standard errors by which a candidate that drops out is behind the best
BETTER = 1.0  # standard errors by which the usual action must be beaten

Results = dict[Action, list[int]]  # of every candidate, how far ahead it ended, world by world


class SearcherBot(Bot):
    """Attributes: `seconds` for a decision, and the `clock` that measures them."""

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if seconds is None:
            seconds = float(os.environ.get("ARENA_SEARCH_SECONDS", "0.2"))
        self.seconds = seconds
        self.clock = clock

    def choose(self, prompt: Prompt) -> Action:
        if prompt.kind is Stage.RESPOND:
            return prompt.coup_fourre or prompt.default
        return self.search(prompt)

    def search(self, prompt: Prompt) -> Action:
        deadline = self.clock() + min(self.seconds, prompt.time_limit / 4)
        seat = prompt.view.seat
        usual = by_rules(determinize(prompt.view, self.rng), seat)
        race: Results = {action: [] for action in prompt.legal if is_sensible(action, usual)}
        worlds = 0
        while len(race) > 1 and self.clock() < deadline:
            world = determinize(prompt.view, self.rng)
            for action, results in race.items():
                results.append(play_out(copy(world), seat, action))
            worlds += 1
            if worlds % ROUND == 0:
                best = leader(race)
                race = {
                    action: results
                    for action, results in race.items()
                    if action is usual or gain(race[best], results) <= HOPELESS
                }
        best = leader(race)
        return best if gain(race[best], race[usual]) > BETTER else usual


def is_sensible(action: Action, usual: Action) -> bool:
    """Whether an action is worth the time: throwing a safety away is only if it is usual."""
    thrown = action.verb is Verb.DISCARD and action.kind >= SAFETY
    return action is usual or not thrown


def leader(race: Results) -> Action:
    return max(race, key=lambda action: sum(race[action]))


def gain(these: list[int], those: list[int]) -> float:
    """By how many standard errors these results are better than those, world by world."""
    if len(these) < ROUND:
        return 0.0
    gains = [this - that for this, that in zip(these, those, strict=True)]
    error = stdev(gains) / sqrt(len(gains))
    return fmean(gains) / max(error, 1e-9)  # nothing in doubt if in every world it is the same


def play_out(world: HandState, seat: int, action: Action) -> int:
    """How far our team is ahead in the end, in points; or in km, and 1000 for the winner."""
    team = world.seating.team_of[seat]
    apply(world, seat, action)
    while world.stage != OVER:
        seat = asked(world)[0] if world.stage == RESPONDS else world.seat
        apply(world, seat, by_rules(world, seat))
    if world.rules.is_scored or world.winner < 0:
        return lead(world, team)
    return lead(world, team) + (1000 if world.winner == team else -1000)


# -- the rules by which everybody plays on ----------------------------------------------------

# Plain integers, where the names of an enumeration would be slow to look up.
PLAYS, RESPONDS, DRAWS, OVER = map(int, (Stage.PLAY, Stage.RESPOND, Stage.DRAW, Stage.OVER))
# Sets of cards are masks, bit k for card k: `mask & DISTANCES` is the distance cards in it.
DISTANCES, HAZARDS, REMEDIES, SAFETIES = 0b11111, 0b11111 << 5, 0b11111 << 10, 0b1111 << 15
D200, RED_LIGHT, LIMIT, OUT_OF_GAS, GREEN_LIGHT, END_OF_LIMIT = 4, 5, 6, 7, 10, 11
SPEED_LIMIT, STOPS, BREAKDOWNS = 1 << LIMIT, HAZARDS & ~(1 << LIMIT), 0b111 << OUT_OF_GAS
REMEDY, SAFETY = 5, 15  # from a hazard to its remedy; the first safety
HIDDEN = 19  # from here up a code in the discard pile is a card lying face down, of a seat
SAFETY_BY_HAZARD = {int(hazard): int(safety) for hazard, safety in SAFETY_FOR.items()}
HAZARDS_BY_SAFETY = {
    by: tuple(hazard for hazard, safety in SAFETY_BY_HAZARD.items() if safety == by)
    for by in SAFETY_BY_HAZARD.values()
}
# By a mask of safeties, the hazards that are harmless to who has them.
HARMLESS = [
    sum(1 << hazard for hazard, safety in SAFETY_BY_HAZARD.items() if mask >> safety - SAFETY & 1)
    for mask in range(16)
]
# What the first copy of a card in hand is worth keeping, by kind.
#       25  50  75  100  200  red limit  gas tire crash green end  gas tire repairs
KEEP = (40, 80, 80, 110, 170, 220, 120, 260, 260, 260, 220, 160, 180, 180, 180, *(1000,) * 4)

NEARLY_THERE = 200  # km: a rival that rolls may end the hand before a safety is used
FEW_TURNS = 2  # left to each seat before the draw pile is out


def by_rules(state: HandState, seat: int) -> Action:
    if state.stage == PLAYS:
        return play(state, seat)
    if state.stage == RESPONDS:
        return COUP_FOURRE[SAFETY_BY_HAZARD[state.attack]]  # only who has it is asked in a world
    if state.stage == DRAWS:
        return draw(state, seat)
    return default_action(state, seat)


def draw(state: HandState, seat: int) -> Action:
    """Take an open safety, or a new card that can be played at once."""
    card = state.discard[-1]
    accepts = state.tables[state.frame.team_of[seat]].accepts
    wanted = card < HIDDEN and accepts >> card & 1 and not state.hands[seat][card]
    return DRAW_DISCARD if wanted else DRAW_PILE


def play(state: HandState, seat: int) -> Action:
    """Finish; stop somebody; expose what will not wait; slow somebody down; mend; drive."""
    mask = state.masks[seat]
    table = state.tables[state.frame.team_of[seat]]
    own = mask & table.accepts
    to_go = state.target - table.km
    far = highest(own & DISTANCES)
    if far >= 0 and KM[far] == to_go:
        first = own & SAFETIES if state.left and state.rules.is_scored else 0  # for their points
        return PLAY[highest(first or own & DISTANCES)]
    if mask & STOPS and (action := attack(state, seat, STOPS)):
        return action
    if own & SAFETIES and (safety := urgent(state, seat, own & SAFETIES)):
        return PLAY[safety]
    slow = attack(state, seat, SPEED_LIMIT) if mask & SPEED_LIMIT else None
    if slow and state.tables[slow.team or 0].moving:
        return slow
    if own & REMEDIES:
        km_wait = own >> END_OF_LIMIT & 1 and mask & DISTANCES
        return PLAY[END_OF_LIMIT if km_wait else lowest(own & REMEDIES)]
    if far >= 0 and (action := drive(state, seat, own & DISTANCES, to_go)):
        return action
    if slow:
        return slow
    if state.frame.forced_play:
        return default_action(state, seat)
    return DISCARD[least_useful(state, seat)]


def attack(state: HandState, seat: int, hazards: int) -> Action | None:
    """The leader first; an attack that nobody can answer rather than one that may backfire."""
    mask = state.masks[seat]
    team = state.frame.team_of[seat]
    victim, furthest, seen = -1, -1, mask >> SAFETY
    for other, table in enumerate(state.tables):
        seen |= table.safeties
        if other != team and table.km > furthest and mask & hazards & table.suffers:
            victim, furthest = other, table.km
    if victim < 0:
        return None
    found = mask & hazards & state.tables[victim].suffers
    found = found & HARMLESS[seen] or found
    return LAY[lowest(found & BREAKDOWNS or found), victim]


def urgent(state: HandState, seat: int, safeties: int) -> int:
    """A safety that should not wait for its attack any more; 0 if there is none."""
    team = state.frame.team_of[seat]
    if state.left // len(state.masks) < FEW_TURNS or not state.frame.on_table:
        return lowest(safeties)
    for other, rival in enumerate(state.tables):
        if other != team and rival.moving and state.target - rival.km <= NEARLY_THERE:
            return lowest(safeties)
    needs = state.tables[team].accepts & ~state.masks[seat] & REMEDIES
    while safeties:
        safety = lowest(safeties)
        if needs & HARMLESS[1 << safety - SAFETY] << REMEDY:
            return safety  # nothing else gets the car going
        if not any(unseen(state, seat, hazard) for hazard in HAZARDS_BY_SAFETY[safety]):
            return safety  # no such attack is left
        safeties &= safeties - 1
    return 0


def drive(state: HandState, seat: int, cards: int, to_go: int) -> Action | None:
    """Far is good; leaving a distance that the hand can drive exactly is better."""
    most, found = 0, -1
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        left = to_go - KM[card]
        worth = KM[card] if left > 50 else 0  # few cards help then; as it is, more do
        if left <= 200 and can_total(state.hands[seat], left, card):
            worth = KM[card] + 75
        if worth > most:
            most, found = worth, card
    return None if found < 0 else PLAY[found]


def can_total(hand: bytearray, total: int, played: int) -> bool:
    """Whether distance cards in hand, less the one played, make exactly that."""
    sums = 1  # bit k: some of the cards make 25 k
    for card in range(5):
        for _ in range(hand[card] - (card == played)):
            sums |= sums << KM[card] // 25
    return bool(sums >> total // 25 & 1)


def least_useful(state: HandState, seat: int) -> int:
    """The card in hand that is worth least keeping; of equals, the first."""
    hand = state.hands[seat]
    team = state.frame.team_of[seat]
    table = state.tables[team]
    immune = 0b1111
    for other, rival in enumerate(state.tables):
        if other != team:
            immune &= rival.safeties
    crowd = 50 * max(0, sum(hand[RED_LIGHT:GREEN_LIGHT]) - 2)  # too many hazards
    fits = FITS[max(0, state.target - table.km)]
    least, found, before = 10_000, 0, 0
    for card in range(HIDDEN - 1, -1, -1):
        copies = hand[card]
        if not copies:
            continue
        if card >= SAFETY:
            worth = KEEP[card]
        elif card >= GREEN_LIGHT:
            worth = use_of_remedy(state, seat, card)
        elif card >= RED_LIGHT:
            worth = 0 if HARMLESS[immune] >> card & 1 else max(0, KEEP[card] - crowd)
        elif fits >> card & 1:
            before += copies  # cards that would be driven first, and itself
            worth = use_of_distance(state, table, card, before)
        else:
            worth = 0
        if worth <= least:
            least, found = worth, card
    return found


def use_of_distance(state: HandState, table: TableView, card: int, before: int) -> int:
    worth = KEEP[card]
    if card == D200:
        laid = table.distance.count(D200)
        if laid + before > state.frame.max_200:
            return 0
        worth = 200 if laid else worth  # there is no safe trip to lose any more
    return max(0, worth - 25 * (before - 1))


def use_of_remedy(state: HandState, seat: int, remedy: int) -> int:
    """One is enough; none is needed if a safety does it or no hazard is left."""
    table = state.tables[state.frame.team_of[seat]]
    covered = table.safeties | state.masks[seat] >> SAFETY
    hazard = remedy - REMEDY
    if HARMLESS[covered] >> hazard & 1:
        # While Right of Way waits in the hand, a light or a limit may yet have to be mended.
        return 30 if hazard <= LIMIT and not table.safeties & 1 else 0
    copies = state.hands[seat][remedy]
    wanted = table.accepts >> remedy & 1
    uses = unseen(state, seat, hazard) + wanted
    if remedy == GREEN_LIGHT and copies > uses:  # every breakdown needs one as well
        uses += sum(unseen(state, seat, one) for one in range(OUT_OF_GAS, GREEN_LIGHT))
    if copies > uses:
        return 0
    if copies > 1:
        return 120 // copies if remedy == GREEN_LIGHT else 5
    return KEEP[remedy] + 100 * wanted


def unseen(state: HandState, seat: int, hazard: int) -> int:
    """How many of a hazard the seat cannot place; it knows what it has thrown away itself."""
    left = state.rules.deck(len(state.masks))[hazard] - state.hands[seat][hazard]
    for table in state.tables:
        left -= (table.speed if hazard == LIMIT else table.battle).count(hazard)
    thrown = state.discard
    return max(0, left - thrown.count(hazard) - thrown.count(HIDDEN * (seat + 1) + hazard))


def lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    return mask.bit_length() - 1


if __name__ == "__main__":
    run(SearcherBot())
