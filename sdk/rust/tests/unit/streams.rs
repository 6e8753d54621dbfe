//! What is said on a stream, with a referee that says what it is told to.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::{message, only_pass};
use crate::actions::Action;
use crate::bot::Bot;
use crate::failures::Ended;
use crate::player::Player;
use crate::prompt::Prompt;
use crate::proto as pb;
use crate::stream::{Conversation, Inbox, Mail};
use crate::values::Rejection;
use crate::view::Event;
use pb::play_request::Message as Said;
use pb::play_response::Message as Told;

pub fn tell(message: pb::PlayResponse) -> Mail {
    Mail::Message(Box::new(message), Instant::now())
}

fn told(message: Told) -> Mail {
    tell(pb::PlayResponse { message: Some(message) })
}

fn welcome() -> Mail {
    let rule_set = message("", (0, 0), 0).view.expect("a view").rule_set;
    let fault_budget = Some(pb::FaultBudget {
        max_strikes: 3,
        messages_per_prompt: 3,
        surplus_messages: 64,
        note_bytes: 8,
    });
    let teams = vec![pb::Team { seats: vec![0] }, pb::Team { seats: vec![1] }];
    told(Told::Welcome(pb::Welcome { rule_set, fault_budget, teams, ..Default::default() }))
}

fn rejection(id: &str) -> Mail {
    told(Told::Rejection(pb::Rejection { prompt_id: id.to_owned(), ..Default::default() }))
}

fn over() -> Mail {
    told(Told::MatchOver(pb::MatchOver { game_count: 1, ..Default::default() }))
}

/// What came of one stream.
pub struct Talk {
    pub said: Vec<pb::PlayRequest>,
    pub ended: Result<(), Ended>,
    pub report: Option<String>,
}

impl Talk {
    /// Everything is there before the bot is asked for the first time.
    pub fn with(bot: &mut dyn Bot, is_strict: bool, mails: Vec<Mail>) -> Self {
        let (sender, mail) = mpsc::channel();
        mails.into_iter().for_each(|one| sender.send(one).expect("somebody listens"));
        drop(sender);
        let mut said = Vec::new();
        let mut player = Player::new(bot, is_strict);
        let mut send = |message| said.push(message);
        let inbox = Inbox::new(mail);
        let ended = Conversation { player: &mut player, inbox, send: &mut send }.run();
        let report = player.report();
        drop(player);
        Self { said, ended, report }
    }

    /// Ids of the prompts that were answered, and notes.
    fn words(&self) -> Vec<&str> {
        self.said.iter().map(word).collect()
    }
}

fn word(request: &pb::PlayRequest) -> &str {
    match request.message.as_ref().expect("a message with an arm") {
        Said::Answer(answer) => &answer.prompt_id,
        Said::Note(note) => &note.text,
        Said::Join(_) => "join",
    }
}

fn prompt(id: &str) -> Mail {
    told(Told::Prompt(message(id, (0, 0), 0)))
}

/// Does what it is told for each question, and keeps what it heard.
#[derive(Default)]
struct Scripted {
    thinks: Vec<Duration>,
    notes: Vec<&'static str>,
    panics: bool,
    illegal: bool,
    heard: Vec<String>,
    events: usize,
}

impl Bot for Scripted {
    fn choose(&mut self, prompt: &Prompt) -> Action {
        self.heard.push(format!("choose after {} events", prompt.view.history.len()));
        if !self.thinks.is_empty() {
            std::thread::sleep(self.thinks.remove(0)); // the thought itself is what is tested
        }
        self.notes.drain(..).for_each(crate::note);
        assert!(!self.panics, "lost my way\nat {}", prompt.hand);
        if self.illegal { Action::Extend } else { prompt.legal[1] }
    }

    fn saw(&mut self, events: &[Event]) {
        self.events += events.len();
    }

    fn rejected(&mut self, _: &Rejection) {
        self.heard.push("rejected".to_owned());
    }
}

const LONG: Duration = Duration::from_millis(1100);

#[test]
fn a_match_is_played_to_its_end() {
    let mut bot = Scripted::default();
    let talk = Talk::with(&mut bot, false, vec![welcome(), prompt("a"), prompt("b"), over()]);
    assert_eq!(talk.words(), ["a", "b"]);
    assert_eq!((talk.ended, talk.report), (Ok(()), None));
    assert_eq!(bot.events, 2);
}

#[test]
fn a_stream_that_ends_before_is_said() {
    let talk = Talk::with(&mut Scripted::default(), false, vec![welcome(), prompt("a")]);
    let why = "the referee ended the stream before the match was over";
    assert_eq!(talk.ended, Err(Ended::NoReferee(why.to_owned())));
    let refused = vec![Mail::End(Err("UNAUTHENTICATED: no token".to_owned()))];
    let talk = Talk::with(&mut Scripted::default(), false, refused);
    assert_eq!(talk.ended, Err(Ended::NoReferee("UNAUTHENTICATED: no token".to_owned())));
}

#[test]
fn only_pass_is_passed_without_asking_and_its_events_come_later() {
    let passed = told(Told::Prompt(only_pass(message("a", (0, 0), 1))));
    let mut bot = Scripted::default();
    let talk = Talk::with(&mut bot, false, vec![passed, prompt("b"), over()]);
    assert_eq!(talk.words(), ["a", "b"]);
    assert_eq!(bot.heard, ["choose after 2 events"]);
    assert_eq!(bot.events, 2);
}

#[test]
fn one_slip_costs_one_decision() {
    let mut bot = Scripted { thinks: vec![LONG], ..Default::default() };
    // While it thinks about `a`, that is closed, and so is `b`; `c` is open.
    let mails = [prompt("a"), rejection("a"), prompt("b"), rejection("b"), prompt("c"), over()];
    let mut mails = Vec::from(mails);
    mails.insert(0, welcome());
    let talk = Talk::with(&mut bot, false, mails);
    // All of it was there when the bot came back: nothing was left to answer after `over`.
    assert_eq!(talk.words(), Vec::<&str>::new());
    assert_eq!(bot.heard, ["choose after 1 events", "rejected", "rejected"]);
    assert_eq!(bot.events, 3, "those of skipped prompts are not lost");
}

#[test]
fn the_open_prompt_is_asked_after_a_slip() {
    let mut bot = Scripted { thinks: vec![LONG], notes: vec!["late"], ..Default::default() };
    let mails = vec![welcome(), prompt("a"), rejection("a"), prompt("b")];
    let talk = Talk::with(&mut bot, false, mails);
    // The late answer goes out for the referee to count, its note waits for one that is in time.
    assert_eq!(talk.words(), ["a", "late", "b"]);
    assert_eq!(bot.heard, ["choose after 1 events", "rejected", "choose after 1 events"]);
}

#[test]
fn notes_are_cut_and_counted() {
    let notes = vec!["two\nlines", "drei Füße", "too many"];
    let mut bot = Scripted { notes, ..Default::default() };
    let talk = Talk::with(&mut bot, false, vec![welcome(), prompt("a"), over()]);
    assert_eq!(
        talk.words(),
        ["two line", "drei F\u{fc}", "a"],
        "at most 8 bytes, whole characters"
    );
    assert_eq!(talk.report.as_deref(), Some("arena_sdk: 1 note dropped, 2 fit an answer"));
}

#[test]
fn a_panic_is_counted_and_the_default_is_played() {
    let mut bot = Scripted { panics: true, ..Default::default() };
    let talk = Talk::with(&mut bot, false, vec![welcome(), prompt("a"), prompt("b"), over()]);
    let report = "arena_sdk: choose raised 2 times (last: lost my way at 0); \
                  default actions were played";
    assert_eq!(talk.report.as_deref(), Some(report));
    for request in &talk.said {
        let Some(Said::Answer(answer)) = &request.message else { panic!("{request:?}") };
        let default = message("a", (0, 0), 0).default_index;
        assert_eq!(answer.choice, Some(pb::answer::Choice::LegalIndex(default)));
    }
    assert_eq!(talk.said.len(), 2);
}

#[test]
fn in_strict_play_a_panic_is_the_end() {
    let mut bot = Scripted { panics: true, ..Default::default() };
    let talk = Talk::with(&mut bot, true, vec![welcome(), prompt("a"), over()]);
    let why = Ended::Strict("choose raised lost my way at 0".to_owned());
    assert_eq!((talk.ended, talk.said.len()), (Err(why), 0));
}

#[test]
fn what_is_not_legal_is_sent_as_it_is() {
    let mut bot = Scripted { illegal: true, ..Default::default() };
    let talk = Talk::with(&mut bot, false, vec![welcome(), prompt("a"), over()]);
    let Some(Said::Answer(answer)) = &talk.said[0].message else { panic!("no answer") };
    let extend = pb::Action { kind: Some(pb::action::Kind::Extend(pb::Extend {})) };
    assert_eq!(answer.choice, Some(pb::answer::Choice::Action(extend)));
}
