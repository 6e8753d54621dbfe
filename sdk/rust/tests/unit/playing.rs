//! When a bot is asked and told what.

use super::{message, only_pass, read, recorded};
use crate::actions::Action;
use crate::bot::Bot;
use crate::cards::Card;
use crate::convert_match;
use crate::link::endpoint;
use crate::player::Player;
use crate::prompt::Prompt;
use crate::proto as pb;
use crate::values::{HandResult, MatchResult, Welcome, WindowMode};
use crate::view::{Event, Stage};

#[derive(Default)]
struct Listener {
    heard: Vec<String>,
    orders: Vec<Card>,
}

impl Bot for Listener {
    fn choose(&mut self, prompt: &Prompt) -> Action {
        self.heard.push(format!("choose {}", prompt.view.history.len()));
        prompt.default
    }

    fn standing_orders(&mut self, _: &Prompt) -> Vec<Card> {
        self.orders.clone()
    }

    fn game_started(&mut self, welcome: &Welcome) {
        self.heard.push(format!("game {}", welcome.game));
    }

    fn hand_started(&mut self, game: i32, hand: i32) {
        self.heard.push(format!("hand {game}.{hand}"));
    }

    fn saw(&mut self, events: &[Event]) {
        let seats: Vec<_> = events.iter().map(|event| event.seat.to_string()).collect();
        self.heard.push(format!("saw {}", seats.join(" ")));
    }

    fn hand_over(&mut self, result: &HandResult) {
        self.heard.push(format!("hand {}.{} over", result.game, result.hand));
    }

    fn match_over(&mut self, result: &MatchResult) {
        self.heard.push(format!("over, lost {}", result.lost()));
    }
}

fn welcome(mode: i32) -> Welcome {
    let rule_set = message("", (0, 0), 0).view.expect("a view").rule_set;
    let teams = vec![pb::Team { seats: vec![0] }, pb::Team { seats: vec![1] }];
    let welcome = pb::Welcome { rule_set, teams, window_mode: mode, ..Default::default() };
    convert_match::welcome(&welcome).expect("it can be read")
}

fn hand_over(hand: i32) -> HandResult {
    let over = pb::HandOver { hand_number: hand, ..Default::default() };
    convert_match::hand_result(&over).expect("it can be read")
}

#[test]
fn everything_is_told_in_its_order() {
    let mut bot = Listener::default();
    let mut player = Player::new(&mut bot, false);
    player.welcome(&welcome(1)).expect("no end");
    player.answer(&mut read(&message("a", (0, 0), 0))).expect("no end");
    // In the second hand the bot can only pass: what it missed is told when that is over.
    player.hand_over(&hand_over(0)).expect("no end");
    player.answer(&mut read(&only_pass(message("b", (0, 1), 1)))).expect("no end");
    player.skip(&mut read(&message("c", (0, 1), 0))).expect("no end");
    player.hand_over(&hand_over(1)).expect("no end");
    let over = pb::MatchOver { game_count: 3, games_won: 1, games_drawn: 1, ..Default::default() };
    player.match_over(&convert_match::match_result(&over)).expect("no end");
    drop(player);
    let told = ["game 0", "hand 0.0", "saw 0", "choose 1", "hand 0.0 over"];
    let later = ["hand 0.1", "saw 1 0", "hand 0.1 over", "over, lost 1"];
    assert_eq!(bot.heard, [told.as_slice(), later.as_slice()].concat());
}

#[test]
fn standing_orders_are_asked_for_only_where_they_count() {
    let mut bot = Listener { orders: vec![Card::Accident, Card::RedLight], ..Default::default() };
    let prompt = recorded(Stage::Play);
    let mut player = Player::new(&mut bot, false);
    player.welcome(&welcome(1)).expect("no end");
    assert_eq!(player.orders(&prompt), Ok(vec![]));
    player.welcome(&welcome(3)).expect("no end");
    assert_eq!(player.orders(&prompt), Ok(vec![Card::RedLight, Card::Accident]));
}

#[test]
fn a_safety_is_no_standing_order() {
    let mut bot = Listener { orders: vec![Card::DrivingAce], ..Default::default() };
    let mut player = Player::new(&mut bot, false);
    player.welcome(&welcome(3)).expect("no end");
    assert_eq!(player.orders(&recorded(Stage::Play)), Ok(vec![]));
    let report = "arena_sdk: standing_orders raised 1 time (last: standing_orders returned \
                  DRIVING_ACE, which is no hazard)";
    assert_eq!(player.report().as_deref(), Some(report));
}

#[test]
fn by_default_every_safety_in_hand_is_a_standing_order() {
    struct First;
    impl Bot for First {
        fn choose(&mut self, prompt: &Prompt) -> Action {
            prompt.legal[0]
        }
    }
    let mut prompt = recorded(Stage::Play);
    prompt.view.cards = vec![Card::D25, Card::RightOfWay, Card::DrivingAce];
    let orders = [Card::RedLight, Card::SpeedLimit, Card::Accident];
    assert_eq!(First.standing_orders(&prompt), orders);
    assert_eq!(First.name(), "First");
}

#[test]
fn an_unknown_window_mode_is_unknown() {
    assert_eq!(welcome(9).window_mode, WindowMode::Unknown);
}

#[test]
fn a_response_has_no_bank() {
    let mut attacked = recorded(Stage::Respond);
    attacked.bank_left = std::time::Duration::from_secs(100);
    assert!(attacked.time_left() <= attacked.time_limit);
    let mut asked = recorded(Stage::Play);
    asked.bank_left = std::time::Duration::from_secs(100);
    assert!(asked.time_left() > asked.time_limit);
    assert!(asked.free_time_left() <= asked.time_limit);
}

#[test]
fn addresses_are_paths_or_ports() {
    for right in ["unix:/tmp/seat.sock", "127.0.0.1:40123", "[::1]:7"] {
        assert!(endpoint(right).is_some(), "{right}");
    }
    for wrong in ["unix:", "7", "localhost", ":7", "localhost:70000", "localhost:x"] {
        assert!(endpoint(wrong).is_none(), "{wrong}");
    }
}
