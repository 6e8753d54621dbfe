//! What one seat may know of a hand.

use std::fmt;

use crate::cards::{Card, Counts};
use crate::rules::RuleSet;
use crate::words::words;

words! {
    /// What a hand waits for.
    Stage {
        /// From which pile to draw (Express).
        Draw = 1,
        /// Which card to play or discard.
        Play = 2,
        /// Whether to answer an attack with a coup fourré.
        Respond = 3,
        /// Whether to go on to 1000 km.
        Extend = 4,
        /// Which card comes to lie on top of the discard pile.
        Top = 5,
        /// Nothing: the hand has ended.
        Over = 6,
    }
}

words! {
    /// What goes on after an extension.
    Resume {
        /// The turn ends.
        EndTurn = 1,
        /// The seat draws and plays again, after a safety.
        AfterSafety = 2,
        /// The seat draws and takes its whole turn, after a coup fourré.
        AfterCoupFourre = 3,
    }
}

words! {
    /// Why a hand is over.
    HandEnd {
        /// A team reached the target.
        Target = 1,
        /// Nobody has a card any more, or all distance cards have been played.
        Exhausted = 2,
        /// The draw pile is out and nobody who has cards can play one.
        Blocked = 3,
    }
}

/// Everything that one seat may know of a hand. Seats and teams are numbered from 0; seat s + 1
/// sits left of seat s.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Your seat.
    pub seat: usize,
    /// What is asked now.
    pub stage: Stage,
    /// The seats that are asked, as far as you may know.
    pub asked: Vec<usize>,
    /// Your hand, in deck order.
    pub cards: Vec<Card>,
    /// Cards in hand, by seat.
    pub sizes: Vec<i32>,
    /// What lies before each team.
    pub tables: Vec<Table>,
    /// Cards in the draw pile.
    pub draw_count: i32,
    /// The discard pile, top last; `None` is a card that you have not seen.
    pub discard_pile: Vec<Option<Card>>,
    /// For each of its cards the one seat that knows it, `None` if everybody does. Empty if all of
    /// them lie open.
    pub discard_known_to: Vec<Option<usize>>,
    /// Kilometres that end the hand.
    pub target: i32,
    /// Whose turn it is; in a response window still the attacker's.
    pub turn: usize,
    /// The hazard under response, or covered by a remedy.
    pub attack: Option<Card>,
    /// The team under attack.
    pub attacked: Option<usize>,
    /// Express: by seat, the cards that everybody knows to be in that hand. Else empty.
    pub known: Vec<Counts>,
    /// What has happened in this hand since you were last asked, oldest first.
    pub history: Vec<Event>,
    /// The number of the first of them; a hand's events are numbered from 0.
    pub first_event: i32,
    /// The number that the next event gets.
    pub event_count: i32,
    /// The rules.
    pub rules: RuleSet,
    /// The seats of each team.
    pub teams: Vec<Vec<usize>>,
    /// Who dealt this hand.
    pub dealer: usize,
    /// Match points of each team before this hand; hands won, where the game has no points.
    pub scores: Vec<i32>,
    /// Striped draw: cards left in each seat's own stripe of the draw pile. Else empty.
    pub stripes: Vec<i32>,
    /// Cards that the seat on turn has still to draw, where that is asked.
    pub draws_due: i32,
    /// What goes on if the hand is extended.
    pub resume: Option<Resume>,
    /// The team that extended the hand.
    pub extended_by: Option<usize>,
    /// The draw pile has run out at some time in this hand.
    pub ran_out: bool,
    /// The draw pile was empty when this turn began.
    pub dry_start: bool,
    /// Express: turns since anybody drew from the pile or laid a card; -1 within such a turn.
    pub idle_turns: i32,
    /// Express: the same, but for cards laid for good.
    pub circling_turns: i32,
    /// A distance card or a safety was played since the last reshuffle.
    pub fresh: bool,
    /// How often the discard pile has become the draw pile.
    pub reshuffles: i32,
    /// Once the hand is over, why.
    pub end: Option<HandEnd>,
    /// Once the hand is over, the team that finished or was ahead.
    pub winner: Option<usize>,
}

impl View {
    /// Your team.
    pub fn team(&self) -> usize {
        self.team_of(self.seat)
    }

    /// The team of a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn team_of(&self, seat: usize) -> usize {
        team_of(&self.teams, seat).unwrap_or_else(|| panic!("there is no seat {seat}"))
    }

    /// Your own table.
    pub fn table(&self) -> &Table {
        &self.tables[self.team()]
    }

    /// The other teams.
    pub fn rivals(&self) -> Vec<usize> {
        let own = self.team();
        (0..self.tables.len()).filter(|&team| team != own).collect()
    }

    /// Kilometres that a team has still to drive.
    pub fn to_go(&self, team: usize) -> i32 {
        self.target - self.tables[team].km
    }

    /// How many of each card you have in hand.
    pub fn hand(&self) -> Counts {
        self.cards.iter().copied().collect()
    }

    /// How many of each card you cannot place: in other hands, in the draw pile, face down.
    pub fn unseen(&self) -> Counts {
        let mut counts = self.rules.deck(self.sizes.len());
        let mut seen = |cards: &[Card]| cards.iter().for_each(|&card| counts[card] -= 1);
        seen(&self.cards);
        seen(&self.discard_pile.iter().copied().flatten().collect::<Vec<_>>());
        if self.rules.family.keeps_cards_on_table() {
            for table in &self.tables {
                seen(&table.battle);
                seen(&table.speed);
                seen(&table.distance);
                seen(&table.safeties);
            }
        }
        for (_, known) in self.known.iter().enumerate().filter(|(seat, _)| *seat != self.seat) {
            known.iter().for_each(|(card, count)| counts[card] -= count);
        }
        counts
    }
}

pub(crate) fn team_of(teams: &[Vec<usize>], seat: usize) -> Option<usize> {
    teams.iter().position(|seats| seats.contains(&seat))
}

/// What lies before one team. The top of a pile is its last card: `table.battle.last()`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The battle pile (in Plateau the token, if any).
    pub battle: Vec<Card>,
    /// The speed pile (in Plateau the token, if any).
    pub speed: Vec<Card>,
    /// The distance cards, in the order they were played.
    pub distance: Vec<Card>,
    /// The safeties exposed.
    pub safeties: Vec<Card>,
    /// Those of them that were exposed as a coup fourré.
    pub coups_fourres: Vec<Card>,
    /// Kilometres travelled, bonus included.
    pub km: i32,
    /// Kilometres gained by safeties (Express).
    pub bonus_km: i32,
    /// The car has started.
    pub started: bool,
    /// The team may play a distance card now, limits aside.
    pub moving: bool,
    /// Nothing above 50 km may be played.
    pub limited: bool,
    /// Every card that its own team could play on it now, if it had it.
    pub accepts: Vec<Card>,
    /// The hazards that other teams could lay on it now.
    pub suffers: Vec<Card>,
}

impl Table {
    /// The hazard that keeps the car from driving, if one does. It may stand without one: it waits
    /// for a Green Light then (see `needs`), and `moving` is false.
    pub fn stopped_by(&self) -> Option<Card> {
        let top = self.battle.last().copied()?;
        (top.is_hazard() && !self.is_immune(top)).then_some(top)
    }

    /// The hazards in force: the one that stops the car, and a speed limit.
    pub fn hazards(&self) -> Vec<Card> {
        let limit = self.limited.then_some(Card::SpeedLimit);
        self.stopped_by().into_iter().chain(limit).collect()
    }

    /// The remedies that would help now, in deck order; none if nothing is wrong.
    pub fn needs(&self) -> Vec<Card> {
        self.accepts.iter().copied().filter(|card| card.is_remedy()).collect()
    }

    /// Whether an exposed safety protects it from a hazard for the rest of the hand.
    pub fn is_immune(&self, hazard: Card) -> bool {
        hazard.safety().is_some_and(|safety| self.safeties.contains(&safety))
    }
}

/// One thing that happened, as you may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// Who did it.
    pub seat: usize,
    /// Which card; `None` if you may not know it or there is none.
    pub card: Option<Card>,
    /// The team that a hazard was laid on.
    pub team: Option<usize>,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}: {}", self.seat, self.kind.text())?;
        self.card.map_or(Ok(()), |card| write!(f, " {card}"))?;
        self.team.map_or(Ok(()), |team| write!(f, " on {team}"))
    }
}

/// What can happen at the table. A response that passes leaves no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A card from the draw pile; only the drawer knows which.
    Drawn,
    /// The top card of the discard pile was taken.
    Taken,
    /// A distance, remedy or safety on the seat's own table.
    Played,
    /// A hazard on another team's table.
    Laid,
    /// A card was thrown away; in the classic game only the seat itself knows which.
    Discarded,
    /// An attack was answered with its safety.
    CoupFourre,
    /// The hand goes on to 1000 km.
    Extended,
    /// The hand was ended at 700 km.
    Stopped,
    /// This card lies on top of the discard pile.
    Topped,
    /// The discard pile became the draw pile.
    Reshuffled,
}

impl EventKind {
    fn text(self) -> &'static str {
        match self {
            EventKind::Drawn => "drawn",
            EventKind::Taken => "taken",
            EventKind::Played => "played",
            EventKind::Laid => "laid",
            EventKind::Discarded => "discarded",
            EventKind::CoupFourre => "coup fourre",
            EventKind::Extended => "extended",
            EventKind::Stopped => "stopped",
            EventKind::Topped => "topped",
            EventKind::Reshuffled => "reshuffled",
        }
    }
}
