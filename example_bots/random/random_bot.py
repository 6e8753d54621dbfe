"""Plays any legal action, all equally likely. Whoever loses to it has a bug."""

import argparse
import os
import random

from arena_sdk import Action, Bot, Prompt, run


class RandomBot(Bot):
    def __init__(self, seed: str | None) -> None:
        self.random = random.Random(seed)

    def choose(self, prompt: Prompt) -> Action:
        return self.random.choice(prompt.legal)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", default=os.environ.get("ARENA_BOT_SEED"))
    run(RandomBot(options.parse_args().seed))
