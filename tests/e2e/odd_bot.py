"""Bots that do one thing wrong. Which one is the argument: `python odd_bot.py sleeper`.

They rely on nothing of the SDK but `choose`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from arena.engine.actions import ACTIONS
from arena_sdk import Action, Bot, Prompt, Stage, Verb, run


class Plain(Bot):
    """Plays the first legal action."""

    def __init__(self) -> None:
        self.plays = 0

    def choose(self, prompt: Prompt) -> Action:
        self.plays += prompt.kind is Stage.PLAY
        return prompt.legal[0]


class Other(Plain):
    """Plays the last legal action, which is a discard."""

    def choose(self, prompt: Prompt) -> Action:
        return prompt.legal[-1]


class Attacker(Bot):
    """Attacks whenever it can."""

    def choose(self, prompt: Prompt) -> Action:
        return next((one for one in prompt.legal if one.team is not None), prompt.legal[0])


class Patient(Bot):
    """Gets going and stays so, answers attacks, keeps every safety for that."""

    def choose(self, prompt: Prompt) -> Action:
        return max(prompt.legal, key=self.urgency)

    @staticmethod
    def urgency(action: Action) -> int:
        if action.verb is Verb.COUP_FOURRE:
            return 3
        if action.card is None:
            return 0
        if action.card.is_safety:
            return -1
        return 2 if action.verb is Verb.PLAY and action.card.is_remedy else 1


class Random(Bot):
    """Any legal action, by the chance that it was given."""

    def choose(self, prompt: Prompt) -> Action:
        return self.rng.choice(prompt.legal)


class Sleeper(Plain):
    """Sleeps through its third play."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3 and prompt.kind is Stage.PLAY:
            time.sleep(prompt.time_limit + prompt.bank_left + 0.3)
        return action


class Napper(Plain):
    """Sleeps through its third play and several prompts after it."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3 and prompt.kind is Stage.PLAY:
            time.sleep(2 * prompt.time_limit + prompt.bank_left + 0.3)
        return action


class Slow(Plain):
    """Takes half a second for its first play of a match."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 1 and prompt.kind is Stage.PLAY:
            time.sleep(0.5)
        return action


class Dawdler(Patient):
    """Wants to answer every attack, and takes half a second for that."""

    def choose(self, prompt: Prompt) -> Action:
        if prompt.kind is Stage.RESPOND:
            time.sleep(0.5)
        return super().choose(prompt)


class Laggard(Plain):
    """Takes a second to start."""

    def __init__(self) -> None:
        super().__init__()
        time.sleep(1)


class Talker(Plain):
    """Notes a long line with each answer."""

    def choose(self, prompt: Prompt) -> Action:
        for number in range(3):
            self.note(f"{number}: {'x' * 100}")
        return super().choose(prompt)


class Witness(Plain):
    """Writes down where it is."""

    def __init__(self) -> None:
        super().__init__()
        here = {"folder": os.getcwd(), "first in PATH": os.environ["PATH"].split(os.pathsep)[0]}
        names = ("ARENA_ADDRESS", "ARENA_BOT_SEED", "ARENA_STRICT", "ARENA_TOKEN")
        found = {name: os.environ.get(name) for name in names}
        facts = {**here, **found, "input": sys.stdin.read(), "session": os.getsid(0) == os.getpid()}
        facts["process"] = os.getpid()
        sys.stdout.write(f"{json.dumps(facts)}\n")


class Quitter(Plain):
    """Leaves at its third play of the first game, as if all were well."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        if self.plays == 3 and prompt.game == 0:
            os._exit(0)
        return action


class Crasher(Plain):
    """Ends at its first prompt, with some last words."""

    def choose(self, prompt: Prompt) -> Action:
        sys.stderr.write("no more petrol\n")
        os._exit(7)


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


class Inveterate(Plain):
    """Never chooses what is legal."""

    def choose(self, prompt: Prompt) -> Action:
        return next(one for one in ACTIONS if one not in prompt.legal)


class Stubborn(Plain):
    """Does not want to end, and has a child that is out of sight."""

    def __init__(self) -> None:
        super().__init__()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        loop = "import signal, time\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(1000)"
        subprocess.Popen([sys.executable, "-c", loop], start_new_session=True)


class Murderer(Plain):
    """Kills the process of the referee at its third play, as often as its folder has a `knife`."""

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        knives = sorted(Path().glob("knife*"))
        if self.plays == 3 and knives:
            knives[0].unlink()
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(1000)
        return action


class Gatekeeper(Plain):
    """Waits at its third play for as long as its folder has a `gate`.

    The gate says how many of its lives may pass; who waits leaves a file `waiting` and one with the
    number of its life.
    """

    def __init__(self) -> None:
        super().__init__()
        with Path("lives").open("a+") as lives:
            lives.write("x")
            self.life = lives.tell()

    def choose(self, prompt: Prompt) -> Action:
        action = super().choose(prompt)
        while self.plays == 3 and self.must_wait():
            Path("waiting").touch()
            Path(f"waiting-{self.life}").touch()
            time.sleep(0.02)
        return action

    def must_wait(self) -> bool:
        try:
            return self.life > int(Path("gate").read_text())
        except FileNotFoundError:
            return False


ODD = {
    kind.__name__.lower(): kind
    for kind in (
        Attacker,
        Clumsy,
        Crasher,
        Dawdler,
        Gatekeeper,
        Inveterate,
        Laggard,
        Liar,
        Murderer,
        Napper,
        Other,
        Patient,
        Plain,
        Quitter,
        Random,
        Sleeper,
        Slow,
        Stubborn,
        Talker,
        Witness,
    )
}


def once() -> bool:
    """Whether this is the first start of all in this folder."""
    try:
        Path("started").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


if __name__ == "__main__":
    who = sys.argv[1]
    if who == "broken" or (who == "once" and not once()):
        sys.stdout.write("about to import\n")
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    if who == "mute":
        time.sleep(1000)
    run(ODD.get(who, Plain)())
    if who == "stubborn":
        time.sleep(1000)
