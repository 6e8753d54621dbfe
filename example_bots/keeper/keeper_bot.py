"""Keeps safeties for the coup fourré, counts cards, and knows what each card in hand is worth.

Every action gets a whole number, and the highest is played; the first of equals in the order of
`prompt.legal`. There is no chance in it and no memory: the same view always gives the same answer.
The scale: 100,000 ends the hand; 2,500 stops an opponent; 500 to 700 is an ordinary move; below 0
are discards, the more useful the card the lower. The numbers come from playing many boards.
"""

from __future__ import annotations

from itertools import combinations

from arena_sdk import SAFETY_FOR, Action, Bot, Card, Family, Prompt, Stage, Verb, View, run, tables

km = tables.km
SPEED_LIMIT, GREEN_LIGHT, END_OF_LIMIT = Card.SPEED_LIMIT, Card.GREEN_LIGHT, Card.END_OF_LIMIT

REMEDY_SHIFT = 5  # a remedy is its hazard's number plus this
# What the first copy of a card in hand is worth keeping, by kind; safeties are never thrown away.
#    25  50  75  100  200  red limit  gas tire crash green end  gas tire repairs
KEEP = {
    Family.CLASSIC: (40, 80, 80, 110, 170, 220, 120, 260, 260, 260, 220, 160, 180, 180, 180),
    Family.EXPRESS: (40, 80, 90, 130, 170, 130, 80, 90, 90, 90, 170, 110, 130, 130, 130),
    Family.PLATEAU: (40, 80, 100, 130, 160, 160, 130, 260, 260, 260, 200, 120, 180, 180, 180),
}

FREES = 1800  # a safety against a hazard in force whose remedy is not in hand
STARTS = 1500  # Right of Way, where the car waits for a Green Light that is not in hand
LAST_CHANCE = 2400  # a safety that will hardly see its attack any more
DRAWS = 4000  # Plateau, where a coup fourré makes no points: better the card drawn at once
HOLD = -900  # a safety that waits: better to throw away anything but a safety
NEARLY_THERE = 200  # km: a rival that rolls may end the hand before the safety is used
FEW_TURNS = 2  # left to each seat before the draw pile is out


class KeeperBot(Bot):
    def choose(self, prompt: Prompt) -> Action:
        look = Look(prompt.view)
        match prompt.kind:
            case Stage.RESPOND:
                return prompt.coup_fourre or prompt.default
            case Stage.DRAW:
                return prompt.legal[look.takes_open_card()]  # draw pile, draw discard
            case Stage.PLAY:
                return max(prompt.legal, key=look.worth)
            case Stage.EXTEND:
                return prompt.legal[not look.should_extend()]  # extend, stop
            case _:
                return prompt.default  # the remedy goes on top


class Look:
    """A view, and what this bot thinks of it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.table = view.table
        self.hand = view.hand  # how many of each card
        self.unseen = view.unseen  # likewise: in other hands, in the pile, face down
        self.to_go = tables.to_go(view)
        self.rivals = [view.tables[team] for team in tables.rivals(view)]
        self.turns = view.draw_count // len(view.sizes)
        self.replays = bool(view.draw_count) or view.rules.exhausted_safety_replays
        self.hazards = sum(self.hand[Card.RED_LIGHT : GREEN_LIGHT])
        self.stands = not self.table.moving and not any(
            self.hand[card] for card in tables.needs(self.table) if card is not END_OF_LIMIT
        )
        self.finishes = any(
            self.hand[card] and km(card) == self.to_go for card in tables.accepts(self.table)
        )

    def worth(self, action: Action) -> int:
        card = action.card
        assert card is not None
        if action.verb is Verb.DISCARD:
            return -self.use(card, self.hand[card]) - self.gift(card)
        if action.team is not None:
            return self.attack(card, action.team)
        if card.is_safety:
            return self.expose(card)
        if card is END_OF_LIMIT:
            return 700 if any(self.hand[Card.D75 : Card.RED_LIGHT]) else 300  # km that wait for it
        return 600 if card.is_remedy else self.drive(card)

    def drive(self, card: Card) -> int:
        """Far is good; leaving a distance that the hand can drive exactly is better."""
        if km(card) == self.to_go:
            return 100_000
        left = self.to_go - km(card)
        if left <= 200 and self.can_total(left, card):
            return 650 + 2 * km(card)
        return 500 + 2 * km(card) if left > 50 else -60  # few cards help then; as it is, more do

    def can_total(self, total: int, played: Card) -> bool:
        """Whether distance cards in hand, less the one played, make exactly that."""
        rest = [km(card) for card in self.view.cards if card.is_distance]
        rest.remove(km(played))
        return any(sum(some) == total for n in range(1, 5) for some in combinations(rest, n))

    def attack(self, hazard: Card, team: int) -> int:
        """The leader first; an attack that nobody can answer rather than one that may backfire."""
        victim = self.view.tables[team]
        worth = 2500 if hazard is not SPEED_LIMIT else 600 if victim.moving else 300
        if hazard > SPEED_LIMIT:
            worth += 200  # a breakdown has one remedy only, a Red Light many
        if victim.km == max(table.km for table in self.rivals):
            worth += 300
        worth += victim.km // 10
        if self.unseen[SAFETY_FOR[hazard]]:
            return worth - 6000 // sum(self.unseen)  # a hand of six may hold it
        return worth + 200

    def expose(self, safety: Card) -> int:
        """A safety waits for its attack, unless it is needed now or the hand is about to end."""
        view, table = self.view, self.table
        if view.rules.safety_km == self.to_go:
            return 100_000
        if self.finishes:
            return 100_001 if self.replays and not view.rules.safety_km else 0  # 100 points more
        if self.replays and view.rules.family is Family.PLATEAU:
            return DRAWS
        in_force = [one for one in tables.hazards(table) if SAFETY_FOR[one] is safety]
        if any(not self.hand[hazard + REMEDY_SHIFT] for hazard in in_force):
            return FREES
        if not sum(self.unseen[one] for one, by in SAFETY_FOR.items() if by is safety):
            return LAST_CHANCE  # no such attack is left
        near = any(table.moving and view.target - table.km <= NEARLY_THERE for table in self.rivals)
        if near or self.turns < FEW_TURNS:
            return LAST_CHANCE
        starts = self.stands and not tables.stopped_by(table) and safety is Card.RIGHT_OF_WAY
        return STARTS if starts else HOLD

    def use(self, card: Card, copies: int) -> int:
        """What the last of so many copies of a card in hand is worth, from 0 up."""
        if card.is_safety:
            return 1000
        if card.is_distance:
            return self.use_of_distance(card, copies)
        if card.is_hazard:
            if all(tables.is_immune(table, card) for table in self.rivals):
                return 0
            return max(0, KEEP[self.view.rules.family][card] - 50 * max(0, self.hazards - 2))
        return self.use_of_remedy(card, copies)

    def use_of_distance(self, card: Card, copies: int) -> int:
        """Worth less for each card in hand that would be driven before it."""
        most = self.view.rules.max_200
        if km(card) > self.to_go:
            return 0
        laid = self.table.distance.count(Card.D200)
        if card is Card.D200 and most is not None and laid + copies > most:
            return 0
        safe_trip = self.view.rules.is_scored and not laid  # 300 points, still to be had
        worth = 200 if card is Card.D200 and not safe_trip else KEEP[self.view.rules.family][card]
        longer = [one for one in self.view.cards if card < one < Card.RED_LIGHT]
        before = copies - 1 + sum(km(one) <= self.to_go for one in longer)
        return max(0, worth - 25 * before)

    def use_of_remedy(self, remedy: Card, copies: int) -> int:
        """One is enough; none is needed if a safety does it or no hazard is left."""
        hazard = Card(remedy - REMEDY_SHIFT)
        safety = SAFETY_FOR[hazard]
        if tables.is_immune(self.table, hazard) or self.hand[safety]:
            return 30 if self.hand[safety] and safety is Card.RIGHT_OF_WAY else 0
        in_force = hazard in tables.hazards(self.table)
        uses = self.unseen[hazard] + in_force
        if remedy is GREEN_LIGHT:
            uses += not self.table.moving
            if self.view.rules.family is Family.CLASSIC:  # every breakdown needs one as well
                uses += sum(self.unseen[Card.OUT_OF_GAS : GREEN_LIGHT])
        if copies > uses:
            return 0
        if copies > 1:
            return 120 // copies if remedy is GREEN_LIGHT else 5
        return KEEP[self.view.rules.family][remedy] + 100 * in_force

    def gift(self, card: Card) -> int:
        """Express: what it costs to leave an open card that the next seat could play at once."""
        view = self.view
        team = view.seating.team_of[(view.seat + 1) % len(view.sizes)]
        given = team != view.team and card in tables.accepts(view.tables[team])
        return 150 if given and view.rules.family is Family.EXPRESS else 0

    def takes_open_card(self) -> bool:
        """Whether the open card is better than an unknown one."""
        card = self.view.discard_pile[-1]
        if card is None or card.is_safety:
            return card is not None
        worth = self.use(card, self.hand[card] + 1)
        if card in tables.accepts(self.table) and not (card.is_distance and self.hand[card]):
            worth += 250
        return worth > 220

    def should_extend(self) -> bool:
        """300 km more only far ahead, with half of the cards still to come."""
        return self.turns >= 15 and all(t.km <= 200 and not t.moving for t in self.rivals)


if __name__ == "__main__":
    run(KeeperBot())
