"""Bots that do one thing wrong. Which one is the argument: `python odd_bot.py sleeper`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

from arena.engine.actions import ACTIONS
from arena_sdk import Action, Bot, Prompt, Stage, Verb, run


def first_attack(prompt: Prompt) -> Action:
    return next((action for action in prompt.legal if action.team is not None), prompt.legal[0])


def patient(prompt: Prompt) -> Action:
    """Get going and stay so, answer attacks, keep every safety for that."""

    def urgency(action: Action) -> int:
        if action.verb is Verb.COUP_FOURRE:
            return 3
        if action.card is None:
            return 0
        if action.card.is_safety:
            return -1
        return 2 if action.verb is Verb.PLAY and action.card.is_remedy else 1

    return max(prompt.legal, key=urgency)


class Plain(Bot):
    """Plays the first legal action."""

    def __init__(self) -> None:
        self.plays = 0

    def choose(self, prompt: Prompt) -> Action:
        self.plays += prompt.kind is Stage.PLAY
        return prompt.legal[0]


class Sleeper(Plain):
    """Sleeps through its third play."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3 and prompt.kind is Stage.PLAY:
            time.sleep(prompt.time_limit + prompt.bank_left + 0.3)
        return action


class Snorer(Plain):
    """Sleeps through the last plays of a hand, so that it wakes up after the match."""

    def choose(self, prompt: Prompt) -> Action:
        if prompt.view.draw_count < 4:
            time.sleep(prompt.time_limit + 0.2)
        return super().choose(prompt)


class Napper(Plain):
    """Sleeps through its third play and several prompts after it."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3 and prompt.kind is Stage.PLAY:
            time.sleep(1.5)
        return action


class Witness(Plain):
    """Writes down where it is."""

    def __init__(self) -> None:
        super().__init__()
        here = {"folder": os.getcwd(), "first in PATH": os.environ["PATH"].split(os.pathsep)[0]}
        found = {name: os.environ.get(name) for name in ("ARENA_ADDRESS", "ARENA_BOT_SEED")}
        facts = {**here, **found, "input": sys.stdin.read(), "session": os.getsid(0) == os.getpid()}
        sys.stdout.write(f"{json.dumps(facts)}\n")


class Quitter(Plain):
    """Leaves at its third play of the first game, as if all were well."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3 and prompt.game == 0:
            os._exit(0)
        return action


class Dawdler(Bot):
    """Wants to answer every attack, and is always too late."""

    def choose(self, prompt: Prompt) -> Action:
        if prompt.kind is Stage.RESPOND:
            time.sleep(prompt.time_limit * 2)
        return patient(prompt)


class Attacker(Bot):
    """Attacks whenever it can."""

    def choose(self, prompt: Prompt) -> Action:
        return first_attack(prompt)


class Clumsy(Plain):
    """Fails at its third play."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3:
            raise RuntimeError("dropped all my cards")
        return action


class Liar(Plain):
    """Chooses what is not legal at its third play."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        illegal = next(one for one in ACTIONS if one not in prompt.legal)
        return illegal if self.plays == 3 and prompt.kind is Stage.PLAY else action


class Stubborn(Plain):
    """Does not want to end, and has a child that is out of sight."""

    def __init__(self) -> None:
        super().__init__()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        loop = "import signal, time\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(1000)"
        subprocess.Popen([sys.executable, "-c", loop], start_new_session=True)


ODD = {
    kind.__name__.lower(): kind
    for kind in (
        Plain,
        Sleeper,
        Snorer,
        Napper,
        Witness,
        Quitter,
        Dawdler,
        Attacker,
        Clumsy,
        Liar,
        Stubborn,
    )
}

if __name__ == "__main__":
    who = sys.argv[1]
    if who == "broken":
        sys.stdout.write("about to import\n")
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    if who == "mute":
        time.sleep(1000)
    run(ODD[who]())
    if who == "stubborn":
        time.sleep(1000)
