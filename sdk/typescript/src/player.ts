/**
 * When a bot is asked and told what: the SDK without a wire.
 *
 * A prompt brings the events since the one before it. Those of prompts that the bot never sees are
 * kept and put in front of the next prompt's, so that `view.history` holds everything since the bot
 * was last asked.
 */

import { Action, PASS } from "./actions.js";
import { type Awaitable, Bot, collectNotes } from "./bot.js";
import { cardName, CARDS, type Hazard, HAZARDS } from "./cards.js";
import { Failures, soMany } from "./failures.js";
import { Notes } from "./notes.js";
import { Prompt } from "./prompt.js";
import type { HandResult, MatchResult, Rejection, Welcome } from "./values.js";
import { type Event, makeView } from "./view.js";

/** Events of one hand that the bot has not been shown. */
interface Unseen {
  readonly game: number;
  readonly hand: number;
  readonly firstEvent: number;
  readonly events: readonly Event[];
}

/** A bot at the table, for one stream of games. `failures` takes what the bot throws. */
export class Player {
  /** What the bot has noted; to be sent with an answer that is in time. */
  readonly notes = new Notes();
  readonly bot: Bot;
  readonly #failures: Failures;
  #givesOrders = false;
  #at = ""; // game and hand that the bot has heard of
  #unseen: Unseen | undefined;
  #newer = 0;
  #lastNewer = "";

  constructor(bot: Bot, failures = new Failures()) {
    this.bot = bot;
    this.#failures = failures;
    collectNotes(bot, this.notes);
  }

  // -- questions ---------------------------------------------------------------------------------

  /** What the bot does; `pass`, at once and without asking it, if that is all it can. */
  async answer(given: Prompt): Promise<Action> {
    if (!given.hasChoice) {
      await this.skip(given);
      return PASS;
    }
    const prompt = await this.#withUnseen(given);
    await this.#enter(prompt.game, prompt.hand);
    await this.#show(prompt.view.history);
    return this.#ask(prompt);
  }

  /**
   * The hazards that the bot wants answered, after its answer to `prompt`. None where windows are
   * not run so, or if it fails to say.
   */
  async orders(prompt: Prompt): Promise<readonly Hazard[]> {
    if (!this.#givesOrders) return [];
    try {
      return checkedOrders(await this.bot.standingOrders(prompt));
    } catch (error) {
      this.#failures.take("standingOrders", error);
      return [];
    }
  }

  /** Leaves a prompt unasked, but keeps its events. */
  async skip(given: Prompt): Promise<void> {
    const { game, hand, view } = await this.#withUnseen(given);
    this.#unseen = { game, hand, firstEvent: view.firstEvent, events: view.history };
  }

  // -- news --------------------------------------------------------------------------------------

  /** A game begins. */
  async welcome(welcome: Welcome): Promise<void> {
    await this.#showUnseen();
    this.notes.allow(welcome.faults);
    this.#givesOrders = welcome.windowMode === "standing";
    await this.#call("gameStarted", () => this.bot.gameStarted(welcome));
  }

  /** The default action was played for the bot. */
  async rejected(rejection: Rejection): Promise<void> {
    await this.#call("rejected", () => this.bot.rejected(rejection));
  }

  /** A hand has ended. */
  async handOver(result: HandResult): Promise<void> {
    await this.#showUnseen();
    await this.#enter(result.game, result.hand);
    await this.#show(result.events);
    await this.#call("handOver", () => this.bot.handOver(result));
  }

  /** It is over. */
  async matchOver(result: MatchResult): Promise<void> {
    await this.#showUnseen();
    await this.#call("matchOver", () => this.bot.matchOver(result));
  }

  /** Something came that is newer than this SDK; a prompt among it got the default. */
  passedOver(why: string): void {
    this.#newer += 1;
    this.#lastNewer = why;
  }

  /**
   * Says in one line on standard error what went wrong, if anything did. Before it stand the notes
   * that no answer has taken along.
   */
  report(): void {
    for (const text of this.notes.take()) process.stderr.write(`${text}\n`);
    const phrases = this.#failures.summary();
    const { dropped, most } = this.notes;
    if (dropped) phrases.push(`${soMany(dropped, "note")} dropped, ${most} fit an answer`);
    if (this.#newer) {
      const what = `${soMany(this.#newer, "message")} newer than this SDK passed over`;
      phrases.push(`${what} (last: ${this.#lastNewer})`);
    }
    if (phrases.length) process.stderr.write(`arena_sdk: ${phrases.join("; ")}\n`);
  }

  // -- inside ------------------------------------------------------------------------------------

  async #ask(prompt: Prompt): Promise<Action> {
    const { bot } = this;
    const responds = prompt.kind === "respond" && bot.respond !== Bot.prototype.respond;
    const method = responds ? "respond" : "choose";
    try {
      const action: unknown = await bot[method](prompt);
      if (action instanceof Action) return action;
      throw new TypeError(`${method} returned ${String(action)}, which is no Action`);
    } catch (error) {
      this.#failures.take(method, error);
      return prompt.default;
    }
  }

  async #call(hook: string, call: () => Awaitable<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.#failures.take(hook, error);
    }
  }

  /** Tells the bot of a hand that it has not heard of. */
  async #enter(game: number, hand: number): Promise<void> {
    const at = `${game} ${hand}`;
    if (this.#at === at) return;
    this.#at = at;
    await this.#call("handStarted", () => this.bot.handStarted(game, hand));
  }

  async #show(events: readonly Event[]): Promise<void> {
    if (events.length) await this.#call("saw", () => this.bot.saw(events));
  }

  /** The prompt with the events that the bot has missed in this hand. */
  async #withUnseen(prompt: Prompt): Promise<Prompt> {
    const unseen = this.#unseen;
    if (unseen?.game !== prompt.game || unseen.hand !== prompt.hand) {
      await this.#showUnseen();
      return prompt;
    }
    this.#unseen = undefined;
    const { view } = prompt;
    const history = [...unseen.events, ...view.history];
    return new Prompt({
      view: makeView({ ...view, history, firstEvent: unseen.firstEvent }),
      legal: prompt.legal,
      default: prompt.default,
      timeLimit: prompt.timeLimit,
      bankLeft: prompt.bankLeft,
      game: prompt.game,
      hand: prompt.hand,
      arrived: prompt.arrived,
    });
  }

  /** Shows what is left of a hand in which the bot was not asked again. */
  async #showUnseen(): Promise<void> {
    const unseen = this.#unseen;
    this.#unseen = undefined;
    if (!unseen) return;
    await this.#enter(unseen.game, unseen.hand);
    await this.#show(unseen.events);
  }
}

/** Standing orders, checked: whoever names a safety has misunderstood something. */
function checkedOrders(cards: Iterable<Hazard>): Hazard[] {
  const orders = [...new Set<Hazard>(cards)].sort((one, other) => one - other);
  for (const card of orders) {
    if (!HAZARDS.includes(card)) {
      const what = CARDS.includes(card) ? cardName(card) : String(card);
      throw new RangeError(`standingOrders returned ${what}, which is no hazard`);
    }
  }
  return orders;
}
