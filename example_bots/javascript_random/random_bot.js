// Any legal action, all equally likely, in plain JavaScript: nothing is built.

import { Bot, run } from "@mille-arena/sdk";

class RandomBot extends Bot {
  choose(prompt) {
    return this.rng.choice(prompt.legal);
  }
}

await run(new RandomBot());
