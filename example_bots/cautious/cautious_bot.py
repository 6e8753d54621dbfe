"""Sensible rules: get going, drive far, stop the leader, keep safeties for their moment."""

from arena_sdk import Action, Bot, Card, Prompt, Stage, TableView, Verb, View, run

KM = {Card.D25: 25, Card.D50: 50, Card.D75: 75, Card.D100: 100, Card.D200: 200}

# Hazard, the remedy that ends it, and the safety that makes it harmless for ever.
TRIPLES = (
    (Card.RED_LIGHT, Card.GREEN_LIGHT, Card.RIGHT_OF_WAY),
    (Card.SPEED_LIMIT, Card.END_OF_LIMIT, Card.RIGHT_OF_WAY),
    (Card.OUT_OF_GAS, Card.GASOLINE, Card.EXTRA_TANK),
    (Card.FLAT_TIRE, Card.SPARE_TIRE, Card.PUNCTURE_PROOF),
    (Card.ACCIDENT, Card.REPAIRS, Card.DRIVING_ACE),
)
REMEDY_OF = {hazard: remedy for hazard, remedy, _ in TRIPLES}
SAFETY_OF = {card: safety for hazard, remedy, safety in TRIPLES for card in (hazard, remedy)}

FEW_CARDS = 12  # left in the draw pile: attacks to answer with a coup fourré will be rare
NEARLY_THERE = 200  # km to go: the hand may end before the safety finds its attack


class CautiousBot(Bot):
    def choose(self, prompt: Prompt) -> Action:
        view = prompt.view
        match prompt.kind:
            case Stage.RESPOND:
                return next(one for one in prompt.legal if one.verb is Verb.COUP_FOURRE)
            case Stage.DRAW:
                return next(one for one in prompt.legal if one.text == draw_from(view))
            case Stage.PLAY:
                return max(prompt.legal, key=lambda action: worth(view, action))
            case _:
                return prompt.default  # never extend; put the remedy on top


def draw_from(view: View) -> str:
    """Take an open card only if it can be played at once."""
    card = view.discard_pile[-1]
    wanted = card is not None and (card.is_safety or bool(view.table.accepts >> card & 1))
    return "draw discard" if wanted and card not in view.cards else "draw pile"


def worth(view: View, action: Action) -> float:
    """How good an action is; only the order of the numbers matters."""
    card = action.card
    assert card is not None
    if action.verb is Verb.DISCARD:
        return -use(view, card)
    if card.is_hazard:
        assert action.team is not None
        return attack(view, card, view.tables[action.team])
    if card.is_remedy:
        return 90 if card is Card.END_OF_LIMIT else 200
    if card.is_safety:
        return expose(view, card)
    return 1000 if KM[card] == to_go(view, view.table) else 50 + KM[card] / 4


def to_go(view: View, table: TableView) -> int:
    return view.target - table.km


def attack(view: View, card: Card, victim: TableView) -> float:
    """Stop whoever is ahead; a speed limit only slows down."""
    leads = victim.km == max(table.km for table in rivals_of(view))
    return (70 if card is Card.SPEED_LIMIT else 95) + (victim.km / 20 if leads else -30)


def expose(view: View, safety: Card) -> float:
    """A safety waits for its coup fourré, unless it is needed or the hand is nearly over."""
    table = view.table
    attacks = [Card(pile[-1]) for pile in (table.battle, table.speed) if pile]
    hurt = [card for card in attacks if card.is_hazard and SAFETY_OF[card] is safety]
    if any(REMEDY_OF[hazard] not in view.cards for hazard in hurt):
        return 180
    ending = min(to_go(view, other) for other in view.tables) <= NEARLY_THERE
    return 150 if ending or view.draw_count <= FEW_CARDS else -50


def use(view: View, card: Card) -> float:
    """How much a card in hand may still do, from 0 (nothing) up."""
    copies = view.cards.count(card)
    if card.is_safety:
        return 100
    if card.is_hazard:
        open_to_it = sum(not has(table, SAFETY_OF[card]) for table in rivals_of(view))
        return 12 if open_to_it else 0
    if card.is_remedy:
        if has(view.table, SAFETY_OF[card]) or SAFETY_OF[card] in view.cards:
            return 0
        return (25 if card is Card.GREEN_LIGHT else 15) / copies
    return 0 if not fits(view, card) else 5 + KM[card] / 10


def rivals_of(view: View) -> list[TableView]:
    return [table for team, table in enumerate(view.tables) if team != view.team]


def has(table: TableView, safety: Card) -> bool:
    return bool(table.safeties >> safety - Card.RIGHT_OF_WAY & 1)


def fits(view: View, card: Card) -> bool:
    """Whether a distance card can still be played in this hand."""
    most = view.rules.max_200
    used_up = card is Card.D200 and most is not None and view.table.distance.count(card) >= most
    return KM[card] <= to_go(view, view.table) and not used_up


if __name__ == "__main__":
    run(CautiousBot())
