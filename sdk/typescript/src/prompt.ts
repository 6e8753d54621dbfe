/** A question to a bot: what it may know, what it can do, how long it may take. */

import { type Action, PASS } from "./actions.js";
import { isDistance, isRemedy, isSafety, type Card } from "./cards.js";
import type { Stage, View } from "./view.js";

/** What makes a prompt. */
export interface PromptFields {
  readonly view: View;
  readonly legal: readonly Action[];
  readonly default: Action;
  readonly timeLimit: number;
  readonly bankLeft: number;
  readonly game: number;
  readonly hand: number;
  readonly arrived: number;
}

/** One question, with everything that you may know. Times are milliseconds. */
export class Prompt implements PromptFields {
  /** The hand as you may know it. */
  readonly view: View;
  /** The legal actions, at least one: plays in deck order, attacks, discards. */
  readonly legal: readonly Action[];
  /** What is played if no answer comes in time. */
  readonly default: Action;
  /** What an answer may take for free; for a response, at all. */
  readonly timeLimit: number;
  /** What is left in the bank, from which comes what takes longer. A response has none. */
  readonly bankLeft: number;
  /** Number of this game, from 0. */
  readonly game: number;
  /** Number of this hand in the game, from 0. */
  readonly hand: number;
  /** When the prompt came, as `performance.now()` counts. */
  readonly arrived: number;

  constructor(fields: PromptFields) {
    this.view = fields.view;
    this.legal = fields.legal;
    this.default = fields.default;
    this.timeLimit = fields.timeLimit;
    this.bankLeft = fields.bankLeft;
    this.game = fields.game;
    this.hand = fields.hand;
    this.arrived = fields.arrived;
  }

  /** What is asked: `draw`, `play`, `respond`, `extend` or `top`. */
  get kind(): Stage {
    return this.view.stage;
  }

  /** Whether you are asked at all: not if you can only pass. */
  get hasChoice(): boolean {
    return this.legal.length !== 1 || this.legal[0] !== PASS;
  }

  /**
   * Milliseconds until the answer is late, by this machine's clock; 0 when it is. With
   * `{ bank: false }`, until it costs something. A courtesy: the referee's own clock decides, and
   * it began a little earlier.
   */
  timeLeft({ bank = true } = {}): number {
    const limit = this.timeLimit + (bank && this.kind !== "respond" ? this.bankLeft : 0);
    return Math.max(0, limit - (performance.now() - this.arrived));
  }

  // The legal actions by what they do, each in the order of `legal`.

  /** Distance cards that you can play, shortest first. */
  get drives(): readonly Action[] {
    return this.#playsOf(isDistance);
  }

  /** Remedies that you can play. */
  get remedies(): readonly Action[] {
    return this.#playsOf(isRemedy);
  }

  /** Safeties that you can play. */
  get safeties(): readonly Action[] {
    return this.#playsOf(isSafety);
  }

  /** Cards that you can lay on your own table: the three above. */
  get plays(): readonly Action[] {
    return this.legal.filter((one) => one.verb === "play" && one.team === undefined);
  }

  /** Hazards that you can lay on others; each says on which `team`. */
  get attacks(): readonly Action[] {
    return this.legal.filter((one) => one.team !== undefined);
  }

  /** Cards that you can throw away. */
  get discards(): readonly Action[] {
    return this.legal.filter((one) => one.verb === "discard");
  }

  /** The coup fourré that answers the attack, if you can play one. */
  get coupFourre(): Action | undefined {
    return this.legal.find((one) => one.verb === "coup_fourre");
  }

  /** The legal action of that text, such as `draw discard`; undefined if it is not legal now. */
  find(text: string): Action | undefined {
    return this.legal.find((one) => one.text === text);
  }

  #playsOf(isOfKind: (card: Card) => boolean): readonly Action[] {
    return this.plays.filter((one) => one.card !== undefined && isOfKind(one.card));
  }
}
