//! What an author writes: a `Bot` with `choose`, and whichever hooks it wants.

use std::cell::Cell;
use std::env;

use fastrand::Rng;

use crate::actions::Action;
use crate::cards::Card;
use crate::prompt::Prompt;
use crate::values::{HandResult, MatchResult, Rejection, Welcome};
use crate::view::Event;

/// A player. Write `choose`, and hand one to [`run`](crate::run).
///
/// One process plays one stream of games, and is asked and told things one after the other, in one
/// thread, in the order in which they happened:
///
/// ```text
/// game_started                    for each game
///     hand_started                for each hand
///         saw                     what has happened, before each question
///         choose, respond         a question
///         standing_orders         only where response windows are run so
///         rejected                what was played for you instead
///     hand_over
/// match_over
/// ```
///
/// A method that panics does not end the match: what it says goes to standard error, which is your
/// log, and for a question `prompt.default` is played. All of it runs on your own time.
pub trait Bot {
    /// Answer a prompt with one of `prompt.legal`.
    fn choose(&mut self, prompt: &Prompt) -> Action;

    /// Answer an attack (`prompt.kind` is `Stage::Respond`): the coup fourré or `Action::Pass`.
    /// Asked only if this seat holds the safety. By default `choose` is asked.
    fn respond(&mut self, prompt: &Prompt) -> Action {
        ASKED.set("choose");
        self.choose(prompt)
    }

    /// The hazards to answer with a coup fourré until the next answer. Asked after each answer
    /// where `welcome.window_mode` is `Standing`; `respond` is not asked there. By default every
    /// hazard whose safety is in hand.
    fn standing_orders(&mut self, prompt: &Prompt) -> Vec<Card> {
        let held =
            |hazard: &Card| hazard.safety().is_some_and(|one| prompt.view.cards.contains(&one));
        Card::HAZARDS.into_iter().filter(held).collect()
    }

    /// A game begins.
    fn game_started(&mut self, welcome: &Welcome) {
        let _ = welcome;
    }

    /// This is the first that you hear of a hand; others may have played in it already.
    fn hand_started(&mut self, game: i32, hand: i32) {
        let _ = (game, hand);
    }

    /// What has happened in this hand since the last time, oldest first: every event that your
    /// seat may know, each once.
    fn saw(&mut self, events: &[Event]) {
        let _ = events;
    }

    /// The default action was played for you, because an answer was late or not legal.
    fn rejected(&mut self, rejection: &Rejection) {
        let _ = rejection;
    }

    /// A hand has ended.
    fn hand_over(&mut self, result: &HandResult) {
        let _ = result;
    }

    /// It is over; the program ends after this.
    fn match_over(&mut self, result: &MatchResult) {
        let _ = result;
    }

    /// What the bot calls itself in logs; by default the name of its type.
    fn name(&self) -> String {
        let name = std::any::type_name::<Self>();
        name.rsplit("::").next().unwrap_or(name).to_owned()
    }

    /// Its version, for logs.
    fn version(&self) -> String {
        String::new()
    }
}

thread_local! {
    /// Which method has the question: a trait cannot tell whether `respond` is the default one.
    pub(crate) static ASKED: Cell<&'static str> = const { Cell::new("choose") };
}

/// Chance of a bot's own: from ARENA_BOT_SEED, so that a match can be repeated. Outside a match
/// there is no such seed: it is always the same chance then, so that a test repeats itself.
pub fn rng() -> Rng {
    const FIXED: u64 = 0xa7e4a;
    let seed = env::var("ARENA_BOT_SEED").ok().and_then(|text| text.parse().ok());
    Rng::with_seed(seed.unwrap_or(FIXED))
}
