use std::fs;
use std::time::Instant;

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, SerializeOptions};
use serde_json::{Value, json};

use super::streams::{Talk, tell};
use crate::actions::Action;
use crate::bot::Bot;
use crate::cards::Card;
use crate::convert;
use crate::convert_action;
use crate::prompt::Prompt;
use crate::proto as pb;
use crate::view::{Event, Table, View};
use pb::play_response::Message as Told;

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cases: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    assert!(!cases.is_empty());
    cases
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{}: no {key}", case["name"]))
}

fn bytes(case: &Value, key: &str) -> Vec<u8> {
    let digits = text(case, key);
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn told(case: &Value, key: &str) -> pb::PlayResponse {
    pb::PlayResponse::decode(&*bytes(case, key)).expect("a PlayResponse")
}

fn prompt(case: &Value, key: &str) -> (pb::Prompt, Prompt) {
    let Some(Told::Prompt(message)) = told(case, key).message else { panic!("no prompt") };
    let prompt = convert::prompt(&message, Instant::now()).expect("it can be read");
    (message, prompt)
}

/// What goes through the stubs and out again is read by the protocol's own description.
#[test]
fn messages_are_read_and_written() {
    let pool = DescriptorPool::decode(&include_bytes!("../descriptor.bin")[..]);
    let pool = pool.expect("a description of the protocol");
    for case in cases("messages") {
        let (kind, hex) = (text(&case, "type"), bytes(&case, "hex"));
        let again = match kind {
            "PlayRequest" => pb::PlayRequest::decode(&*hex).map(|one| one.encode_to_vec()),
            _ => pb::PlayResponse::decode(&*hex).map(|one| one.encode_to_vec()),
        };
        let kind = pool.get_message_by_name(&format!("millearena.v1.{kind}")).expect("a message");
        let said = DynamicMessage::decode(kind.clone(), &*again.expect("bytes of a message"));
        let options = SerializeOptions::new().stringify_64_bit_integers(true);
        let said = said.expect("bytes of a message");
        let mut written = said.serialize_with_options(serde_json::value::Serializer, &options);
        assert_eq!(written.as_mut().expect("JSON").take(), case["json"], "{}", case["name"]);
    }
}

#[test]
fn prompts_say_what_is_expected() {
    for case in cases("prompts") {
        let (_, prompt) = prompt(&case, "hex");
        assert_eq!(seen(&prompt), case["expect"], "{}", case["name"]);
    }
}

#[test]
fn answers_are_the_bytes_that_are_expected() {
    for case in cases("answers") {
        let (message, prompt) = prompt(&case, "prompt_hex");
        let action = named(text(&case, "action"));
        let answer = convert_action::answer(&message.prompt_id, &prompt, action, &[]);
        let request = pb::PlayRequest { message: Some(pb::play_request::Message::Answer(answer)) };
        assert_eq!(request.encode_to_vec(), bytes(&case, "hex"), "{}", case["name"]);
    }
}

#[test]
fn what_is_newer_is_passed_over() {
    for case in cases("newer") {
        let name = &case["name"];
        let message = told(&case, "hex");
        let is_prompt = matches!(message.message, Some(Told::Prompt(_)));
        let mut bot = Counting::default();
        let talk = Talk::with(&mut bot, false, vec![tell(message)]);
        match text(&case, "then") {
            "read" => {
                assert_eq!(bot.heard, 1, "{name}");
                assert_eq!(talk.said.len(), usize::from(is_prompt), "{name}");
                assert_eq!(talk.report, None, "{name}");
            }
            "default" => {
                let sent: Vec<_> = talk.said.iter().map(Message::encode_to_vec).collect();
                assert_eq!(sent, [bytes(&case, "answer_hex")], "{name}");
                assert_eq!(bot.heard, 0, "{name}");
                assert!(talk.report.is_some_and(|line| line.contains("1 message newer")), "{name}");
            }
            "pass over" => {
                assert_eq!((bot.heard, talk.said.len()), (0, 0), "{name}");
                assert!(talk.report.is_some_and(|line| line.contains("1 message newer")), "{name}");
            }
            then => panic!("{name}: {then} is not known here"),
        }
    }
}

/// Counts what it is asked and told.
#[derive(Default)]
struct Counting {
    heard: usize,
}

impl Bot for Counting {
    fn choose(&mut self, prompt: &Prompt) -> Action {
        self.heard += 1;
        prompt.default
    }

    fn game_started(&mut self, _: &crate::Welcome) {
        self.heard += 1;
    }

    fn rejected(&mut self, rejection: &crate::Rejection) {
        assert_eq!(rejection.reason, crate::RejectionReason::Unknown);
        self.heard += 1;
    }
}

// -- a prompt in the words of the vectors -------------------------------------------------------

fn named(text: &str) -> Action {
    let cards = Card::ALL.into_iter().flat_map(|card| {
        let attacks = (0..10).map(move |team| Action::Attack(card, team));
        [Action::Play(card), Action::Discard(card), Action::CoupFourre(card), Action::Top(card)]
            .into_iter()
            .chain(attacks)
    });
    [Action::DrawPile, Action::DrawDiscard, Action::Pass, Action::Extend, Action::Stop]
        .into_iter()
        .chain(cards)
        .find(|action| action.to_string() == text)
        .unwrap_or_else(|| panic!("no action is called {text}"))
}

fn words<T: ToString>(found: impl IntoIterator<Item = T>) -> Value {
    found.into_iter().map(|one| one.to_string()).collect()
}

fn word<T: ToString>(found: Option<T>) -> Value {
    found.map_or(Value::Null, |one| one.to_string().into())
}

fn name(word: impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for letter in format!("{word:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

fn seen(prompt: &Prompt) -> Value {
    json!({
        "kind": name(prompt.kind),
        "has_choice": prompt.has_choice(),
        "legal": words(&prompt.legal),
        "default": prompt.default.to_string(),
        "drives": words(prompt.drives()),
        "remedies": words(prompt.remedies()),
        "safeties": words(prompt.safeties()),
        "plays": words(prompt.plays()),
        "attacks": words(prompt.attacks()),
        "discards": words(prompt.discards()),
        "coup_fourre": word(prompt.coup_fourre()),
        "time_limit_ms": prompt.time_limit.as_millis() as u64,
        "bank_left_ms": prompt.bank_left.as_millis() as u64,
        "game": prompt.game,
        "hand": prompt.hand,
        "view": seen_of(&prompt.view),
    })
}

fn seen_of(view: &View) -> Value {
    let to_go = (0..view.tables.len()).map(|team| view.to_go(team));
    let unseen = view.unseen();
    json!({
        "seat": view.seat,
        "team": view.team(),
        "family": name(view.rules.family),
        "cards": words(&view.cards),
        "sizes": view.sizes,
        "draw_count": view.draw_count,
        "target": view.target,
        "attack": word(view.attack),
        "discard_pile": view.discard_pile.iter().map(|&card| word(card)).collect::<Value>(),
        "to_go": to_go.collect::<Value>(),
        "rivals": view.rivals(),
        "unseen": unseen.iter().map(|(_, count)| count).collect::<Value>(),
        "history": view.history.iter().map(event).collect::<Value>(),
        "tables": view.tables.iter().map(table).collect::<Value>(),
    })
}

fn event(event: &Event) -> Value {
    json!({
        "kind": name(event.kind),
        "seat": event.seat,
        "card": word(event.card),
        "team": event.team,
    })
}

fn table(table: &Table) -> Value {
    let immune = Card::HAZARDS.into_iter().filter(|&hazard| table.is_immune(hazard));
    json!({
        "battle": words(&table.battle),
        "speed": words(&table.speed),
        "distance": words(&table.distance),
        "safeties": words(&table.safeties),
        "km": table.km,
        "started": table.started,
        "moving": table.moving,
        "limited": table.limited,
        "stopped_by": word(table.stopped_by()),
        "hazards": words(table.hazards()),
        "needs": words(table.needs()),
        "accepts": words(&table.accepts),
        "suffers": words(&table.suffers),
        "immune_to": words(immune),
    })
}
