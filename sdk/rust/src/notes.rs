//! Lines for the author's log that wait for the next answer to take them along.
//!
//! A referee counts the messages that a bot sends for each prompt, and a bot that sends too many
//! has lost. So what is too much is not sent at all.

use std::cell::RefCell;
use std::fmt::Display;

use crate::failures::say;
use crate::values::FaultBudget;

/// The notes of one bot. Before the first welcome none are taken.
#[derive(Default)]
pub(crate) struct Notes {
    /// Notes that will not be sent.
    pub dropped: usize,
    /// Notes that may go with an answer.
    pub most: usize,
    bytes: usize,
    waiting: Vec<String>,
}

impl Notes {
    /// From now on this much is taken; one of the messages for a prompt is the answer.
    pub fn allow(&mut self, budget: &FaultBudget) {
        self.most = usize::try_from(budget.messages_per_prompt.saturating_sub(1)).unwrap_or(0);
        self.bytes = usize::try_from(budget.note_bytes).unwrap_or(0);
    }

    /// The notes that wait, which are sent now.
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.waiting)
    }

    fn add(&mut self, text: &str) {
        if self.waiting.len() >= self.most {
            self.dropped += 1;
            return;
        }
        let mut line = text.lines().collect::<Vec<_>>().join(" ").replace('\r', " ");
        let mut end = self.bytes.min(line.len());
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line.truncate(end);
        self.waiting.push(line);
    }
}

thread_local! {
    /// Those of the bot that plays in this thread.
    static PLAYING: RefCell<Option<Notes>> = const { RefCell::new(None) };
}

/// Write a line to your log; no other seat sees it. It goes along with the next answer.
///
/// A referee takes `welcome.faults.note_bytes` of a note, and with each answer one note less than
/// `welcome.faults.messages_per_prompt`; what is longer is cut, further ones are dropped and
/// counted. To be called in the thread in which the bot is asked; elsewhere, and where nobody
/// plays, the line goes to standard error.
pub fn note(text: impl Display) {
    let text = text.to_string();
    let taken = with(|notes| notes.add(&text));
    if taken.is_none() {
        say(&text);
    }
}

/// The same for `format!`: `note!("they lead by {km}")`.
#[macro_export]
macro_rules! note {
    ($($word:tt)*) => {
        $crate::note(::std::format!($($word)*))
    };
}

/// Whoever plays in this thread from now on; `None`: nobody.
pub(crate) fn play(notes: Option<Notes>) {
    PLAYING.set(notes);
}

pub(crate) fn with<T>(act: impl FnOnce(&mut Notes) -> T) -> Option<T> {
    PLAYING.with_borrow_mut(|notes| notes.as_mut().map(act))
}
