//! When a bot is asked and told what: the SDK without a wire.
//!
//! A prompt brings the events since the one before it. Those of prompts that the bot never sees are
//! kept and put in front of the next prompt's, so that `view.history` holds everything since the
//! bot was last asked.

use crate::actions::Action;
use crate::bot::{ASKED, Bot};
use crate::cards::Card;
use crate::failures::{Ended, Failures, guarded, say, so_many};
use crate::notes::{self, Notes};
use crate::prompt::Prompt;
use crate::values::{HandResult, MatchResult, Rejection, Welcome, WindowMode};
use crate::view::{Event, Stage};

/// Events of one hand that the bot has not been shown.
struct Unseen {
    at: (i32, i32),
    first_event: i32,
    events: Vec<Event>,
}

/// A bot at the table, for one stream of games. Whatever is an error ends the program.
pub(crate) struct Player<'a> {
    bot: &'a mut dyn Bot,
    failures: Failures,
    gives_orders: bool,
    /// Game and hand that the bot has heard of.
    at: Option<(i32, i32)>,
    unseen: Option<Unseen>,
    newer: usize,
    last_newer: String,
}

impl<'a> Player<'a> {
    pub fn new(bot: &'a mut dyn Bot, is_strict: bool) -> Self {
        notes::play(Some(Notes::default()));
        Self {
            bot,
            failures: Failures::new(is_strict),
            gives_orders: false,
            at: None,
            unseen: None,
            newer: 0,
            last_newer: String::new(),
        }
    }

    // -- questions ------------------------------------------------------------------------------

    /// What the bot does; `pass`, at once and without asking it, if that is all it can.
    pub fn answer(&mut self, prompt: &mut Prompt) -> Result<Action, Ended> {
        if !prompt.has_choice() {
            self.skip(prompt)?;
            return Ok(Action::Pass);
        }
        self.add_unseen(prompt)?;
        self.enter((prompt.game, prompt.hand))?;
        self.show(&prompt.view.history)?;
        let is_attacked = prompt.kind == Stage::Respond;
        ASKED.set(if is_attacked { "respond" } else { "choose" });
        let bot = &mut self.bot;
        let action = guarded(|| if is_attacked { bot.respond(prompt) } else { bot.choose(prompt) });
        match action {
            Ok(action) => Ok(action),
            Err(what) => self.failures.take(ASKED.get(), &what).map(|()| prompt.default),
        }
    }

    /// The hazards that the bot wants answered, after its answer to `prompt`: none where windows
    /// are not run so, or if it fails to say.
    pub fn orders(&mut self, prompt: &Prompt) -> Result<Vec<Card>, Ended> {
        if !self.gives_orders {
            return Ok(Vec::new());
        }
        let bot = &mut self.bot;
        let orders = guarded(|| bot.standing_orders(prompt)).and_then(hazards);
        match orders {
            Ok(orders) => Ok(orders),
            Err(what) => self.failures.take("standing_orders", &what).map(|()| Vec::new()),
        }
    }

    /// Leave a prompt unasked, but keep its events.
    pub fn skip(&mut self, prompt: &mut Prompt) -> Result<(), Ended> {
        self.add_unseen(prompt)?;
        self.unseen = Some(Unseen {
            at: (prompt.game, prompt.hand),
            first_event: prompt.view.first_event,
            events: std::mem::take(&mut prompt.view.history),
        });
        Ok(())
    }

    // -- news -----------------------------------------------------------------------------------

    pub fn welcome(&mut self, welcome: &Welcome) -> Result<(), Ended> {
        self.show_unseen()?;
        notes::with(|notes| notes.allow(&welcome.faults));
        self.gives_orders = welcome.window_mode == WindowMode::Standing;
        self.call("game_started", |bot| bot.game_started(welcome))
    }

    pub fn rejected(&mut self, rejection: &Rejection) -> Result<(), Ended> {
        self.call("rejected", |bot| bot.rejected(rejection))
    }

    pub fn hand_over(&mut self, result: &HandResult) -> Result<(), Ended> {
        self.show_unseen()?;
        self.enter((result.game, result.hand))?;
        self.show(&result.events)?;
        self.call("hand_over", |bot| bot.hand_over(result))
    }

    pub fn match_over(&mut self, result: &MatchResult) -> Result<(), Ended> {
        self.show_unseen()?;
        self.call("match_over", |bot| bot.match_over(result))
    }

    /// Something came that is newer than this SDK; a prompt among it got the default.
    pub fn passed_over(&mut self, why: String) {
        self.newer += 1;
        self.last_newer = why;
    }

    /// What went wrong, if anything did, in one line for standard error.
    pub fn report(&self) -> Option<String> {
        let mut phrases = self.failures.summary();
        let (dropped, most) = notes::with(|notes| (notes.dropped, notes.most)).unwrap_or_default();
        if dropped > 0 {
            let notes = so_many(dropped, "note");
            phrases.push(format!("{notes} dropped, {most} fit an answer"));
        }
        if self.newer > 0 {
            let messages = so_many(self.newer, "message");
            let last = &self.last_newer;
            phrases.push(format!("{messages} newer than this SDK passed over (last: {last})"));
        }
        (!phrases.is_empty()).then(|| format!("arena_sdk: {}", phrases.join("; ")))
    }

    // -- inside ---------------------------------------------------------------------------------

    fn call(&mut self, hook: &'static str, act: impl FnOnce(&mut dyn Bot)) -> Result<(), Ended> {
        let bot = &mut *self.bot;
        guarded(|| act(bot)).or_else(|what| self.failures.take(hook, &what))
    }

    /// Tell the bot of a hand that it has not heard of.
    fn enter(&mut self, at: (i32, i32)) -> Result<(), Ended> {
        if self.at == Some(at) {
            return Ok(());
        }
        self.at = Some(at);
        self.call("hand_started", |bot| bot.hand_started(at.0, at.1))
    }

    fn show(&mut self, events: &[Event]) -> Result<(), Ended> {
        if events.is_empty() {
            return Ok(());
        }
        self.call("saw", |bot| bot.saw(events))
    }

    /// Put the events that the bot has missed in this hand in front of the prompt's.
    fn add_unseen(&mut self, prompt: &mut Prompt) -> Result<(), Ended> {
        let Some(unseen) = self.unseen.take_if(|one| one.at == (prompt.game, prompt.hand)) else {
            return self.show_unseen();
        };
        prompt.view.first_event = unseen.first_event;
        prompt.view.history.splice(0..0, unseen.events);
        Ok(())
    }

    /// Show what is left of a hand in which the bot was not asked again.
    fn show_unseen(&mut self) -> Result<(), Ended> {
        let Some(unseen) = self.unseen.take() else { return Ok(()) };
        self.enter(unseen.at)?;
        self.show(&unseen.events)
    }
}

impl Drop for Player<'_> {
    /// Notes that no answer has taken along are the bot's last words.
    fn drop(&mut self) {
        for line in notes::with(Notes::take).unwrap_or_default() {
            say(&line);
        }
        if let Some(line) = self.report() {
            say(&line);
        }
        notes::play(None);
    }
}

/// Standing orders, checked: whoever names a safety has misunderstood something.
fn hazards(mut cards: Vec<Card>) -> Result<Vec<Card>, String> {
    cards.sort_unstable();
    cards.dedup();
    match cards.iter().find(|card| !card.is_hazard()) {
        Some(card) => Err(format!("standing_orders returned {card}, which is no hazard")),
        None => Ok(cards),
    }
}
