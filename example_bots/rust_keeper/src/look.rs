//! A view, and what this bot thinks of it.
//!
//! The scale: 100,000 ends the hand; 2,500 stops an opponent; 500 to 700 is an ordinary move; below
//! 0 are discards, the more useful the card the lower. The numbers come from playing many boards.

use arena_sdk::{Action, Card, Counts, Family, Table, View};

/// What the first copy of a card in hand is worth keeping; safeties are never thrown away. By kind:
/// 25, 50, 75, 100, 200; red, limit, gas, tire, crash; green, end, gas, tire, repairs.
fn keep(family: Family) -> [i32; 15] {
    match family {
        Family::Classic => [40, 80, 80, 110, 170, 220, 120, 260, 260, 260, 220, 160, 180, 180, 180],
        Family::Express => [40, 80, 90, 130, 170, 130, 80, 90, 90, 90, 170, 110, 130, 130, 130],
        Family::Plateau => {
            [40, 80, 100, 130, 160, 160, 130, 260, 260, 260, 200, 120, 180, 180, 180]
        }
    }
}

const ENDS_HAND: i32 = 100_000;
/// A safety against a hazard in force whose remedy is not in hand.
const FREES: i32 = 1800;
/// Right of Way, where the car waits for a Green Light that is not in hand.
const STARTS: i32 = 1500;
/// A safety that will hardly see its attack any more.
const LAST_CHANCE: i32 = 2400;
/// Plateau, where a coup fourré makes no points: better the card drawn at once.
const DRAWS: i32 = 4000;
/// A safety that waits: better to throw away anything but a safety.
const HOLD: i32 = -900;
/// In km: a rival that rolls may end the hand before the safety is used.
const NEARLY_THERE: i32 = 200;
/// Left to each seat before the draw pile is out.
const FEW_TURNS: i32 = 2;

pub struct Look<'a> {
    view: &'a View,
    table: &'a Table,
    rivals: Vec<&'a Table>,
    /// How many of each card are in hand.
    hand: Counts,
    /// Likewise in other hands, in the pile, face down.
    unseen: Counts,
    to_go: i32,
    /// Left to each seat, as far as the pile reaches.
    turns: i32,
    /// A safety lets one play again.
    replays: bool,
    /// The car waits for something that is not in hand.
    stands: bool,
    /// A card in hand ends the hand.
    finishes: bool,
}

impl<'a> Look<'a> {
    pub fn new(view: &'a View) -> Self {
        let (table, hand) = (view.table(), view.hand());
        let to_go = view.to_go(view.team());
        let helps = |card: Card| card != Card::EndOfLimit && hand[card] > 0;
        Self {
            view,
            table,
            rivals: view.rivals().into_iter().map(|team| &view.tables[team]).collect(),
            hand,
            unseen: view.unseen(),
            to_go,
            turns: view.draw_count / view.sizes.len() as i32,
            replays: view.draw_count > 0 || view.rules.exhausted_safety_replays,
            stands: !table.moving && !table.needs().into_iter().any(helps),
            finishes: table.accepts.iter().any(|&card| hand[card] > 0 && card.km() == to_go),
        }
    }

    pub fn worth(&self, action: Action) -> i32 {
        match action {
            Action::Discard(card) => -self.use_of(card, self.hand[card]) - self.gift(card),
            Action::Attack(hazard, team) => self.attack(hazard, team),
            Action::Play(card) if card.is_safety() => self.expose(card),
            Action::Play(Card::EndOfLimit) => {
                let waits = self.hand.of(&[Card::D75, Card::D100, Card::D200]) > 0;
                if waits { 700 } else { 300 }
            }
            Action::Play(card) if card.is_remedy() => 600,
            Action::Play(card) => self.drive(card),
            _ => unreachable!("{action} is asked for in no turn"),
        }
    }

    /// Far is good; leaving a distance that the hand can drive exactly is better.
    fn drive(&self, card: Card) -> i32 {
        let left = self.to_go - card.km();
        match left {
            0 => ENDS_HAND,
            _ if left <= 200 && self.can_total(left, card) => 650 + 2 * card.km(),
            _ if left > 50 => 500 + 2 * card.km(),
            _ => -60, // few cards help then; as it is, more do
        }
    }

    /// Whether one to four distance cards in hand, less the one played, make exactly that.
    fn can_total(&self, total: i32, played: Card) -> bool {
        let mut rest: Vec<Card> =
            self.view.cards.iter().copied().filter(|card| card.is_distance()).collect();
        if let Some(at) = rest.iter().position(|&card| card == played) {
            rest.remove(at);
        }
        some_make(&rest, total, 4)
    }

    /// The leader first; an attack that nobody can answer rather than one that may backfire.
    fn attack(&self, hazard: Card, team: usize) -> i32 {
        let victim = &self.view.tables[team];
        let mut worth = match hazard {
            Card::SpeedLimit if victim.moving => 600,
            Card::SpeedLimit => 300,
            _ => 2500,
        };
        if hazard > Card::SpeedLimit {
            worth += 200; // a breakdown has one remedy only, a Red Light many
        }
        if self.rivals.iter().all(|table| table.km <= victim.km) {
            worth += 300;
        }
        worth += victim.km / 10;
        match hazard.safety() {
            Some(safety) if self.unseen[safety] > 0 => worth - 6000 / self.unseen.total(), // a hand of six may hold it
            _ => worth + 200,
        }
    }

    /// A safety waits for its attack, unless it is needed now or the hand is about to end.
    fn expose(&self, safety: Card) -> i32 {
        let rules = &self.view.rules;
        if rules.safety_km == self.to_go {
            return ENDS_HAND;
        }
        if self.finishes {
            let pays = self.replays && rules.safety_km == 0; // 100 points more
            return if pays { ENDS_HAND + 1 } else { 0 };
        }
        if self.replays && rules.family == Family::Plateau {
            return DRAWS;
        }
        let answers = |hazard: &Card| hazard.safety() == Some(safety);
        let has_remedy = |hazard: Card| hazard.remedy().is_some_and(|card| self.hand[card] > 0);
        if self.table.hazards().into_iter().filter(answers).any(|hazard| !has_remedy(hazard)) {
            return FREES;
        }
        let attacks: i32 =
            Card::HAZARDS.into_iter().filter(answers).map(|hazard| self.unseen[hazard]).sum();
        let is_near = |table: &&Table| table.moving && self.view.target - table.km <= NEARLY_THERE;
        if attacks == 0 || self.rivals.iter().any(is_near) || self.turns < FEW_TURNS {
            return LAST_CHANCE;
        }
        let waits = self.stands && self.table.stopped_by().is_none();
        if waits && safety == Card::RightOfWay { STARTS } else { HOLD }
    }

    /// What the last of so many copies of a card in hand is worth, from 0 up.
    fn use_of(&self, card: Card, copies: i32) -> i32 {
        if card.is_safety() {
            1000
        } else if card.is_distance() {
            self.use_of_distance(card, copies)
        } else if card.is_remedy() {
            self.use_of_remedy(card, copies)
        } else if self.rivals.iter().all(|table| table.is_immune(card)) {
            0
        } else {
            let spare = (self.hand.of(&Card::HAZARDS) - 2).max(0);
            (self.keep(card) - 50 * spare).max(0)
        }
    }

    /// Worth less for each card in hand that would be driven before it.
    fn use_of_distance(&self, card: Card, copies: i32) -> i32 {
        if card.km() > self.to_go {
            return 0;
        }
        let laid = self.table.distance.iter().filter(|&&one| one == Card::D200).count() as i32;
        let too_many = self.view.rules.max_200.is_some_and(|most| laid + copies > most);
        if card == Card::D200 && too_many {
            return 0;
        }
        let safe_trip = self.view.rules.is_scored() && laid == 0; // 300 points, still to be had
        let worth = if card == Card::D200 && !safe_trip { 200 } else { self.keep(card) };
        let longer = |one: &&Card| one.is_distance() && **one > card && one.km() <= self.to_go;
        let before = copies - 1 + self.view.cards.iter().filter(longer).count() as i32;
        (worth - 25 * before).max(0)
    }

    /// One is enough; none is needed if a safety does it or no hazard is left.
    fn use_of_remedy(&self, remedy: Card, copies: i32) -> i32 {
        let (Some(hazard), Some(safety)) = (remedy.hazard(), remedy.safety()) else { return 0 };
        let has_safety = self.hand[safety] > 0;
        if self.table.is_immune(hazard) || has_safety {
            return if has_safety && safety == Card::RightOfWay { 30 } else { 0 };
        }
        let in_force = i32::from(self.table.hazards().contains(&hazard));
        let mut uses = self.unseen[hazard] + in_force;
        if remedy == Card::GreenLight {
            uses += i32::from(!self.table.moving);
            if self.view.rules.family == Family::Classic {
                // Every breakdown needs one as well.
                uses += self.unseen.of(&[Card::OutOfGas, Card::FlatTire, Card::Accident]);
            }
        }
        match copies {
            _ if copies > uses => 0,
            2.. if remedy == Card::GreenLight => 120 / copies,
            2.. => 5,
            _ => self.keep(remedy) + 100 * in_force,
        }
    }

    fn keep(&self, card: Card) -> i32 {
        keep(self.view.rules.family)[card as usize]
    }

    /// Express: what it costs to leave an open card that the next seat could play at once.
    fn gift(&self, card: Card) -> i32 {
        let view = self.view;
        let team = view.team_of((view.seat + 1) % view.sizes.len());
        let given = team != view.team() && view.tables[team].accepts.contains(&card);
        if given && view.rules.family == Family::Express { 150 } else { 0 }
    }

    /// Whether the open card is better than an unknown one.
    pub fn takes_open_card(&self) -> bool {
        let Some(card) = self.view.discard_pile.last().copied().flatten() else { return false };
        if card.is_safety() {
            return true;
        }
        let mut worth = self.use_of(card, self.hand[card] + 1);
        if self.table.accepts.contains(&card) && !(card.is_distance() && self.hand[card] > 0) {
            worth += 250;
        }
        worth > 220
    }

    /// 300 km more only far ahead, with half of the cards still to come.
    pub fn should_extend(&self) -> bool {
        self.turns >= 15 && self.rivals.iter().all(|table| table.km <= 200 && !table.moving)
    }
}

/// Whether one or more of `cards`, at most so many, make exactly `total` km.
fn some_make(cards: &[Card], total: i32, most: usize) -> bool {
    let Some((first, rest)) = cards.split_first() else { return false };
    most > 0
        && (first.km() == total
            || some_make(rest, total - first.km(), most - 1)
            || some_make(rest, total, most))
}
