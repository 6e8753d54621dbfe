/** __name__: gets the car going, drives as far as it can, else attacks. */

import { type Action, Bot, type Prompt } from "@mille-arena/sdk";

export class __Class__ extends Bot {
  /** Answers one question with one of `prompt.legal`. */
  override choose(prompt: Prompt): Action {
    if (prompt.coupFourre) return prompt.coupFourre; // 300 points, and the turn
    if (prompt.remedies.length > 0) return prompt.remedies[0];
    if (prompt.drives.length > 0) return prompt.drives[prompt.drives.length - 1]; // the longest
    if (prompt.attacks.length > 0) return prompt.attacks[0];
    return prompt.default; // throws away the lowest card, but no safety
  }
}
