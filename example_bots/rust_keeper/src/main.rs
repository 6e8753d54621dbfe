//! Keeps safeties for the coup fourré, counts cards, and knows what each card in hand is worth.
//!
//! Every action gets a whole number, and the highest is played; the first of equals in the order of
//! `prompt.legal`. There is no chance in it and no memory: the same view always gives the same
//! answer. The strategy is that of `keeper`, in Rust.

mod look;

use arena_sdk::{Action, Bot, Prompt, Stage, run};
use look::Look;

struct KeeperBot;

impl Bot for KeeperBot {
    fn choose(&mut self, prompt: &Prompt) -> Action {
        let look = Look::new(&prompt.view);
        match prompt.kind {
            Stage::Respond => prompt.coup_fourre().unwrap_or(prompt.default),
            Stage::Draw => prompt.legal[usize::from(look.takes_open_card())], // pile, discard
            Stage::Play => best(&prompt.legal, &look),
            Stage::Extend => prompt.legal[usize::from(!look.should_extend())], // extend, stop
            _ => prompt.default, // the remedy goes on top
        }
    }
}

/// The action that is worth most, the first of equals.
fn best(legal: &[Action], look: &Look) -> Action {
    let worth = legal.iter().map(|&action| look.worth(action));
    let ranked = legal.iter().zip(worth).rev(); // `max_by_key` takes the last of equals
    ranked.max_by_key(|&(_, worth)| worth).map_or(legal[0], |(&action, _)| action)
}

fn main() {
    run(KeeperBot);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_legal() {
        for prompt in arena_sdk::testing::prompts() {
            let action = KeeperBot.choose(&prompt);
            assert!(prompt.legal.contains(&action), "{action} of {:?}", prompt.legal);
        }
    }

    #[test]
    fn a_safety_that_answers_the_attack_is_played() {
        let attacked: Vec<Prompt> = arena_sdk::testing::prompts()
            .into_iter()
            .filter(|prompt| prompt.kind == Stage::Respond && prompt.coup_fourre().is_some())
            .collect();
        assert!(!attacked.is_empty());
        for prompt in attacked {
            assert_eq!(Some(KeeperBot.choose(&prompt)), prompt.coup_fourre());
        }
    }
}
