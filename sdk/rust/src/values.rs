//! What a bot is told besides prompts. A word of the protocol that is newer than this SDK reads as
//! `Unknown`, or as `None`.

use std::time::Duration;

use crate::actions::Action;
use crate::rules::RuleSet;
use crate::view::{Event, HandEnd, team_of};
use crate::words::words;

/// A game begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Welcome {
    /// Your seat in this game, from 0; it changes from leg to leg.
    pub seat: usize,
    /// The seats of each team.
    pub teams: Vec<Vec<usize>>,
    /// The rules, every option.
    pub rules: RuleSet,
    /// How long answers may take.
    pub time: TimeControl,
    /// How response windows are run.
    pub window_mode: WindowMode,
    /// What you may do wrong, and how often.
    pub faults: FaultBudget,
    /// Who knows what.
    pub knowledge: Knowledge,
    /// Number of this game, from 0.
    pub game: i32,
    /// How many games will be played on this stream.
    pub games: i32,
}

impl Welcome {
    /// Your team in this game.
    pub fn team(&self) -> usize {
        team_of(&self.teams, self.seat).expect("every seat has a team: it was read so")
    }
}

/// How long answers may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// From the start of the bot's process until it has joined.
    pub start_up: Duration,
    /// Free time for each prompt but those of a response window.
    pub turn: Duration,
    /// What prompts take beyond `turn` comes out of it; one for each game.
    pub bank: Duration,
    /// For a response, never charged to the bank.
    pub response_window: Duration,
}

/// What a bot may do wrong in a match before it forfeits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultBudget {
    /// So many prompts that timed out or were answered with something illegal are a forfeit.
    pub max_strikes: i32,
    /// Messages for each prompt, the answer and notes together.
    pub messages_per_prompt: i32,
    /// Messages beyond that, and answers that are late, doubled or to no prompt.
    pub surplus_messages: i32,
    /// Bytes of a note that are kept.
    pub note_bytes: i32,
}

/// Who knows what at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// Only who discarded a card knows it.
    pub discards_face_down: bool,
    /// The draw pile is dealt into one stripe for each seat.
    pub striped_draw: bool,
    /// A bot stands still while it has no open prompt.
    pub frozen_between_prompts: bool,
}

/// The default action was played for you.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Why.
    pub reason: RejectionReason,
    /// The same in words, with limits and values.
    pub detail: String,
    /// What was played.
    pub played: Option<Action>,
    /// Your strikes so far. A missed response window is none.
    pub strikes: i32,
}

/// A hand is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandResult {
    /// Number of the game, as in prompts.
    pub game: i32,
    /// Number of the hand, as in prompts.
    pub hand: i32,
    /// Why it ended.
    pub end: Option<HandEnd>,
    /// The team that finished or, in a game without points, was ahead.
    pub winner: Option<usize>,
    /// Kilometres by team, bonus included.
    pub km: Vec<i32>,
    /// Points of this hand by team; empty where the game has none.
    pub points: Vec<i32>,
    /// By team, where they come from; empty where the game has none.
    pub sheets: Vec<Vec<(ScoreKind, i32)>>,
    /// Match points by team after this hand; hands won, where the game has no points.
    pub scores: Vec<i32>,
    /// The game has ended with it.
    pub game_over: bool,
    /// The team that won the game; `None` while it goes on, and for a draw.
    pub game_winner: Option<usize>,
    /// What happened since you were last asked.
    pub events: Vec<Event>,
}

/// It is over for this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// Games played.
    pub games: i32,
    /// Of them, games that your team won.
    pub won: i32,
    /// Of them, games that nobody won.
    pub drawn: i32,
    /// How it ended.
    pub outcome: Outcome,
    /// What broke it off, with limits and values; empty if nothing did.
    pub detail: String,
}

impl MatchResult {
    /// Games that another team won.
    pub fn lost(&self) -> i32 {
        self.games - self.won - self.drawn
    }
}

words! {
    /// How it is found out whether an attack is answered with a coup fourré.
    WindowMode {
        /// A mode that is newer than this SDK.
        Unknown = 0,
        /// The attacked team is asked; the window closes when all who are asked have answered.
        Prompt = 1,
        /// The same, but the window lasts its full time unless a coup fourré is played.
        Sealed = 2,
        /// Nobody is asked: standing orders decide at once.
        Standing = 3,
    }
}

words! {
    /// Why the default action was played for a seat.
    RejectionReason {
        /// A reason that is newer than this SDK.
        Unknown = 0,
        /// No answer came in time.
        TimedOut = 1,
        /// The action was not among the legal ones.
        Illegal = 2,
        /// The answer could not be read.
        Malformed = 3,
    }
}

words! {
    /// How it ended.
    Outcome {
        /// A way that is newer than this SDK.
        Unknown = 0,
        /// All games were played out.
        Completed = 1,
        /// A bot has forfeited.
        Forfeit = 2,
        /// The host has failed: the match does not count and is played again.
        Void = 3,
    }
}

words! {
    /// What points are for.
    ScoreKind {
        /// Kilometres.
        Distance = 1,
        /// Safeties exposed.
        Safeties = 2,
        /// All four of them.
        AllSafeties = 3,
        /// Coups fourrés.
        CoupsFourres = 4,
        /// The trip completed.
        Completed = 5,
        /// After an extension.
        Extension = 6,
        /// Without a 200 km card.
        SafeTrip = 7,
        /// With the draw pile empty.
        DelayedAction = 8,
        /// While an opponent has no distance card.
        Shutout = 9,
    }
}
