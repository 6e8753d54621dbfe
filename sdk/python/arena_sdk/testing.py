"""For a bot's own tests: hands and prompts without a referee, and without its clock.

    from arena_sdk.testing import play_game, prompts

    for prompt in prompts(Stage.RESPOND, hands=50):
        assert MyBot().choose(prompt) in prompt.legal
    play_game([MyBot(), MyBot()], rules="express", seed=7)

What a bot raises is raised here, in its questions and in its hooks, and an action that is not legal
is an `IllegalAction`. The same seed deals the same cards, and gives each bot the same `rng`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from arena.engine.actions import COUP_FOURRE, PASS, Action
from arena.engine.cards import SAFETY_FOR, Card
from arena.engine.deal import Board, seed_from_text
from arena.engine.flow import start_hand
from arena.engine.rules import apply, asked, default_action
from arena.engine.rulesets import RuleSet, make_ruleset
from arena.engine.scoring import GameState, Length, after_hand, hand_result, start_game
from arena.engine.seating import make_seating
from arena.engine.state import NOBODY, HandState, Stage, make_frame
from arena.engine.view import View, public_view, view
from arena_sdk._bot import Bot
from arena_sdk._failures import Failures
from arena_sdk._player import Player
from arena_sdk._prompt import Prompt
from arena_sdk._values import (
    FaultBudget,
    HandResult,
    Knowledge,
    MatchResult,
    Outcome,
    TimeControl,
    Welcome,
    WindowMode,
)

__all__ = ["play_game", "play_hand", "prompts"]

_TIME: Final = TimeControl()


def play_hand(
    bots: Sequence[Bot], *, rules: RuleSet | str = "classic", seed: object = 0
) -> HandResult:
    """Play one hand between `bots`, by seat, and return its result with all public events.

    Args:
        bots: As many as play; with 4 or 6 in the classic game, partners sit across.
        rules: A rule set, or the name of a preset.
        seed: Anything with a text; the same one deals the same cards.

    Raises:
        RuleSetError: there is no such preset, or so many bots cannot play it.
        IllegalAction: a bot answered with something that is not legal.
        Exception: whatever a bot raises.
    """
    (result,) = play_game(bots, rules=rules, seed=seed, hands=1)
    return result


def play_game(
    bots: Sequence[Bot],
    *,
    rules: RuleSet | str = "classic",
    seed: object = 0,
    hands: int | None = None,
    window_mode: WindowMode = WindowMode.PROMPT,
) -> tuple[HandResult, ...]:
    """Play a game between `bots` and return the results of its hands (see `play_hand`).

    `hands` None plays what the rules call a game: to the match points, or a single hand. Where
    `window_mode` is STANDING, standing orders decide about coups fourrés.
    """
    if isinstance(rules, str):
        rules = make_ruleset(rules, players=len(bots))
    table = _Table(bots, rules, str(seed), window_mode)
    return table.play(Length(hands))


def prompts(
    *kinds: Stage,
    rules: RuleSet | str = "classic",
    players: int = 2,
    seed: object = 0,
    hands: int = 10,
) -> Iterator[Prompt]:
    """The questions of some hands, as the seats that are asked get them; only of `kinds`, if named.

    Everybody plays at random, but rather drives than throws away.

    Raises:
        RuleSetError: there is no such preset, or so many cannot play it.
        LookupError: not one such question came up.
    """
    found: list[Prompt] = []
    seats = [_Anybody(found) for _ in range(players)]
    play_game(seats, rules=rules, seed=seed, hands=hands)
    wanted = [prompt for prompt in found if not kinds or prompt.kind in kinds]
    if not wanted:
        names = " or ".join(kind.name for kind in kinds)
        raise LookupError(f"no {names} in {hands} hands; play more of them, or by other rules")
    yield from wanted


class _Anybody(Bot):
    """Plays at random and keeps what it is asked."""

    def __init__(self, found: list[Prompt]) -> None:
        self._found = found

    def choose(self, prompt: Prompt) -> Action:
        self._found.append(prompt)
        pools = (prompt.drives, prompt.remedies, prompt.attacks, prompt.legal)
        return self.rng.choice(self.rng.choice([pool for pool in pools if pool]))


class _Raise(Failures):
    """In a test nothing is played for a bot that fails."""

    def take(self, method: str, error: Exception) -> None:
        raise error


class _Table:
    """A game between bots in this process: the referee's part of it, without time."""

    def __init__(self, bots: Sequence[Bot], rules: RuleSet, seed: str, mode: WindowMode) -> None:
        self._rules = rules
        self._seating = make_seating(rules, len(bots))
        self._board = Board(seed_from_text(seed))
        self._mode = mode
        self._players = [
            Player(bot, failures=_Raise(), seed=f"{seed}/{seat}") for seat, bot in enumerate(bots)
        ]
        self._seen = [0] * len(bots)  # events of this hand that a seat was shown
        self._orders: list[tuple[Card, ...]] = [()] * len(bots)

    def play(self, length: Length) -> tuple[HandResult, ...]:
        for seat, player in enumerate(self._players):
            player.welcome(self._welcome(seat))
        players = len(self._players)
        game = start_game(self._rules, len(self._seating.teams), players)
        results = []
        while not game.over:
            state = self._play_hand(game)
            game = after_hand(game, self._rules, players, hand_result(state), length)
            results.append(self._end_hand(state, game))
        for seat, player in enumerate(self._players):
            player.match_over(self._match_result(seat, game.winner))
        return tuple(results)

    def _play_hand(self, game: GameState) -> HandState:
        players = len(self._players)
        frame = make_frame(self._rules, self._seating, dealer=game.dealer, scores=game.totals)
        state = start_hand(
            frame,
            self._board.deck_order(game.hands, self._rules.deck(players)),
            striped=True,
            ask_all=self._mode is not WindowMode.STANDING,
            chance=self._board.reshuffle_key(game.hands),
        )
        self._seen = [0] * players
        self._orders = [()] * players
        while not state.over:
            seat = asked(state)[0]
            if state.stage == Stage.RESPOND and self._mode is WindowMode.STANDING:
                apply(state, seat, self._ordered(state, seat))
            else:
                apply(state, seat, self._answer(state, seat, game.hands))
        return state

    def _answer(self, state: HandState, seat: int, hand: int) -> Action:
        seen = view(state, seat, self._seen[seat])
        self._seen[seat] = seen.event_count
        responds = seen.stage is Stage.RESPOND
        prompt = Prompt(
            view=seen,
            legal=seen.legal,
            default=default_action(state, seat),
            time_limit=_TIME.response_window if responds else _TIME.turn,
            bank_left=_TIME.bank,
            game=0,
            hand=hand,
        )
        player = self._players[seat]
        action = player.answer(prompt)
        self._orders[seat] = player.orders(prompt)
        player.write_notes()
        return action

    def _ordered(self, state: HandState, seat: int) -> Action:
        """What a seat's standing orders say about an attack that it could answer."""
        attack = Card(state.attack)
        return COUP_FOURRE[SAFETY_FOR[attack]] if attack in self._orders[seat] else PASS

    def _end_hand(self, state: HandState, game: GameState) -> HandResult:
        """Tell every bot of the last hand's end, and return what everybody knows of it."""

        def told(seen: View) -> HandResult:
            return HandResult.of(
                hand_result(state),
                game=0,
                hand=game.hands - 1,
                scores=game.totals,
                game_over=game.over,
                game_winner=game.winner,
                events=seen.history,
            )

        for seat, player in enumerate(self._players):
            player.hand_over(told(view(state, seat, self._seen[seat])))
        return told(public_view(state))

    def _welcome(self, seat: int) -> Welcome:
        return Welcome(
            seat=seat,
            seating=self._seating,
            rules=self._rules,
            time=_TIME,
            window_mode=self._mode,
            faults=FaultBudget(),
            knowledge=Knowledge(
                discards_face_down=not self._rules.discard_visible,
                striped_draw=True,
                frozen_between_prompts=False,
            ),
            game=0,
            games=1,
        )

    def _match_result(self, seat: int, winner: int) -> MatchResult:
        return MatchResult(
            games=1,
            won=int(winner == self._seating.team_of[seat]),
            drawn=int(winner == NOBODY),
            outcome=Outcome.COMPLETED,
        )
