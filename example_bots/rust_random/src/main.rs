//! Plays any legal action: the weakest bot that keeps to the rules.

use arena_sdk::{Action, Bot, Prompt, Rng, run};

struct RandomBot {
    rng: Rng,
}

impl Bot for RandomBot {
    fn choose(&mut self, prompt: &Prompt) -> Action {
        prompt.legal[self.rng.usize(..prompt.legal.len())]
    }
}

fn main() {
    run(RandomBot { rng: arena_sdk::rng() });
}
