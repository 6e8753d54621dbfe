//! For a bot's own tests: prompts as a referee has sent them.

use std::time::Instant;

use prost::Message;

use crate::convert;
use crate::prompt::Prompt;
use crate::proto as pb;

static RECORDED: &[u8] = include_bytes!("generated/recorded.bin");

/// Prompts of every kind, of all families and sizes of table, as if they had come just now.
pub fn prompts() -> Vec<Prompt> {
    let mut left = RECORDED;
    let mut prompts = Vec::new();
    while !left.is_empty() {
        let message = pb::Prompt::decode_length_delimited(&mut left).expect("it was written so");
        prompts.push(convert::prompt(&message, Instant::now()).expect("it was written so"));
    }
    prompts
}
