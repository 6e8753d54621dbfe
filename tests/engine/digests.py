"""A digest of whole games; as a program (`python -m tests.engine.digests`) it prints one.

Nothing here may depend on the order of a set or on a hash, so two runs differ only if the engine
does.
"""

from __future__ import annotations

import hashlib
import sys
from random import Random

from arena.engine.deal import Board, seed_from_text
from arena.engine.flow import start_hand
from arena.engine.rulesets import PRESETS, RuleSet, make_ruleset
from arena.engine.scoring import Length, after_hand, hand_result, start_game
from arena.engine.seating import make_seating
from arena.engine.state import HandState, make_frame
from arena.engine.view import determinize, public_view, view
from tests.engine.games import moves, random_setups

HANDS_PER_GAME = 3


def contents(state: HandState) -> str:
    """Everything in a state, spelled out (of the frame only what was put into it)."""
    names = [name for name in HandState.__slots__ if name != "frame"]
    frame = (state.rules, state.seating, state.frame.dealer, state.frame.scores)
    return f"{frame!r}\n" + "\n".join(f"{name} {getattr(state, name)!r}" for name in names)


def digest_of_games(seed: str) -> str:
    """Play a game of every preset and size, and hands of random rule sets; digest all of it."""
    total = hashlib.sha256()
    for preset in PRESETS:
        for players in (2, 3, 4):
            rules = make_ruleset(preset, players=players)
            total.update(_game(rules, players, f"{seed} {preset} {players}").encode())
    for setup in random_setups(len(seed), 25):
        total.update(_hand(setup.start(), Random(setup.seed)).encode())
    return total.hexdigest()


def _game(rules: RuleSet, players: int, seed: str) -> str:
    board, rng = Board(seed_from_text(seed)), Random(seed)
    seating = make_seating(rules, players)
    game = start_game(rules, len(seating.teams), players)
    told = []
    for number in range(HANDS_PER_GAME):
        frame = make_frame(rules, seating, dealer=game.dealer, scores=game.totals)
        state = start_hand(
            frame,
            board.deck_order(number, rules.deck(players)),
            striped=number == 1,
            ask_all=number > 0,
            chance=board.reshuffle_key(number),
        )
        told.append(_hand(state, rng))
        game = after_hand(game, rules, players, hand_result(state), Length(HANDS_PER_GAME))
        told.append(f"{hand_result(state)!r} {game!r}")
    return "\n".join(told)


def _hand(state: HandState, rng: Random) -> str:
    told = []
    for move in moves(state, rng):
        told.append(f"{move.seat} {move.action}")
        if rng.random() < 0.05:
            seen = view(move.state, rng.randrange(state.players))
            told.append(f"{tuple(seen)!r}\n{seen.history!r}\n{seen.unseen!r}")
            told.append(contents(determinize(seen, rng)))
    told.append(f"{contents(state)}\n{public_view(state).history!r}")
    return "\n".join(told)


if __name__ == "__main__":
    sys.stdout.write(digest_of_games(" ".join(sys.argv[1:])))
