//! __name__: gets the car going, drives as far as it can, else attacks.

use arena_sdk::{Action, Bot, Prompt, run};

struct __Class__;

impl Bot for __Class__ {
    /// Answer one question with one of `prompt.legal`.
    fn choose(&mut self, prompt: &Prompt) -> Action {
        if let Some(coup_fourre) = prompt.coup_fourre() {
            return coup_fourre; // 300 points, and the turn
        }
        if let Some(&remedy) = prompt.remedies().first() {
            return remedy;
        }
        if let Some(&longest) = prompt.drives().last() {
            return longest;
        }
        if let Some(&attack) = prompt.attacks().first() {
            return attack;
        }
        prompt.default // throws away the lowest card, but no safety
    }
}

fn main() {
    run(__Class__);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_every_question() {
        for prompt in arena_sdk::testing::prompts() {
            let action = __Class__.choose(&prompt);
            assert!(prompt.legal.contains(&action), "{action}: not one of {:?}", prompt.legal);
        }
    }

    #[test]
    fn drives_rather_than_throws_away() {
        for prompt in arena_sdk::testing::prompts() {
            if !prompt.drives().is_empty() {
                let action = __Class__.choose(&prompt);
                assert!(!prompt.discards().contains(&action), "{action}");
            }
        }
    }
}
