//! Bots for Mille Arena. A bot is one type with one method:
//!
//! ```no_run
//! use arena_sdk::{Action, Bot, Prompt, run};
//!
//! struct FirstBot;
//!
//! impl Bot for FirstBot {
//!     fn choose(&mut self, prompt: &Prompt) -> Action {
//!         prompt.legal[0]
//!     }
//! }
//!
//! fn main() {
//!     run(FirstBot);
//! }
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod actions;
mod bot;
mod cards;
mod convert;
mod convert_action;
mod convert_match;
mod failures;
mod link;
mod notes;
mod player;
mod prompt;
#[allow(missing_docs, clippy::all)]
#[rustfmt::skip]
#[path = "generated/millearena.v1.rs"]
mod proto;
mod rules;
mod running;
mod stream;
pub mod testing;
#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod tests;
mod values;
mod view;
mod words;

pub use actions::{Action, Verb};
pub use bot::{Bot, rng};
pub use cards::{CLASSIC_DECK, Card, Counts, EXPRESS_DECK, SHORT_DECK};
pub use fastrand::Rng;
pub use notes::note;
pub use prompt::Prompt;
pub use rules::{
    BonusOverflow, DelayedActionTrigger, ExpressExhaustedDraw, ExpressSafetyDraw, Family, MatchTie,
    PlateauExhaustion, RuleSet, ShutoutRule,
};
pub use running::run;
pub use values::{
    FaultBudget, HandResult, Knowledge, MatchResult, Outcome, Rejection, RejectionReason,
    ScoreKind, TimeControl, Welcome, WindowMode,
};
pub use view::{Event, EventKind, HandEnd, Resume, Stage, Table, View};
