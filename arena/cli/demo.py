"""`arena demo`: a first look, in the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.rule import Rule
from rich.text import Text

from arena.cli.match import play_and_report
from arena.cli.output import results
from arena.cli.showing import Show
from arena.engine.actions import PASS, Action, Verb
from arena.engine.deal import Board, seed_from_text, sub_key
from arena.engine.playthrough import Deal, Decision, Playthrough
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import start_game
from arena.engine.seating import make_seating

if TYPE_CHECKING:
    from arena.app import MatchSpec
    from arena.referee.events import Effect

__all__ = ["demo"]

BOTS: Final = ("cautious", "random")
SEED: Final = "1000 bornes"


INTRODUCTION: Final = """\
[bold]Mille Bornes[/bold] is a race of 1000 km with cards. A Green Light starts the car, distance \
cards (D25 to D200) drive it. Hazards (RED_LIGHT, SPEED_LIMIT, OUT_OF_GAS, FLAT_TIRE, ACCIDENT) \
stop or slow an opponent until the remedy is played. A safety makes immune to its hazard for ever; \
played at the very moment of the attack it is a [bold white on red]coup fourré[/], worth 300 \
points and the next turn. Hands are added up to 5000 points.

Below, each action is followed by the hand that it was chosen from and by the tables after it: \
km in green for a car that rolls, in red for one that stands, and what lies on top of its piles. \
`play X on 1` lays a hazard on the table of team 1.
"""
NEXT: Final = """\
What next: [cyan]arena match cautious random --games 20[/cyan] for more of it, sdk/README.md to \
write a bot, arena/engine/README.md for the rules.
"""


def demo(
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, max=1000, help="Games of the match.")
    ] = 4,
    seed: Annotated[str, typer.Option(help="Any text; the same one deals the same cards.")] = SEED,
) -> None:
    """Watch two bots play, and one hand of each of the other games.

    Plays a match between two example bots, each in a process of its own over the real protocol, and
    shows the hand with most coups fourrés action by action. Then, in brief, a hand of express and
    one of plateau between random players.
    """
    console = results()
    console.print(Text.from_markup(INTRODUCTION))
    watched = _Watched()
    spec = play_and_report(BOTS, games=games, seed=seed, watch=watched.watch)
    game, hand = watched.best_hand()
    console.print(Rule(f"game {game + 1}, hand {hand + 1}, the one with most coups fourrés"))
    show = Show(console, _names_by_seat(game))
    show.play(_replayed(spec, game, hand, watched.hands[game, hand]))
    for preset in ("express", "plateau"):
        console.print(Rule(f"{preset} in brief: two random players, seed {seed!r}"))
        Show(console, ("seat 0", "seat 1"), brief=True).play(random_hand(preset, 2, seed))
    console.print(Text.from_markup(NEXT))


@dataclass
class _Watched:
    """The decisions of every hand of a match, as the referee made them."""

    hands: dict[tuple[int, int], list[Decision]] = field(default_factory=dict)

    def watch(self, effect: Effect) -> None:
        from arena.referee.events import Played

        if isinstance(effect, Played):
            decision = Decision(effect.seat, effect.action)
            self.hands.setdefault((effect.game, effect.hand), []).append(decision)

    def best_hand(self) -> tuple[int, int]:
        """Game and number of the hand with most coups fourrés; of several, the shortest."""
        return max(self.hands, key=lambda key: _attraction(self.hands[key]))


def _names_by_seat(game: int) -> tuple[str, ...]:
    """Who sits where in a game: everybody moves one seat on after each."""
    return tuple(BOTS[(seat - game) % len(BOTS)] for seat in range(len(BOTS)))


def _attraction(decisions: list[Decision]) -> tuple[int, int]:
    coups = sum(decision.action.verb is Verb.COUP_FOURRE for decision in decisions)
    return coups, -len(decisions)


def _replayed(spec: MatchSpec, game: int, hand: int, decisions: list[Decision]) -> Playthrough:
    """A hand of a match as a playthrough, without the passes of seats that had no choice.

    The referee asks also who cannot answer, so that being asked tells nothing; replayed, a window
    opens only for who can.
    """
    players = spec.seating.players
    first_dealer = start_game(spec.rules, len(spec.seating.teams), players).dealer
    start = Playthrough(
        title=f"game {game + 1}, hand {hand + 1}",
        preset=spec.rules.preset,
        options=tuple(spec.rules.changed_options().items()),
        teams=spec.seating.teams,
        dealer=(first_dealer + hand) % players,
        start=Deal(seed=sub_key(spec.seed, f"board/{game}"), hand=hand),
    )
    state = start.first_state()
    kept = []
    for decision in decisions:
        if decision.action is PASS and PASS not in legal(state, decision.seat):
            continue
        apply(state, decision.seat, decision.action)
        kept.append(decision)
    return start.with_decisions(kept)


def random_hand(preset: str, players: int, seed: str) -> Playthrough:
    """A hand of `preset` in which everybody plays at random."""
    board = Board(seed_from_text(seed))
    rules = make_ruleset(preset, players=players)
    seating = make_seating(rules, players)
    start = Playthrough(
        title=f"{preset}, {players} random players",
        preset=preset,
        options=(),
        teams=seating.teams,
        dealer=start_game(rules, players, players).dealer,
        start=Deal(seed=board.seed),
    )
    state = start.first_state()
    rng = Random(sub_key(board.seed, f"players/{preset}"))
    decisions = []
    while not state.over:
        seat = asked(state)[0]
        action: Action = rng.choice(legal(state, seat))
        apply(state, seat, action)
        decisions.append(Decision(seat, action))
    return start.with_decisions(decisions)
