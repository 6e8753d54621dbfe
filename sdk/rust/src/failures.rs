//! What a bot's methods panic with: it goes to the bot's log, and is counted for a line at its end.

use std::any::Any;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

const LONGEST: usize = 200;

/// Why a bot's program ends before the match is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// In strict play the bot has failed.
    Strict(String),
    /// The stream could not be opened, was refused, or ended early.
    NoReferee(String),
}

/// Counts what the methods of a bot fail with, by method.
pub(crate) struct Failures {
    is_strict: bool,
    methods: Vec<Method>,
}

struct Method {
    name: &'static str,
    count: usize,
    last: String,
}

impl Failures {
    pub fn new(is_strict: bool) -> Self {
        Self { is_strict, methods: Vec::new() }
    }

    /// Count what `method` has failed with. In strict play it is the end.
    pub fn take(&mut self, method: &'static str, what: &str) -> Result<(), Ended> {
        let last = in_one_line(what);
        if self.is_strict {
            return Err(Ended::Strict(format!("{method} raised {last}")));
        }
        match self.methods.iter_mut().find(|one| one.name == method) {
            Some(one) => {
                one.count += 1;
                one.last = last;
            }
            None => self.methods.push(Method { name: method, count: 1, last }),
        }
        Ok(())
    }

    /// What there was, a phrase for each method.
    pub fn summary(&self) -> Vec<String> {
        self.methods.iter().map(Method::phrase).collect()
    }
}

impl Method {
    fn phrase(&self) -> String {
        let Method { name, count, last } = self;
        let is_question = ["choose", "respond"].contains(name);
        let played = if is_question { "; default actions were played" } else { "" };
        format!("{name} raised {} (last: {last}){played}", so_many(*count, "time"))
    }
}

/// Run a bot's code. What it panics with, Rust itself has written to standard error, with the place.
pub(crate) fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|what| words(&*what).to_owned())
}

fn words(what: &(dyn Any + Send)) -> &str {
    let text = what.downcast_ref::<&str>().copied();
    text.or_else(|| what.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}

fn in_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST - 3).chain("...".chars()).collect()
}

pub(crate) fn so_many(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Write a line to standard error; nobody is there to be told that it cannot be.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
