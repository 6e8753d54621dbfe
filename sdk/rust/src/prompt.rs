//! A question to a bot: what it may know, what it can do, how long it may take.

use std::time::{Duration, Instant};

use crate::actions::Action;
use crate::cards::Card;
use crate::view::{Stage, View};

/// One question, with everything that the seat may know.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What is asked: `Draw`, `Play`, `Respond`, `Extend` or `Top`.
    pub kind: Stage,
    /// The hand as this seat may know it.
    pub view: View,
    /// The legal actions, at least one: plays in deck order, attacks, discards.
    pub legal: Vec<Action>,
    /// What is played if no answer comes in time.
    pub default: Action,
    /// What the answer may take for free; for a response, at all.
    pub time_limit: Duration,
    /// What is left in the bank, from which comes what takes longer. A response has none.
    pub bank_left: Duration,
    /// Number of this game, from 0.
    pub game: i32,
    /// Number of this hand in the game, from 0.
    pub hand: i32,
    /// When the prompt came.
    pub arrived: Instant,
}

impl Prompt {
    /// Whether the bot is asked: not if it can only pass.
    pub fn has_choice(&self) -> bool {
        self.legal != [Action::Pass]
    }

    /// Until the answer is late, by this machine's clock; zero when it is. A courtesy: the
    /// referee's own clock decides, and it began a little earlier.
    pub fn time_left(&self) -> Duration {
        let bank = if self.kind == Stage::Respond { Duration::ZERO } else { self.bank_left };
        (self.time_limit + bank).saturating_sub(self.arrived.elapsed())
    }

    /// Until the answer costs something of the bank.
    pub fn free_time_left(&self) -> Duration {
        self.time_limit.saturating_sub(self.arrived.elapsed())
    }

    /// Distance cards that can be played, shortest first.
    pub fn drives(&self) -> Vec<Action> {
        self.plays_of(Card::is_distance)
    }

    /// Remedies that can be played.
    pub fn remedies(&self) -> Vec<Action> {
        self.plays_of(Card::is_remedy)
    }

    /// Safeties that can be played.
    pub fn safeties(&self) -> Vec<Action> {
        self.plays_of(Card::is_safety)
    }

    /// Cards that can be laid on one's own table: the three above.
    pub fn plays(&self) -> Vec<Action> {
        self.plays_of(|_| true)
    }

    /// Hazards that can be laid on others; each says on which team.
    pub fn attacks(&self) -> Vec<Action> {
        self.those(|action| matches!(action, Action::Attack(..)))
    }

    /// Cards that can be thrown away.
    pub fn discards(&self) -> Vec<Action> {
        self.those(|action| matches!(action, Action::Discard(_)))
    }

    /// The coup fourré that answers the attack, if one can be played.
    pub fn coup_fourre(&self) -> Option<Action> {
        self.legal.iter().copied().find(|action| matches!(action, Action::CoupFourre(_)))
    }

    /// The legal action of that text, such as `draw discard`.
    pub fn find(&self, text: &str) -> Option<Action> {
        self.legal.iter().copied().find(|action| action.to_string() == text)
    }

    fn plays_of(&self, kind: impl Fn(Card) -> bool) -> Vec<Action> {
        self.those(|action| matches!(action, Action::Play(card) if kind(card)))
    }

    fn those(&self, wanted: impl Fn(Action) -> bool) -> Vec<Action> {
        self.legal.iter().copied().filter(|&action| wanted(action)).collect()
    }
}
