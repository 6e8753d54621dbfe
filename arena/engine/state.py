"""A hand in progress: `HandState` and `Table`, as compact as a search needs them.

These are plain values without rules; `rules` moves them, `flow` carries a turn on, `view` cuts out
what a seat may know. Piles are `bytes` that copies share; what changes in place is small.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from arena.engine.cards import DISTANCE_MASK, KINDS
from arena.engine.rulesets import Family, RuleSet
from arena.engine.seating import Seating
from arena.engine.status import MOVING, NO_CARD, RIGHT_OF_WAY, SUFFERS_SHIFT, status_table


class Stage(IntEnum):
    """What a hand waits for. In lower case: the kinds of question in a case."""

    DRAW = 0
    PLAY = 1
    RESPOND = 2
    EXTEND = 3
    TOP = 4
    OVER = 5


class Reason(IntEnum):
    """Why a hand is over.

    TARGET: a team reached the target. BLOCKED: the draw pile is out and nobody who still has
    cards can play one (R25). EXHAUSTED: nobody has a card any more (R25), or all distance cards
    have been played (X15).
    """

    TARGET = 0
    EXHAUSTED = 1
    BLOCKED = 2


class Resume(IntEnum):
    """What goes on after an extension that was asked because bonus km reached 700."""

    END_TURN = 0
    AFTER_SAFETY = 1
    AFTER_COUP_FOURRE = 2


class TableView(NamedTuple):
    """One team's table, which everybody sees. Immutable: a change makes a new one.

    Attributes:
        battle: Battle pile, kinds as bytes, top last (Plateau: the token, if any).
        speed: Speed pile, likewise.
        distance: Distance cards played, in order.
        safeties: Exposed safeties, a mask: bit 0 Right of Way, 1 Extra Tank, 2 Puncture-Proof,
            3 Driving Ace.
        coups_fourres: Those of them that were exposed as a coup fourré.
        km: Kilometres travelled, `bonus_km` included.
        bonus_km: Kilometres gained from safeties (Express).
        started: The car has started.
        moving: The team may play a distance card now, limits aside.
        limited: Nothing above 50 km may be played.
        accepts: Mask of the kinds that the team may play on this table now, whatever is in hand.
        suffers: Mask of the hazards that other teams may lay on it now.
    """

    battle: bytes
    speed: bytes
    distance: bytes
    safeties: int
    coups_fourres: int
    km: int
    bonus_km: int
    started: bool
    moving: bool
    limited: bool
    accepts: int
    suffers: int


class TableEdit:
    """A table while it is being changed: take one out, change it, and put its `view` back."""

    __slots__ = (
        "battle",
        "bonus_km",
        "coups_fourres",
        "distance",
        "km",
        "safeties",
        "speed",
        "started",
    )

    def __init__(self, table: TableView) -> None:
        self.battle = table.battle
        self.speed = table.speed
        self.distance = table.distance
        self.safeties = table.safeties
        self.coups_fourres = table.coups_fourres
        self.km = table.km
        self.bonus_km = table.bonus_km
        self.started = table.started

    def view(self, status: tuple[int, ...], max_200: int, target: int) -> TableView:
        """The table as changed, with what the rules now say of it.

        `status` is the rule set's `status_table`, `target` the km that end the hand.
        """
        safeties = self.safeties
        limited = False
        if self.speed and not safeties & RIGHT_OF_WAY:
            limited = self.speed[-1] == _SPEED_LIMIT
        found = status[
            (self.battle[-1] if self.battle else NO_CARD) << 6
            | safeties << 2
            | limited << 1
            | self.started
        ]
        accepts = found & _KIND_MASK
        moving = found >= MOVING
        if moving:
            fits = FITS[target - self.km] if self.km < target else 0
            if limited:
                fits &= _FIFTY
            if max_200 < NO_LIMIT_200 and self.distance.count(_D200) >= max_200:
                fits &= _NO_200
            accepts = accepts & ~DISTANCE_MASK | fits
        # Made as a plain tuple: a named tuple's own constructor costs as much as all of the above.
        return _new_tuple(
            TableView,
            (
                self.battle,
                self.speed,
                self.distance,
                safeties,
                self.coups_fourres,
                self.km,
                self.bonus_km,
                self.started,
                moving,
                limited,
                accepts,
                found >> SUFFERS_SHIFT << 5 & _HAZARDS,
            ),
        )


EMPTY_TABLE: Final = TableView(
    battle=b"",
    speed=b"",
    distance=b"",
    safeties=0,
    coups_fourres=0,
    km=0,
    bonus_km=0,
    started=False,
    moving=False,
    limited=False,
    accepts=0,
    suffers=0,
)
"""A table with nothing on it, of which the rules have not been asked yet."""


def derived_table(rules: RuleSet, target: int, table: TableView) -> TableView:
    """`table` with what `rules` say of it (moving, limited, accepts, suffers) worked out."""
    edit = TableEdit(table)
    return edit.view(status_table(rules), limit_of_200s(rules), target)


def limit_of_200s(rules: RuleSet) -> int:
    """Most 200 km cards a team may play; `NO_LIMIT_200` where the rules set no limit (R29)."""
    return NO_LIMIT_200 if rules.max_200 is None else rules.max_200


_new_tuple: Final = tuple.__new__
_D200: Final = 4
_SPEED_LIMIT: Final = 6
_KIND_MASK: Final = (1 << KINDS) - 1
_HAZARDS: Final = 0b11111 << 5
_FIFTY: Final = 0b00011
_NO_200: Final = 0b01111
NO_LIMIT_200: Final = 255
"""`HandState.max_200` where the rules set no limit on 200 km cards."""


def _fitting(left: int) -> int:
    return sum(1 << kind for kind, km in enumerate((25, 50, 75, 100, 200)) if km <= left)


FITS: Final = tuple(_fitting(left) for left in range(1001))
"""Mask of the distance cards that fit into the km left (R30)."""

NOBODY: Final = -1
"""A seat, team or card where there is none."""

SOMEBODY: Final = -2
"""In `extended_by`: the hand was extended, but by whom a position does not tell."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What does not change while a hand is played; all copies of a hand share it.

    Attributes:
        rules: The rule set.
        seating: Seats and teams.
        dealer: Seat of the dealer.
        scores: Match points of each team before this hand.
        forced_play: One may discard only when nothing can be played (R04 `forced_play`).
        draws_choose: A turn's draw may come from the discard pile (Express, X03).
        face_down: Other seats do not see a discard (R05).
        on_table: Played cards stay on the table (everywhere but in Plateau, P09).
        team_of: Per seat, its team.
        status: The rule set's `status.status_table`.
        max_200: Most 200 km cards a team may play.
    """

    rules: RuleSet
    seating: Seating
    dealer: int
    scores: tuple[int, ...]
    forced_play: bool
    draws_choose: bool
    face_down: bool
    on_table: bool
    team_of: tuple[int, ...]
    status: tuple[int, ...]
    max_200: int


def make_frame(
    rules: RuleSet,
    seating: Seating,
    *,
    dealer: int,
    scores: tuple[int, ...] = (),
) -> Frame:
    """Return the frame of a hand; `scores` default to 0 for every team."""
    return Frame(
        rules=rules,
        seating=seating,
        dealer=dealer,
        scores=scores or (0,) * len(seating.teams),
        forced_play=rules.forced_play,
        draws_choose=rules.family is Family.EXPRESS,
        face_down=not rules.discard_visible,
        on_table=rules.family.keeps_cards_on_table,
        team_of=seating.team_of,
        status=status_table(rules),
        max_200=limit_of_200s(rules),
    )


class HandState:
    """One hand. Make one with `flow.start_hand`, `position.read_position` or `determinize`.

    Read any attribute; change none: `rules.apply` does that.

    Attributes:
        frame: What does not change: rule set, seating, dealer, scores.
        hands: Per seat, 19 counts.
        masks: Per seat, the mask of the kinds in hand.
        sizes: Per seat, the number of cards in hand.
        tables: Per team.
        pile: The draw pile, next card first. A striped one as it was made: card k belongs to the
            stripe of seat k mod n, of which the last `stripes[seat]` cards remain.
        left: Cards in the draw pile.
        stripes: Striped draw: cards left in each seat's stripe; None with one shared pile.
        discard: The discard pile in the codes of `codes`, top last.
        known: Express: per seat 19 counts of cards that everybody knows to be in that hand.
        log: The events from number `log_start` on, two bytes each (see `codes`).
        stage: What is asked.
        seat: Whose turn it is; in the response window still the attacker.
        attack: The hazard under response or to be topped, else NOBODY.
        attacked: The team under attack, else NOBODY.
        pending: RESPOND: mask of the seats that have yet to answer.
        in_public: RESPOND: mask of the seats that the public must take for asked.
        due: DRAW: cards that the seat has still to draw, this one included.
        resume: EXTEND: what goes on when the hand is extended.
        target: km that end the hand.
        extended_by: The team that extended the hand, else NOBODY (or SOMEBODY).
        ran_out: The draw pile has run out at some time in this hand.
        dry_start: The draw pile was empty when this turn began (R28).
        distances: Distance cards in the draw pile and in hands (X15).
        idle: Turns since anybody drew from the pile or laid a card (X17).
        circling: Turns since anybody drew from the pile or laid a card for good.
        chance: Secret key of the reshuffles, 32 bytes (used only where the rules reshuffle).
        fresh: A distance card or safety was played since the last reshuffle.
        reshuffled: How often the discard pile became the draw pile.
        reason, winner: Once over: why, and the team that finished or won, else NOBODY.
        ask_all: False: a response window opens only for seats that hold the safety (R16), which
            is what rules and search need. True: it opens for every seat of the attacked team as
            soon as public knowledge allows that one of them holds it, so that being asked tells
            nobody anything; a seat without it can only pass.
    """

    __slots__ = (
        "ask_all",
        "attack",
        "attacked",
        "chance",
        "circling",
        "discard",
        "distances",
        "dry_start",
        "due",
        "extended_by",
        "frame",
        "fresh",
        "hands",
        "idle",
        "in_public",
        "known",
        "left",
        "log",
        "log_start",
        "masks",
        "pending",
        "pile",
        "ran_out",
        "reason",
        "reshuffled",
        "resume",
        "seat",
        "sizes",
        "stage",
        "stripes",
        "tables",
        "target",
        "winner",
    )

    def __init__(self, frame: Frame, *, ask_all: bool = False) -> None:
        players = frame.seating.players
        rules = frame.rules
        self.frame = frame
        self.ask_all = ask_all
        self.hands: list[bytearray] = [bytearray(KINDS) for _ in range(players)]
        self.masks: list[int] = [0] * players
        self.sizes = bytearray(players)
        starts = rules.family is Family.PLATEAU and not rules.plateau_green_light_to_start
        table = derived_table(rules, rules.target, EMPTY_TABLE._replace(started=starts))
        self.tables: list[TableView] = [table] * len(frame.seating.teams)
        self.pile = b""
        self.left = 0
        self.stripes: bytearray | None = None
        self.discard = b""
        self.known: list[bytearray] | None = (
            [bytearray(KINDS) for _ in range(players)] if frame.draws_choose else None
        )
        self.log = b""
        self.log_start = 0
        self.stage: int = _PLAY
        self.seat = 0
        self.attack = self.attacked = NOBODY
        self.pending = self.in_public = 0
        self.due = 0
        self.resume: int = _END_TURN
        self.target = rules.target
        self.extended_by = NOBODY
        self.ran_out = False
        self.dry_start = False
        self.distances = 0
        self.idle = self.circling = 0
        self.chance = b""
        self.fresh = True
        self.reshuffled = 0
        self.reason = self.winner = NOBODY

    def copy(self) -> HandState:
        """An independent copy; piles and the frame are shared, for they do not change."""
        new = HandState.__new__(HandState)
        new.frame = self.frame
        new.ask_all = self.ask_all
        new.hands = [hand[:] for hand in self.hands]
        new.masks = self.masks[:]
        new.sizes = self.sizes[:]
        new.tables = self.tables[:]
        new.pile = self.pile
        new.left = self.left
        new.stripes = self.stripes if self.stripes is None else self.stripes[:]
        new.discard = self.discard
        new.known = None if self.known is None else [counts[:] for counts in self.known]
        new.log = self.log
        new.log_start = self.log_start
        new.stage = self.stage
        new.seat = self.seat
        new.attack = self.attack
        new.attacked = self.attacked
        new.pending = self.pending
        new.in_public = self.in_public
        new.due = self.due
        new.resume = self.resume
        new.target = self.target
        new.extended_by = self.extended_by
        new.ran_out = self.ran_out
        new.dry_start = self.dry_start
        new.distances = self.distances
        new.idle = self.idle
        new.circling = self.circling
        new.chance = self.chance
        new.fresh = self.fresh
        new.reshuffled = self.reshuffled
        new.reason = self.reason
        new.winner = self.winner
        return new

    __copy__ = copy

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.stage == _OVER

    @property
    def rules(self) -> RuleSet:
        return self.frame.rules

    @property
    def seating(self) -> Seating:
        return self.frame.seating

    @property
    def players(self) -> int:
        return self.frame.seating.players

    @property
    def event_count(self) -> int:
        """Events of this hand so far; the number that the next one gets."""
        return self.log_start + len(self.log) // 2

    def hand(self, seat: int) -> bytes:
        """The 19 counts of a seat's hand."""
        return bytes(self.hands[seat])

    def put(self, team: int, edit: TableEdit) -> None:
        """Put a changed table back."""
        frame = self.frame
        self.tables[team] = edit.view(frame.status, frame.max_200, self.target)

    def draw_pile(self) -> bytes:
        """The draw pile, next card first; of a striped one, stripe after stripe."""
        if self.stripes is None:
            return self.pile
        return b"".join(
            self.pile[stripe :: self.players][
                stripe_length(len(self.pile), self.players, stripe) - left :
            ]
            for stripe, left in enumerate(self.stripes)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandState):
            return NotImplemented
        return _contents(self) == _contents(other)

    __hash__ = None  # type: ignore[assignment]


def stripe_length(cards: int, players: int, stripe: int) -> int:
    """Cards that a stripe gets when `cards` are dealt one by one to `players` stripes."""
    return (cards - stripe + players - 1) // players


def _contents(state: HandState) -> tuple[object, ...]:
    """Everything that tells two hands apart; of the draw pile only what remains."""
    skipped = ("pile",)
    return (
        *(getattr(state, name) for name in HandState.__slots__ if name not in skipped),
        state.draw_pile(),
    )


_PLAY: Final = int(Stage.PLAY)
_OVER: Final = int(Stage.OVER)
_END_TURN: Final = int(Resume.END_TURN)
