"""A second referee: a whole hand by the rulings, slow, on lists of card names.

It runs beside the engine, action by action, and must agree on everything: piles, hands, who is
asked what, what is legal, when the hand is over and who has won. It shares with the engine the rule
set's fields and the byte-exact shuffle of `deal.reshuffled`, nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arena.engine.cards import CARDS, Card
from arena.engine.deal import reshuffled
from tests.engine.games import Setup
from tests.engine.reference import (
    KM,
    REMEDY,
    SAFETIES,
    SAFETY,
    actions_of,
    is_limited,
    km_of,
    plays_of,
    stopping_attack,
)

CIRCLING_ROUNDS: Final = 10
"""X17's "cap on turns", which the ruling leaves open; see `flow`."""
ROW: Final = "RIGHT_OF_WAY"


class Model:
    """A hand in play. `apply` takes the texts of actions."""

    def __init__(self, setup: Setup) -> None:
        self.rules = rules = setup.rules
        self.teams = setup.teams
        self.players = players = setup.players
        self.team_of = [
            next(team for team, seats in enumerate(self.teams) if seat in seats)
            for seat in range(players)
        ]
        self.express = rules.family == "express"
        self.plateau = rules.family == "plateau"
        self.ask_all = setup.ask_all
        self.key = setup.chance
        self.target = rules.target
        self.extended_by: int | None = None
        self.discard: list[tuple[str, int | None]] = []  # with the only seat that has seen it
        self.known: list[list[str]] = [[] for _ in range(players)]
        started = self.plateau and not rules.plateau_green_light_to_start  # P02
        self.tables = [_empty_table(started=started) for _ in self.teams]
        self.kind = "play"
        self.due = 0
        self.attack: str | None = None
        self.attacked: int | None = None
        self.waiting: set[int] = set()
        self.after_extension = self.end_turn
        self.reason: str | None = None
        self.winner: int | None = None
        self.reshuffles = 0
        self.may_reshuffle_again = True
        self.pile_ran_out = False
        self.dry_start = False
        self.turns: list[tuple[bool, bool]] = []  # each turn: any progress, progress for good
        self.progress = self.lasting = False
        self.allowed: dict[tuple[object, ...], tuple[int, int]] = {}  # for `agreement`
        self.log: list[tuple[str, int, str | None]] = []
        self._deal(setup)

    def _deal(self, setup: Setup) -> None:
        """K08, E02: one at a time, beginning left of the dealer (R02, X21, P12)."""
        deck = [CARDS[code].name for code in setup.order]
        first = (setup.dealer + 1) % self.players
        size = 4 if self.express else 6
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        for at in range(size * self.players):
            self.hands[(first + at) % self.players].append(deck.pop(0))
        self.striped = setup.striped
        self._set_pile(deck)
        self.begin_turn(first)

    def _set_pile(self, cards: list[str]) -> None:
        """One pile, or a stripe per seat, dealt one card at a time."""
        stripes = self.players if self.striped else 1
        self.piles = [cards[stripe::stripes] for stripe in range(stripes)]
        self.pile_ran_out = self.pile_ran_out or not cards

    # -- asking ---------------------------------------------------------------------------

    def asked(self) -> list[int]:
        if self.kind == "respond":
            return sorted(self.waiting)
        return [] if self.kind == "over" else [self.turn]

    def legal(self, seat: int) -> set[str]:
        if seat not in self.asked():
            return set()
        if self.kind == "draw":
            return {"draw pile", "draw discard"}
        if self.kind == "extend":
            return {"extend", "stop"}
        if self.kind == "play":
            team = self.team_of[seat]
            return actions_of(self.rules, self.target, self.tables, team, self.hands[seat])
        assert self.attack is not None
        if self.kind == "top":
            return {f"top {self.attack}", f"top {REMEDY[self.attack]}"}
        answer = SAFETY[self.attack]
        return {"pass"} | ({f"coup_fourre {answer}"} if answer in self.hands[seat] else set())

    # -- turns and draws ------------------------------------------------------------------

    @property
    def left(self) -> int:
        return sum(map(len, self.piles))

    def begin_turn(self, seat: int) -> None:
        self.turn = seat
        self.draw(1)

    def draw(self, due: int, *, own_draw: bool = True) -> None:
        """Draw `due` cards, asking where both piles may be drawn from (X03, X12); then play.

        `own_draw`: the last one is the turn's own draw, with which the turn begins (R17, R28).
        """
        self.due = due
        while self.due:
            if own_draw:
                self.dry_start = self.left == 0
            self._reshuffle_if_allowed()
            sources = self._sources()
            if len(sources) == 2:
                self.kind = "draw"
                return
            if not sources:
                break
            self._take(sources[0])
            self.due -= 1
        self.due = 0
        self.kind = "play"
        if not self.hands[self.turn]:
            self.end_turn()  # R24

    def _sources(self) -> list[str]:
        sources = ["pile"] if self.left else []
        option = self.rules.express_exhausted_draw
        if self.express and self.discard and (self.left or option == "discard"):  # X03, X16
            sources += [] if self._has_stalled() else ["discard"]
        return sources

    def _has_stalled(self) -> bool:
        """X17: for so many rounds nobody has drawn from the pile or exposed a card."""
        if self.progress:
            return False
        rounds = self.rules.express_stall_rounds
        any_kind = _length_of_tail([progress for progress, _ in self.turns])
        if rounds and any_kind >= rounds * self.players:
            return True
        lasting = _length_of_tail([lasting for _, lasting in self.turns])
        return not self.lasting and lasting >= max(CIRCLING_ROUNDS, rounds) * self.players

    def _take(self, source: str) -> None:
        if source == "discard":
            card, only = self.discard.pop()
            if only is None:
                self.known[self.turn].append(card)
            self.log.append(("taken", self.turn, card))
        else:
            card = self._from_pile()
            self.pile_ran_out = self.pile_ran_out or not self.left
            self.progress = self.lasting = True
            self.log.append(("drawn", self.turn, card))
        self.hands[self.turn].append(card)

    def _from_pile(self) -> str:
        """One's own stripe; the longest other one when it is empty, of equals the next left."""
        if not self.striped:
            return self.piles[0].pop(0)
        own = self.piles[self.turn]
        if own:
            return own.pop(0)
        longest = max(map(len, self.piles))
        at = self.turn
        while len(self.piles[at]) < longest:
            at = (at + 1) % self.players
        return self.piles[at].pop(0)

    def _can_reshuffle(self) -> bool:
        """R27, X16, P11; again only after a distance card or safety was played (see `flow`)."""
        wanted = (
            self.rules.reshuffle
            or self.rules.express_exhausted_draw == "reshuffle"
            or self.rules.plateau_exhaustion == "reshuffle"
        )
        return wanted and not self.left and bool(self.discard) and self.may_reshuffle_again

    def _reshuffle_if_allowed(self) -> None:
        if not self._can_reshuffle():
            return
        cards = bytes(Card[name] for name, _ in self.discard)
        self.discard = []
        pile = reshuffled(cards, self.key, self.reshuffles)
        self.reshuffles += 1
        self.may_reshuffle_again = False
        self._set_pile([CARDS[code].name for code in pile])
        self.log.append(("reshuffled", self.turn, None))

    def end_turn(self) -> None:
        self.turns.append((self.progress, self.lasting))
        self.progress = self.lasting = False
        following = (self.turn + 1) % self.players
        everywhere = [card for cards in (*self.hands, *self.piles) for card in cards]
        if self.express and not any(card in KM for card in everywhere):
            self.finish("exhausted", self.leader())  # X15
        elif not everywhere:
            self.finish("exhausted", self.leader())  # R25
        elif self._can_reshuffle() or self._sources() or self.left:
            self.begin_turn(following)
        elif not any(map(self._can_play, range(self.players))):
            self.finish("blocked", self.leader())  # R25
        else:
            while not self.hands[following]:
                following = (following + 1) % self.players  # R24
            self.begin_turn(following)

    def _can_play(self, seat: int) -> bool:
        team = self.team_of[seat]
        return bool(plays_of(self.rules, self.target, self.tables, team, self.hands[seat]))

    def leader(self) -> int | None:
        """X15, P11: most km; X18: a tie has no winner; the classic game counts points."""
        km = [km_of(table) for table in self.tables]
        if self.rules.family == "classic" or km.count(max(km)) > 1:
            return None
        return km.index(max(km))

    def finish(self, reason: str, winner: int | None) -> None:
        self.kind, self.reason, self.winner = "over", reason, winner

    # -- actions --------------------------------------------------------------------------

    def apply(self, seat: int, text: str) -> None:
        """Play a legal action."""
        verb, card, team = _words(text)
        if verb == "draw":
            self.due -= 1
            due = self.due
            self._take(card)
            self.draw(due, own_draw=False)
        elif verb == "pass":
            self.waiting.discard(seat)
            if not self.waiting:
                self.end_turn()
        elif verb in ("extend", "stop"):
            self._answer_extension(verb)
        elif verb == "top":
            self._clear(self._covered(), hazard_on_top=card == self.attack)
            self.log.append(("topped", seat, card))
            self.end_turn()
        else:
            self._lay(verb, seat, card, team)

    def _lay(self, verb: str, seat: int, card: str, team: int | None) -> None:
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)
        table = self.tables[self.team_of[seat]]
        names = {"play": "played", "discard": "discarded", "coup_fourre": "coup_fourre"}
        self.log.append((names[verb] if team is None else f"laid_on_{team}", seat, card))
        if verb == "discard":
            self.discard.append((card, None if self.rules.discard_visible else seat))  # R05
            self.end_turn()
            return
        self.progress = True
        if self.plateau:
            self.discard.append((card, None))  # P09
        if team is not None:
            self._attack(team, card)
        elif card in KM:
            self._drive(table, card)
        elif card in SAFETIES:
            self._expose(seat, table, card, coup_fourre=verb == "coup_fourre")
        else:
            self._remedy(table, card)

    def _drive(self, table: dict[str, Any], card: str) -> None:
        table["distance"].append(card)
        self.lasting = self.may_reshuffle_again = True
        if km_of(table) == self.target:
            self._reach_target(self.end_turn)
        else:
            self.end_turn()

    def _reach_target(self, go_on: Any) -> None:
        """K42, X10, B14; R32: the first side at exactly 700 is asked."""
        if self.rules.extension and self.extended_by is None:
            self.kind, self.after_extension = "extend", go_on
        else:
            self.finish("target", self.team_of[self.turn])

    def _answer_extension(self, verb: str) -> None:
        self.log.append(("extended" if verb == "extend" else "stopped", self.turn, None))
        if verb == "stop":
            self.finish("target", self.team_of[self.turn])
            return
        self.extended_by = self.team_of[self.turn]
        self.target = 1000
        self.after_extension()

    def _remedy(self, table: dict[str, Any], card: str) -> None:
        pile = table["speed" if card == "END_OF_LIMIT" else "battle"]
        covers = is_limited(table) if card == "END_OF_LIMIT" else stopping_attack(table)
        if self.plateau:
            pile.clear()  # P05, P09: the token goes
            table["started"] = table["started"] or card == "GREEN_LIGHT"  # P02
        elif not self.express:
            pile.append(card)  # R10, K29
            table["started"] = table["started"] or card != "END_OF_LIMIT"
        elif not covers:
            pile.append(card)  # X06: the Green Light that starts the car stays
            table["started"] = self.lasting = True
        else:
            self.attack = pile[-1]
            pile.append(card)
            if self.rules.top_choice:
                self.kind = "top"  # X20
                return
            self._clear(pile, hazard_on_top=False)
        self.end_turn()

    def _covered(self) -> list[str]:
        table = self.tables[self.team_of[self.turn]]
        pile: list[str] = table["speed" if self.attack == "SPEED_LIMIT" else "battle"]
        return pile

    def _clear(self, pile: list[str], *, hazard_on_top: bool) -> None:
        """X06: the whole pile is discarded, the parade on top, or by X20 the attack."""
        order = [*pile[:-2], pile[-1], pile[-2]] if hazard_on_top else pile
        self.discard += [(card, None) for card in order]
        pile.clear()

    def _attack(self, team: int, card: str) -> None:
        table = self.tables[team]
        table["speed" if card == "SPEED_LIMIT" else "battle"].append(card)
        holders = {seat for seat in self.teams[team] if SAFETY[card] in self.hands[seat]}
        if holders or (self.ask_all and self._may_hold(team, SAFETY[card])):
            self.kind, self.attack, self.attacked = "respond", card, team
            self.waiting = set(self.teams[team]) if self.ask_all else holders  # R16, R19
        else:
            self.end_turn()

    def _may_hold(self, team: int, safety: str) -> bool:
        """Whether, as far as everybody can see, the only copy may be in the team's hands."""
        seats = self.teams[team]
        if any(safety in self.known[seat] for seat in seats):
            return True
        if all(len(self.hands[seat]) == len(self.known[seat]) for seat in seats):
            return False  # none of its cards is a secret, or it has none
        open_cards = [card for card, only in self.discard if only is None]
        if not self.plateau:
            open_cards += [card for table in self.tables for card in table["safeties"]]
        for seat in range(self.players):
            if self.team_of[seat] != team:
                open_cards += self.known[seat]
        return safety not in open_cards

    def _expose(self, seat: int, table: dict[str, Any], card: str, *, coup_fourre: bool) -> None:
        table["safeties"].append(card)
        if coup_fourre:
            table["coups_fourres"].append(card)
            self.turn = seat  # R18
        if card == ROW:
            table["started"] = True  # R11
            self._cancel(table["battle"], "RED_LIGHT")  # X13: the Red Light first
            self._cancel(table["speed"], "SPEED_LIMIT")
        elif coup_fourre or self.express or self.plateau or self.rules.late_safety_restarts:
            for attack in SAFETY:
                if SAFETY[attack] == card:
                    self._cancel(table["battle"], attack)  # R13, R21, X14, P13
        self.lasting = self.may_reshuffle_again = True
        go_on = self._won_turn if coup_fourre else self._replay
        bonus = self.rules.coup_fourre_km if coup_fourre else self.rules.safety_km  # X07, X09
        room = self.target - km_of(table)
        if bonus > room:
            bonus = {"forfeit": 0, "clamp": room, "allow": bonus}[self.rules.bonus_overflow]  # X08
        table["bonus_km"] += bonus
        if bonus and km_of(table) >= self.target:
            self._reach_target(go_on)
        else:
            go_on()

    def _cancel(self, pile: list[str], attack: str) -> None:
        """Take an attack off if it lies on top."""
        if pile and pile[-1] == attack:
            pile.pop()
            if not self.plateau:
                self.discard.append((attack, None))

    def _won_turn(self) -> None:
        self.draw(2)  # R17, X12

    def _replay(self) -> None:
        """R14, R26, P08; X04: from the draw pile unless the rules give the choice."""
        self._reshuffle_if_allowed()
        if not self.left and not self.rules.exhausted_safety_replays:
            self.end_turn()
        elif self.rules.express_safety_draw == "choice":
            self.draw(1, own_draw=False)
        else:
            if self.left:
                self._take("pile")
            self.draw(0)


def _empty_table(*, started: bool) -> dict[str, Any]:
    names = ("battle", "speed", "distance", "safeties", "coups_fourres")
    lists: dict[str, Any] = {name: [] for name in names}
    return lists | {"bonus_km": 0, "started": started}


def _words(text: str) -> tuple[str, str, int | None]:
    words = text.split()
    team = int(words[3]) if len(words) == 4 else None
    return words[0], words[1] if len(words) > 1 else "", team


def _length_of_tail(flags: Sequence[bool]) -> int:
    """How many of the last flags are false."""
    length = 0
    for flag in reversed(flags):
        if flag:
            break
        length += 1
    return length
