"""The yardstick: a minimal two-player classic hand in plain Python, for comparing machines.

It knows just enough rules to be played at random to the end: two seats, no teams, no views, no
options, no checks. Its speed on a machine says what plain Python does there, so the engine's
figures are given as a ratio to it from the same run. Change nothing here, not even its style: old
ratios would lose their meaning.
"""

# ruff: noqa: C901, D101, D103, PLR0912, PLR0915, PLR1714, SIM
from __future__ import annotations

from random import Random
from typing import Final

MILES: Final = [25, 50, 75, 100, 200]
# 0-4 distance; 5 accident, 6 out of gas, 7 flat, 8 stop, 9 limit; 10 repairs, 11 gas, 12 spare,
# 13 roll, 14 end of limit; 15 ace, 16 tank, 17 puncture-proof, 18 right of way
COUNTS: Final = [10, 10, 10, 12, 4, 3, 3, 3, 5, 4, 6, 6, 6, 14, 6, 1, 1, 1, 1]
DECK: Final = [c for c in range(19) for _ in range(COUNTS[c])]
DISCARD: Final = 32
YES: Final = 64
NO: Final = 65


class Player:
    __slots__ = ("coups", "hand", "limited", "miles", "n", "n200", "saf", "score", "status")

    def __init__(self) -> None:
        self.hand: list[int] = [0] * 19
        self.n: int = 0
        self.miles: int = 0
        self.status: int = 0  # 0 needs roll, 1 rolling, 2 accident, 3 no gas, 4 flat
        self.limited: int = 0
        self.saf: int = 0  # bitmask
        self.coups: int = 0
        self.n200: int = 0
        self.score: int = 0


class Hand:
    __slots__ = (
        "decisions",
        "deck",
        "done",
        "extended",
        "hazard",
        "me",
        "op",
        "phase",
        "seat",
        "target",
        "winner",
    )

    def __init__(self, rng: Random) -> None:
        d = DECK[:]
        rng.shuffle(d)
        self.deck: list[int] = d
        a = Player()
        b = Player()
        for _ in range(6):
            a.hand[d.pop()] += 1
            b.hand[d.pop()] += 1
        a.n = 6
        b.n = 6
        self.me: Player = a
        self.op: Player = b
        self.seat: int = 0
        self.phase: int = 0  # 0 turn, 1 coup-fourre offer (to me), 2 extension offer (to me)
        self.hazard: int = 0
        self.target: int = 700
        self.done: int = 0
        self.winner: int = -1
        self.extended: int = 0
        self.decisions: int = 0
        self.draw()

    def draw(self) -> None:
        if self.deck:
            p = self.me
            p.hand[self.deck.pop()] += 1
            p.n += 1

    def swap(self) -> None:
        self.me, self.op = self.op, self.me
        self.seat = 1 - self.seat

    def legal(self) -> list[int]:
        if self.phase != 0:
            return [YES, NO]
        p = self.me
        o = self.op
        h = p.hand
        out: list[int] = []
        st = p.status
        if st == 1:
            left = self.target - p.miles
            if h[0] and left >= 25:
                out.append(0)
            if h[1] and left >= 50:
                out.append(1)
            if not p.limited:
                if h[2] and left >= 75:
                    out.append(2)
                if h[3] and left >= 100:
                    out.append(3)
                if h[4] and left >= 200 and p.n200 < 2:
                    out.append(4)
        elif st == 0:
            if h[13]:
                out.append(13)
        elif h[st + 8]:
            out.append(st + 8)
        if p.limited and h[14]:
            out.append(14)
        if o.status == 1:
            safe = o.saf
            if h[5] and not safe & 1:
                out.append(5)
            if h[6] and not safe & 2:
                out.append(6)
            if h[7] and not safe & 4:
                out.append(7)
            if h[8] and not safe & 8:
                out.append(8)
        if h[9] and not o.limited and not o.saf & 8:
            out.append(9)
        for c in range(15, 19):
            if h[c]:
                out.append(c)
        for c in range(19):
            if h[c]:
                out.append(32 + c)
        return out

    def end_turn(self) -> None:
        o = self.op
        if self.deck or o.n:
            self.swap()
            self.draw()
        elif self.me.n == 0:
            self.done = 1
        # else the other is out of cards and I go on

    def safety(self, c: int) -> None:
        p = self.me
        p.hand[c] -= 1
        p.n -= 1
        p.saf |= 1 << (c - 15)
        if c == 18:
            p.limited = 0
            if p.status == 0:
                p.status = 1
        elif p.status == c - 13:
            p.status = 1 if p.saf & 8 else 0

    def apply(self, m: int) -> None:
        self.decisions += 1
        p = self.me
        if m < 32:
            h = p.hand
            if m >= 15:
                self.safety(m)
                if self.deck or p.n:
                    self.draw()  # plays again
                else:
                    self.end_turn()
                return
            h[m] -= 1
            p.n -= 1
            if m < 5:
                p.miles += MILES[m]
                if m == 4:
                    p.n200 += 1
                if p.miles == self.target:
                    if self.target == 700:
                        self.phase = 2
                        return
                    self.done = 1
                    self.winner = self.seat
                    return
            elif m < 10:
                o = self.op
                if m == 9:
                    o.limited = 1
                elif m == 8:
                    o.status = 0
                else:
                    o.status = m - 3
                s = 18 if m >= 8 else m + 10
                if o.hand[s]:
                    self.hazard = m
                    self.phase = 1
                    self.swap()
                    return
            elif m == 13:
                p.status = 1
            elif m == 14:
                p.limited = 0
            else:
                p.status = 1 if p.saf & 8 else 0
            self.end_turn()
        elif m < 64:
            p.hand[m - 32] -= 1
            p.n -= 1
            self.end_turn()
        elif self.phase == 1:
            self.phase = 0
            hz = self.hazard
            if m == YES:
                s = 18 if hz >= 8 else hz + 10
                was = hz != 9 and hz != 8
                self.safety(s)
                if hz == 9:
                    p.limited = 0
                elif was:
                    p.status = 1
                p.coups += 1
                self.draw()  # replaces the safety
                self.draw()  # and takes the turn
                if p.n == 0:
                    self.end_turn()
            else:
                self.swap()
                self.end_turn()
        else:
            self.phase = 0
            if m == YES:
                self.target = 1000
                self.extended = 1
                self.end_turn()
            else:
                self.done = 1
                self.winner = self.seat

    def scores(self) -> tuple[int, int]:
        me, op = (self.me, self.op) if self.seat == 0 else (self.op, self.me)
        res: list[int] = []
        for i, p, o in ((0, me, op), (1, op, me)):
            s = p.miles + 300 * p.coups
            k = bin(p.saf).count("1")
            s += 100 * k
            if k == 4:
                s += 300
            if self.winner == i:
                s += 400
                if not self.deck:
                    s += 300
                if p.n200 == 0:
                    s += 300
                if self.extended:
                    s += 200
                if o.miles == 0:
                    s += 500
            elif self.extended and self.winner < 0 and o.miles >= 700:
                s += 0
            res.append(s)
        return res[0], res[1]


def play_hand(rng: Random) -> Hand:
    g = Hand(rng)
    rnd = rng.random
    while not g.done:
        options = g.legal()
        g.apply(options[int(rnd() * len(options))])
    return g


def run(n: int, seed: int) -> tuple[int, int, int, int]:
    rng = Random(seed)
    dec = 0
    s0 = 0
    s1 = 0
    w = 0
    for _ in range(n):
        g = play_hand(rng)
        dec += g.decisions
        a, b = g.scores()
        s0 += a
        s1 += b
        if g.winner >= 0:
            w += 1
    return dec, s0, s1, w
