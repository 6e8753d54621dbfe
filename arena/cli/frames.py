"""What is shown of each action of a record: to everybody afterwards, or to one seat at the time.

Two makers of the same value. `OpenFrames` takes the whole state. `SeatFrames` takes nothing but
`view`s of its seat and the seat's own lines: what the seat could not see is not there to be shown,
and what it could not tell from its place (who passed, what others' time and faults were) has no
frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from arena.cli.output import printable
from arena.engine.actions import Action, Verb
from arena.engine.cards import Card, cards_of
from arena.engine.codes import Event, EventKind, decode_events, decode_pile
from arena.engine.rules import apply
from arena.engine.state import HandState, Stage, TableView
from arena.engine.view import View, view
from arena.errors import InputError
from arena.referee.entries import (
    ForfeitLine,
    HandLine,
    RejectedLine,
    SurplusLine,
    WindowLine,
)
from arena.referee.events import SeatNo
from arena.referee.replay import HandLog, Replay, Step

__all__ = ["Frame", "Frames", "OpenFrames", "Place", "SeatFrames", "milliseconds"]


class Place(NamedTuple):
    """Where a frame belongs, and whether it is a coup fourré."""

    game: int
    hand: int
    is_coup: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One action as it is shown.

    Attributes:
        number: Which of the frames, from 1.
        line: Its line in the record; None where that would tell too much.
        place: Game and hand.
        seat: Who acted.
        asked: What it was asked.
        did: What it did, as far as it is known.
        then: What followed by itself: draws.
        held: The cards it was chosen from; in a seat's frames the seat's own cards.
        own: Whether `held` are those of the seat that acted.
        time: What it took, with the bank and any fault; empty where nobody may know.
        tables: After it, by team.
        piles: After it, in words.
        notes: What else happened before it.
        end: After the last action of a hand: what happened then, and what the hand brought.
    """

    number: int
    line: int | None
    place: Place
    seat: SeatNo
    asked: Stage
    did: str
    then: tuple[str, ...]
    held: tuple[Card, ...]
    own: bool
    time: str
    tables: tuple[TableView, ...]
    piles: str
    notes: tuple[str, ...]
    end: tuple[str, ...]


class Frames(Protocol):
    """All frames of a record."""

    @property
    def replay(self) -> Replay:
        """The record."""

    @property
    def places(self) -> Sequence[Place]:
        """Where each frame belongs."""

    @property
    def steps(self) -> Sequence[Step]:
        """The action of each frame as the record has it: to find it by, not to show."""

    def frame(self, at: int) -> Frame:
        """Frame number `at`, from 0."""


class OpenFrames:
    """Everything that the record says."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.steps: Sequence[Step] = tuple(replay.steps)
        self.places: Sequence[Place] = [_place(step) for step in self.steps]

    def states(self, at: int) -> tuple[Step, HandState, HandState]:
        """An action with the hand before and after it."""
        step = self.steps[at]
        before = self.replay.hand_of(step).state(step.place)
        after = before.copy()
        apply(after, step.seat, step.action)
        return step, before, after

    def frame(self, at: int) -> Frame:
        """See `Frames`."""
        step, before, after = self.states(at)
        hand = self.replay.hand_of(step)
        events = decode_events(after.log[2 * (before.event_count - after.log_start) :])
        return Frame(
            number=at + 1,
            line=step.line,
            place=self.places[at],
            seat=step.seat,
            asked=step.stage,
            did=_spoken(step.action),
            then=tuple(_following(events)),
            held=cards_of(before.hands[step.seat]),
            own=True,
            time=_time(step),
            tables=tuple(after.tables),
            piles=_piles(after.left, after.discard),
            notes=tuple(_notes(hand, step.place)),
            end=tuple(_end(hand, step.place)),
        )


class SeatFrames:
    """What the bots on one seat knew, and when.

    Raises:
        InputError: the table has no such seat.
    """

    def __init__(self, replay: Replay, seat: int) -> None:
        players = replay.plan.seating.players
        if not 0 <= seat < players:
            raise InputError(f"seat {seat} is not at the table; the seats are 0 to {players - 1}")
        self.replay = replay
        self.seat = SeatNo(seat)
        self.steps: Sequence[Step] = tuple(self._seen_steps())
        self.places: Sequence[Place] = [_place(step) for step in self.steps]

    def _seen_steps(self) -> Iterator[Step]:
        """Its own actions, and those of others that leave an event: a pass does not."""
        for game in self.replay.games:
            for hand in game.hands:
                state = hand.state(0)
                for step in hand.steps:
                    before = state.event_count
                    apply(state, step.seat, step.action)
                    if step.seat == self.seat or state.event_count > before:
                        yield step

    def views(self, at: int) -> tuple[View, View]:
        """What the seat knew when it was asked, or just before; and after the action."""
        step = self.steps[at]
        hand = self.replay.hand_of(step)
        before = hand.state(self._asked_at(hand, step))
        after = hand.state(step.place + 1)
        seen = view(before, self.seat, since=before.event_count)
        return seen, view(after, self.seat, since=before.event_count)

    def own(self, at: int) -> Step | None:
        """The step, if it is the seat's own."""
        step = self.steps[at]
        return step if step.seat == self.seat else None

    def _asked_at(self, hand: HandLog, step: Step) -> int:
        """How many actions had been played when the seat was asked.

        It cannot know what a partner has answered since.
        """
        if step.seat == self.seat:
            for asked in hand.asked:
                if (asked.bot, asked.number) == (step.bot, step.said.prompt):
                    return asked.place
        return step.place

    def frame(self, at: int) -> Frame:
        """See `Frames`."""
        before, after = self.views(at)
        own = self.own(at)
        events = after.history
        actor = self.seat if own is not None else SeatNo(events[0].seat)
        return Frame(
            number=at + 1,
            line=None,
            place=self.places[at],
            seat=actor,
            asked=before.stage,
            did=_words(events[0]) if own is None else _spoken(own.action),
            then=tuple(_following(events if own is not None else events[1:])),
            held=before.cards if own is not None else after.cards,
            own=own is not None,
            time="" if own is None else _time(own),
            tables=after.tables,
            piles=_piles(after.draw_count, after.discard),
            notes=tuple(self._told(at)),
            end=tuple(self._end(at)),
        )

    def _told(self, at: int) -> Iterator[str]:
        """Rejections of the seat's own answer."""
        step = self.steps[at]
        if step.seat == self.seat:
            for place, note in self.replay.hand_of(step).notes:
                mine = isinstance(note, RejectedLine) and note.bot == step.bot
                if place == step.place and mine:
                    yield _note(note)

    def _end(self, at: int) -> Iterator[str]:
        hand = self.replay.hand_of(self.steps[at])
        later = self.steps[at + 1 : at + 2]
        if not later or self.replay.hand_of(later[0]) is not hand:
            yield from _hand_over(hand.end)


# -- words ------------------------------------------------------------------------------------


def _place(step: Step) -> Place:
    return Place(step.game, step.hand, step.action.verb is Verb.COUP_FOURRE)


def milliseconds(nanoseconds: int) -> str:
    """A duration as it is shown."""
    return f"{nanoseconds / 1e6:,.1f} ms"


def _time(step: Step) -> str:
    """What an action took, and why it is not the bot's own if it is not."""
    said = step.said
    if not said.prompt:
        return "by standing orders" if said.answered else "nobody was asked: the default action"
    parts = [f"prompt {said.prompt}: {milliseconds(said.spent)}"]
    if said.lag:
        parts.append(f"lag {milliseconds(said.lag)}")
    parts.append(f"bank {milliseconds(said.bank)}")
    if not said.answered:
        parts.append(f"the default action, because {said.fault}; strikes {step.strikes}")
    return ", ".join(parts)


def _piles(draw: int, discard: bytes) -> str:
    """The piles, from the discard pile in the codes that its reader can read."""
    top = ""
    if discard:
        (card,) = decode_pile(discard[-1:])
        top = f", top {'face down' if card is None else card}"
    return f"draw pile {draw}, discard pile {len(discard)}{top}"


_DOES: Final = {
    EventKind.DRAWN: "draws",
    EventKind.TAKEN: "takes from the discard pile",
    EventKind.PLAYED: "plays",
    EventKind.DISCARDED: "discards",
    EventKind.COUP_FOURRE: "coup fourré with",
    EventKind.EXTENDED: "extends the hand to 1000 km",
    EventKind.STOPPED: "stops at 700 km",
    EventKind.TOPPED: "puts on top of the discard pile",
    EventKind.RESHUFFLED: "shuffles the discard pile into a new draw pile",
}


def _spoken(action: Action) -> str:
    """An action in its notation, with the word for the number in it."""
    return action.text if action.team is None else action.text.replace(" on ", " on team ")


def _words(event: Event) -> str:
    if event.team is not None:
        return f"lays {event.card} on team {event.team}"
    if event.card is not None:
        return f"{_DOES[event.kind]} {event.card}"
    hides = event.kind in (EventKind.DRAWN, EventKind.TAKEN, EventKind.DISCARDED)
    return f"{_DOES[event.kind]} a card" if hides else _DOES[event.kind]


def _following(events: Iterable[Event]) -> Iterator[str]:
    """What happened by itself after an action: cards drawn, a pile made anew."""
    for event in events:
        if event.kind in (EventKind.DRAWN, EventKind.TAKEN, EventKind.RESHUFFLED):
            yield f"seat {event.seat} {_words(event)}"


def _notes(hand: HandLog, place: int) -> Iterator[str]:
    """What else happened just before an action."""
    return (_note(note) for at, note in hand.notes if at == place)


def _end(hand: HandLog, place: int) -> Iterator[str]:
    """What else happened after the last action of a hand, if this is it."""
    if place == len(hand.steps) - 1:
        yield from _notes(hand, place + 1)
        yield from _hand_over(hand.end)


def _note(note: WindowLine | RejectedLine | SurplusLine | ForfeitLine) -> str:
    match note:
        case WindowLine():
            seats = " and ".join(map(str, note.seats))
            lasts = f"within {milliseconds(note.lasts)}" if note.lasts else "by standing orders"
            return f"window {note.window}: seat {seats} may answer {note.attack} {lasts}"
        case RejectedLine():
            return printable(f"bot {note.bot} was told: {note.detail}")
        case SurplusLine(late_by=None):
            return f"bot {note.bot} sent a message that was {note.fault}"
        case SurplusLine():
            return f"bot {note.bot} answered {milliseconds(note.late_by or 0)} late"
        case ForfeitLine():
            return printable(f"bot {note.bot} forfeits, {note.reason}: {note.detail}")


def _hand_over(end: HandLine | None) -> Iterator[str]:
    if end is None:
        yield "the hand was broken off"
        return
    winner = "nobody" if end.winner is None else f"team {end.winner}"
    yield f"the hand is over: {end.end.lower()}, winner {winner}"
    for team, km in enumerate(end.km):
        points = f", {end.points[team]} points" if end.points else ""
        yield f"team {team}: {km} km{points}, {end.totals[team]} altogether"
