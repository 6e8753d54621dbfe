//! Tests of the whole; `vectors` holds it against what all SDKs are held against.

mod playing;
mod streams;
mod vectors;

use std::time::Instant;

use crate::cards::Card;
use crate::convert;
use crate::prompt::Prompt;
use crate::proto as pb;
use crate::view::Stage;

/// The first recorded prompt of a kind in which there is something to choose.
fn recorded(kind: Stage) -> Prompt {
    let fits = |prompt: &Prompt| prompt.kind == kind && prompt.has_choice();
    crate::testing::prompts().into_iter().find(fits).expect("there is one of each kind")
}

/// The messages of the recorded prompts.
fn messages() -> Vec<pb::Prompt> {
    use prost::Message;
    let mut left: &[u8] = include_bytes!("../../src/generated/recorded.bin");
    let mut found = Vec::new();
    while !left.is_empty() {
        found.push(pb::Prompt::decode_length_delimited(&mut left).expect("a prompt"));
    }
    found
}

/// A prompt's message with another id, of the given game and hand, and with one event: that
/// `seat` has played D25.
fn message(id: &str, (game, hand): (i32, i32), seat: i32) -> pb::Prompt {
    let fits = |one: &pb::Prompt| one.kind == 2 && one.legal_actions.len() > 1;
    let mut message = messages().into_iter().find(fits).expect("there is one");
    message.prompt_id = id.to_owned();
    message.game_number = game;
    message.hand_number = hand;
    message.time_limit = Some(prost_types::Duration { seconds: 1, nanos: 0 });
    let played = pb::CardPlayed { card: convert::wire(Card::D25) };
    let kind = Some(pb::event::Kind::CardPlayed(played));
    message.view.as_mut().expect("a view").events = vec![pb::Event { seat, kind }];
    message
}

fn only_pass(mut message: pb::Prompt) -> pb::Prompt {
    let pass = pb::Action { kind: Some(pb::action::Kind::Pass(pb::Pass {})) };
    message.legal_actions = vec![pass];
    message.default_index = 0;
    message.kind = pb::Stage::Respond.into();
    message.view.as_mut().expect("a view").stage = pb::Stage::Respond.into();
    message
}

fn read(message: &pb::Prompt) -> Prompt {
    convert::prompt(message, Instant::now()).expect("it can be read")
}
