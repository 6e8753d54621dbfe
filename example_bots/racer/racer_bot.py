"""Distance first, whatever happens: drives as far as it can, mends the car, and hurts nobody else.

Safeties go on the table as soon as they are drawn, attacks are thrown away. What it shows: how far
one gets (or does not) by looking at nothing but one's own car.
"""

from __future__ import annotations

from arena_sdk import KM, Action, Bot, Card, Prompt, Stage, run, tables


class RacerBot(Bot):
    def choose(self, prompt: Prompt) -> Action:
        match prompt.kind:
            case Stage.PLAY:
                return self.play(prompt)
            case Stage.RESPOND:
                return prompt.coup_fourre or prompt.default
            case Stage.DRAW:
                return self.draw(prompt)
            case Stage.EXTEND:
                return prompt.legal[0]  # 300 km more: who would stop here?
            case _:
                return prompt.default  # the remedy goes on top

    def play(self, prompt: Prompt) -> Action:
        """Drive far, else get the car ready to drive, else throw away what drives least."""
        if prompt.drives:
            return prompt.drives[-1]  # the longest
        if prompt.safeties:
            return prompt.safeties[0]  # and one plays again
        if prompt.remedies:
            return prompt.remedies[0]
        if prompt.discards:
            return min(prompt.discards, key=lambda action: self.use(prompt, action))
        return prompt.legal[0]  # forced play: nothing is left but an attack

    def draw(self, prompt: Prompt) -> Action:
        """Take the open card if the car needs it now."""
        card = prompt.view.discard_pile[-1]
        if card in tables.accepts(prompt.view.table) and card not in prompt.view.cards:
            return prompt.find("draw discard") or prompt.default
        return prompt.default

    def use(self, prompt: Prompt, action: Action) -> int:
        """What a card is still good for: attacks nothing, remedies something, km what they are."""
        card, view = action.card, prompt.view
        if card is None or card.is_hazard:
            return 0
        if card.is_distance:
            return KM[card] if KM[card] <= tables.to_go(view) else 1
        if card.is_remedy and view.cards.count(card) > 1 and card is not Card.GREEN_LIGHT:
            return 10  # one of a kind is enough
        return 90


if __name__ == "__main__":
    run(RacerBot())
