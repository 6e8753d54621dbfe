//! What a seat can do.

use std::fmt;

use crate::cards::Card;

/// One action. Its text, such as `play RED_LIGHT on 1`, is what `to_string` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Take the top card of the draw pile; asked in Express only.
    DrawPile,
    /// Take the top card of the discard pile.
    DrawDiscard,
    /// Lay a distance, a remedy or a safety on one's own table.
    Play(Card),
    /// Lay a hazard on the table of a team.
    Attack(Card, usize),
    /// Throw a card away.
    Discard(Card),
    /// Answer an attack with its safety.
    CoupFourre(Card),
    /// Let an attack stand.
    Pass,
    /// Go on to 1000 km.
    Extend,
    /// End the hand at 700 km.
    Stop,
    /// Let this card lie on top of the discard pile.
    Top(Card),
}

/// What kind of thing an action does: the first word of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // as in `Action`
pub enum Verb {
    Draw,
    Play,
    Discard,
    CoupFourre,
    Pass,
    Extend,
    Stop,
    Top,
}

impl Action {
    /// What kind of thing it does; an attack is a `Verb::Play` with a team.
    pub fn verb(self) -> Verb {
        match self {
            Action::DrawPile | Action::DrawDiscard => Verb::Draw,
            Action::Play(_) | Action::Attack(..) => Verb::Play,
            Action::Discard(_) => Verb::Discard,
            Action::CoupFourre(_) => Verb::CoupFourre,
            Action::Pass => Verb::Pass,
            Action::Extend => Verb::Extend,
            Action::Stop => Verb::Stop,
            Action::Top(_) => Verb::Top,
        }
    }

    /// The card, where there is one.
    pub fn card(self) -> Option<Card> {
        match self {
            Action::Play(card)
            | Action::Attack(card, _)
            | Action::Discard(card)
            | Action::CoupFourre(card)
            | Action::Top(card) => Some(card),
            _ => None,
        }
    }

    /// The team that is attacked.
    pub fn team(self) -> Option<usize> {
        match self {
            Action::Attack(_, team) => Some(team),
            _ => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::DrawPile => f.write_str("draw pile"),
            Action::DrawDiscard => f.write_str("draw discard"),
            Action::Play(card) => write!(f, "play {card}"),
            Action::Attack(card, team) => write!(f, "play {card} on {team}"),
            Action::Discard(card) => write!(f, "discard {card}"),
            Action::CoupFourre(card) => write!(f, "coup_fourre {card}"),
            Action::Pass => f.write_str("pass"),
            Action::Extend => f.write_str("extend"),
            Action::Stop => f.write_str("stop"),
            Action::Top(card) => write!(f, "top {card}"),
        }
    }
}
