//! The 19 kinds of card, and the decks.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One kind of card, in deck order: distances, hazards, remedies, safeties. As a number, which
/// `card as usize` gives, they go from 0 to 18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // their names say it
pub enum Card {
    D25,
    D50,
    D75,
    D100,
    D200,
    RedLight,
    SpeedLimit,
    OutOfGas,
    FlatTire,
    Accident,
    GreenLight,
    EndOfLimit,
    Gasoline,
    SpareTire,
    Repairs,
    RightOfWay,
    ExtraTank,
    PunctureProof,
    DrivingAce,
}

use Card::*;

const NAMES: [&str; Card::KINDS] = [
    "D25",
    "D50",
    "D75",
    "D100",
    "D200",
    "RED_LIGHT",
    "SPEED_LIMIT",
    "OUT_OF_GAS",
    "FLAT_TIRE",
    "ACCIDENT",
    "GREEN_LIGHT",
    "END_OF_LIMIT",
    "GASOLINE",
    "SPARE_TIRE",
    "REPAIRS",
    "RIGHT_OF_WAY",
    "EXTRA_TANK",
    "PUNCTURE_PROOF",
    "DRIVING_ACE",
];

impl Card {
    /// How many kinds there are.
    pub const KINDS: usize = 19;

    /// Every kind, in deck order.
    pub const ALL: [Card; Card::KINDS] = [
        D25,
        D50,
        D75,
        D100,
        D200,
        RedLight,
        SpeedLimit,
        OutOfGas,
        FlatTire,
        Accident,
        GreenLight,
        EndOfLimit,
        Gasoline,
        SpareTire,
        Repairs,
        RightOfWay,
        ExtraTank,
        PunctureProof,
        DrivingAce,
    ];
    /// The distance cards, shortest first.
    pub const DISTANCES: [Card; 5] = [D25, D50, D75, D100, D200];
    /// The hazards.
    pub const HAZARDS: [Card; 5] = [RedLight, SpeedLimit, OutOfGas, FlatTire, Accident];
    /// The remedies, in the order of the hazards that they are for.
    pub const REMEDIES: [Card; 5] = [GreenLight, EndOfLimit, Gasoline, SpareTire, Repairs];
    /// The safeties.
    pub const SAFETIES: [Card; 4] = [RightOfWay, ExtraTank, PunctureProof, DrivingAce];

    /// Whether it is a distance card.
    pub fn is_distance(self) -> bool {
        self <= D200
    }

    /// Whether it is a hazard.
    pub fn is_hazard(self) -> bool {
        RedLight <= self && self <= Accident
    }

    /// Whether it is a remedy.
    pub fn is_remedy(self) -> bool {
        GreenLight <= self && self <= Repairs
    }

    /// Whether it is a safety.
    pub fn is_safety(self) -> bool {
        self >= RightOfWay
    }

    /// Kilometres of a distance card; 0 of any other.
    pub fn km(self) -> i32 {
        match self {
            D25 => 25,
            D50 => 50,
            D75 => 75,
            D100 => 100,
            D200 => 200,
            _ => 0,
        }
    }

    /// The remedy of a hazard.
    pub fn remedy(self) -> Option<Card> {
        self.is_hazard().then(|| Self::ALL[self as usize + 5])
    }

    /// The safety against a hazard, or of a remedy.
    pub fn safety(self) -> Option<Card> {
        match self {
            RedLight | SpeedLimit | GreenLight | EndOfLimit => Some(RightOfWay),
            OutOfGas | Gasoline => Some(ExtraTank),
            FlatTire | SpareTire => Some(PunctureProof),
            Accident | Repairs => Some(DrivingAce),
            _ => None,
        }
    }

    /// The hazard that a remedy is for.
    pub fn hazard(self) -> Option<Card> {
        self.is_remedy().then(|| Self::ALL[self as usize - 5])
    }

    /// Its name as in actions: `RED_LIGHT`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The card of that name.
    pub fn named(name: &str) -> Option<Card> {
        Self::ALL.into_iter().find(|card| card.name() == name)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How many there are of each kind of card: `counts[Card::D25]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([i32; Card::KINDS]);

impl Counts {
    pub(crate) const fn new(counts: [i32; Card::KINDS]) -> Self {
        Self(counts)
    }

    /// How many there are of all kinds.
    pub fn total(&self) -> i32 {
        self.0.iter().sum()
    }

    /// How many there are of the kinds that are named.
    pub fn of(&self, kinds: &[Card]) -> i32 {
        kinds.iter().map(|&card| self[card]).sum()
    }

    /// Each kind with its number, in deck order.
    pub fn iter(&self) -> impl Iterator<Item = (Card, i32)> + '_ {
        Card::ALL.into_iter().map(|card| (card, self[card]))
    }
}

impl Index<Card> for Counts {
    type Output = i32;

    fn index(&self, card: Card) -> &i32 {
        &self.0[card as usize]
    }
}

impl IndexMut<Card> for Counts {
    fn index_mut(&mut self, card: Card) -> &mut i32 {
        &mut self.0[card as usize]
    }
}

impl FromIterator<Card> for Counts {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut counts = Self::default();
        for card in cards {
            counts[card] += 1;
        }
        counts
    }
}

/// 106 cards.
pub const CLASSIC_DECK: Counts =
    Counts::new([10, 10, 10, 12, 4, 5, 4, 3, 3, 3, 14, 6, 6, 6, 6, 1, 1, 1, 1]);
/// 101 cards: one of each hazard is left out.
pub const SHORT_DECK: Counts =
    Counts::new([10, 10, 10, 12, 4, 4, 3, 2, 2, 2, 14, 6, 6, 6, 6, 1, 1, 1, 1]);
/// 66 cards.
pub const EXPRESS_DECK: Counts =
    Counts::new([6, 6, 6, 10, 3, 2, 2, 2, 2, 2, 5, 4, 4, 4, 4, 1, 1, 1, 1]);
