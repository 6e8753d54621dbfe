"""Attacks whenever it can, the leader above all, and drives when there is nothing to spoil.

It collects hazards, keeps its safeties for the coup fourré, and throws away short distances first.
What it shows: how much a game is decided by who may drive at all.
"""

from __future__ import annotations

from arena_sdk import KM, Action, Bot, Card, Prompt, Stage, View, run, tables


class SaboteurBot(Bot):
    def choose(self, prompt: Prompt) -> Action:
        match prompt.kind:
            case Stage.PLAY:
                return self.play(prompt)
            case Stage.RESPOND:
                return prompt.coup_fourre or prompt.default
            case Stage.DRAW:
                return self.draw(prompt)
            case _:
                return prompt.default  # never extend; the remedy goes on top

    def play(self, prompt: Prompt) -> Action:
        """Stop somebody, else look after the car, else throw away what spoils least."""
        view = prompt.view
        if prompt.attacks:
            return max(prompt.attacks, key=lambda action: self.harm(view, action))
        if prompt.remedies:
            return prompt.remedies[0]
        if tables.stopped_by(view.table) and prompt.safeties:
            return prompt.safeties[0]
        if prompt.drives:
            return prompt.drives[-1]  # the longest
        if prompt.discards:
            return min(prompt.discards, key=lambda action: self.use(view, action))
        return prompt.legal[0]  # forced play: nothing is left but a safety

    def harm(self, view: View, action: Action) -> tuple[int, bool]:
        """First whom it hurts, the leader most; then how: a stop is worse than a speed limit."""
        assert action.team is not None
        return view.tables[action.team].km, action.card is not Card.SPEED_LIMIT

    def draw(self, prompt: Prompt) -> Action:
        """An open hazard or safety is always welcome."""
        card = prompt.view.discard_pile[-1]
        if card is not None and (card.is_hazard or card.is_safety):
            return prompt.find("draw discard") or prompt.default
        return prompt.default

    def use(self, view: View, action: Action) -> int:
        """What a card is still good for: safeties and hazards most, a spare copy least."""
        card = action.card
        assert card is not None
        if card.is_safety:
            return 1000
        if card.is_hazard:
            open_to_it = [
                team
                for team in tables.rivals(view)
                if not tables.is_immune(view.tables[team], card)
            ]
            return 500 if open_to_it else 0
        if card.is_distance:
            return KM[card] if KM[card] <= tables.to_go(view) else 0
        return 120 if view.cards.count(card) == 1 else 20


if __name__ == "__main__":
    run(SaboteurBot())
