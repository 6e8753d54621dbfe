"""Any legal action, all equally likely. Whoever loses to it has a bug."""

from __future__ import annotations

from arena_sdk import Action, Bot, Prompt, run


class RandomBot(Bot):
    def choose(self, prompt: Prompt) -> Action:
        return self.rng.choice(prompt.legal)


if __name__ == "__main__":
    run(RandomBot())
