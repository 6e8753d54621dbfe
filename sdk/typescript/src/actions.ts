/** What a seat can do. */

import { Card, CARDS, cardName, HAZARDS, isHazard, REMEDIES, SAFETIES } from "./cards.js";

export type Verb = "draw" | "play" | "discard" | "coup_fourre" | "pass" | "extend" | "stop" | "top";

/** Most teams at a table. */
const TEAMS = 4;

/**
 * One action. It carries no seat: it is always the reader's own. Each exists once, so that equal
 * actions are the same object: compare them with `===`.
 */
export class Action {
  /** What it does. */
  readonly verb: Verb;
  /** Which card, if the verb has one. */
  readonly card: Card | undefined;
  /** The team that a hazard is laid on. */
  readonly team: number | undefined;
  /** The action in words, such as `play FLAT_TIRE on 1`. */
  readonly text: string;

  private constructor(verb: Verb, card?: Card, team?: number, where?: string) {
    this.verb = verb;
    this.card = card;
    this.team = team;
    const words = [verb, card && cardName(card), team !== undefined && `on ${team}`, where];
    this.text = words.filter(Boolean).join(" ");
    Object.freeze(this);
  }

  /** Every action that there is, by its text. */
  static readonly #all: ReadonlyMap<string, Action> = new Map(
    [
      ...["pile", "discard"].map((pile) => new Action("draw", undefined, undefined, pile)),
      ...CARDS.filter((card) => !isHazard(card)).map((card) => new Action("play", card)),
      ...HAZARDS.flatMap((card) =>
        Array.from({ length: TEAMS }, (_, team) => new Action("play", card, team)),
      ),
      ...CARDS.map((card) => new Action("discard", card)),
      ...SAFETIES.map((card) => new Action("coup_fourre", card)),
      ...(["pass", "extend", "stop"] as const).map((verb) => new Action(verb)),
      ...[...REMEDIES, ...HAZARDS].map((card) => new Action("top", card)),
    ].map((action) => [action.text, action]),
  );

  /** The action of that text, such as `play RED_LIGHT on 1`; undefined if there is none. */
  static find(text: string): Action | undefined {
    return Action.#all.get(text);
  }

  /**
   * The action of that text, such as `play RED_LIGHT on 1`.
   *
   * @throws RangeError if there is none.
   */
  static of(text: string): Action {
    const action = Action.find(text);
    if (action) return action;
    throw new RangeError(
      `unknown action ${JSON.stringify(text)}; one is written as in "play RED_LIGHT on 1"`,
    );
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

export const PASS = Action.of("pass");
