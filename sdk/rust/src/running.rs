//! `run`: a bot's whole life as a program.

use std::env;
use std::process;
use std::sync::mpsc;
use std::thread;

use tokio::sync::mpsc::unbounded_channel;

use crate::bot::Bot;
use crate::failures::{Ended, say};
use crate::link::{Referee, endpoint, live};
use crate::player::Player;
use crate::proto as pb;
use crate::stream::{Conversation, Inbox};

const PROTOCOL_VERSION: i32 = 1;

/// Play with `bot` at the referee that ARENA_ADDRESS names, and return when it is over.
///
/// With ARENA_STRICT=1 the first panic of the bot ends the program. The program ends with code 1
/// and one line on standard error that says why if ARENA_ADDRESS is not set or the referee refuses
/// the bot or goes away.
pub fn run(mut bot: impl Bot) {
    let played = referee().and_then(|referee| play(&mut bot, referee));
    if let Err(why) = played {
        say(&format!("arena_sdk: {why}"));
        process::exit(1);
    }
}

fn referee() -> Result<Referee, String> {
    let address = env::var("ARENA_ADDRESS").unwrap_or_default();
    if address.is_empty() {
        return Err("ARENA_ADDRESS is not set; start the bot with `arena match`".to_owned());
    }
    let right = "must be unix:PATH or HOST:PORT";
    let endpoint =
        endpoint(&address).ok_or_else(|| format!("ARENA_ADDRESS '{address}': {right}"))?;
    // The token is never shown.
    let token = env::var_os("ARENA_TOKEN").filter(|token| !token.is_empty());
    let token = token.map(|token| token.to_str().and_then(|text| text.parse().ok()));
    match token {
        Some(None) => Err("ARENA_TOKEN: must be printable ASCII".to_owned()),
        token => Ok(Referee { endpoint, token: token.flatten() }),
    }
}

fn play(bot: &mut dyn Bot, referee: Referee) -> Result<(), String> {
    let (requests, to_send) = unbounded_channel();
    let (mail, inbox) = mpsc::channel();
    let _ = requests.send(pb::PlayRequest { message: Some(join(bot)) });
    let wire = thread::Builder::new().name("arena_sdk".to_owned());
    wire.spawn(move || live(referee, to_send, &mail))
        .map_err(|error| format!("no thread for the connection: {error}"))?;
    let mut send = |message| {
        let _ = requests.send(message); // nobody is there any more: the inbox says why
    };
    let is_strict = !["", "0"].contains(&env::var("ARENA_STRICT").unwrap_or_default().as_str());
    let mut player = Player::new(bot, is_strict);
    let inbox = Inbox::new(inbox);
    let ended = Conversation { player: &mut player, inbox, send: &mut send }.run();
    ended.map_err(|ended| match ended {
        Ended::Strict(what) => format!("strict play ends here: {what}"),
        Ended::NoReferee(why) => why,
    })
}

fn join(bot: &dyn Bot) -> pb::play_request::Message {
    pb::play_request::Message::Join(pb::Join {
        protocol_version: PROTOCOL_VERSION,
        bot_name: bot.name(),
        bot_version: bot.version(),
        sdk: concat!("arena_sdk-rust ", env!("CARGO_PKG_VERSION")).to_owned(),
    })
}
