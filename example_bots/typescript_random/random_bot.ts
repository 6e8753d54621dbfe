/** Any legal action, all equally likely. Whoever loses to it has a bug. */

import { type Action, Bot, type Prompt, run } from "@mille-arena/sdk";

class RandomBot extends Bot {
  override choose(prompt: Prompt): Action {
    return this.rng.choice(prompt.legal);
  }
}

await run(new RandomBot());
