/** What an author writes: a `Bot` with `choose`, and whichever hooks it wants. */

import type { Action } from "./actions.js";
import { HAZARDS, type Hazard, SAFETY_FOR } from "./cards.js";
import type { Notes } from "./notes.js";
import type { Prompt } from "./prompt.js";
import { Rng } from "./rng.js";
import type { HandResult, MatchResult, Rejection, Welcome } from "./values.js";
import type { Event } from "./view.js";

/** What `Bot.rng` is made from outside a match. */
const FIXED_SEED = "arena_sdk";

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

const notesOf = new WeakMap<Bot, Notes>();

/** Sends the bot's notes there from now on. */
export function collectNotes(bot: Bot, notes: Notes): void {
  notesOf.set(bot, notes);
}

/**
 * A player. Derive from it, write `choose`, and hand one to `run`.
 *
 * One program plays one stream of games, and is asked and told things one after the other, in the
 * order in which they happened:
 *
 *     gameStarted                     for each game
 *         handStarted                 for each hand
 *             saw                     what has happened, before each question
 *             choose, respond         a question
 *             standingOrders          only where response windows are run so
 *             rejected                what was played for you instead
 *         handOver
 *     matchOver
 *
 * `choose` is needed, the other methods are hooks that do nothing by themselves. Each may be async.
 * What a method throws does not end the match: it goes to standard error, which is your log, and
 * for a question `prompt.default` is played. All of it runs on your own time.
 */
export abstract class Bot {
  /** What the bot calls itself in logs; by default the name of its class. */
  name = "";
  /** Its version, for logs. */
  version = "";
  #rng: Rng | undefined;

  // -- questions ---------------------------------------------------------------------------------

  /** Answer a prompt with one of `prompt.legal`. */
  abstract choose(prompt: Prompt): Awaitable<Action>;

  /**
   * Answer an attack: the coup fourré or `pass`. Asked only if you hold the safety; otherwise the
   * SDK passes, at once. By default `choose` is asked.
   */
  respond(prompt: Prompt): Awaitable<Action> {
    return this.choose(prompt);
  }

  /**
   * The hazards to answer with a coup fourré until the next answer.
   *
   * Asked after each answer where `welcome.windowMode` is `standing`, and `respond` is not asked
   * there. By default every hazard whose safety is in hand. Whoever passes in `respond` now and
   * then has to say so here too.
   */
  standingOrders(prompt: Prompt): Awaitable<Iterable<Hazard>> {
    return HAZARDS.filter((hazard) => prompt.view.hand[SAFETY_FOR[hazard]] > 0);
  }

  // -- hooks -------------------------------------------------------------------------------------

  /** A game begins. */
  gameStarted(welcome: Welcome): Awaitable<void> {}

  /** This is the first that you hear of a hand; others may have played in it already. */
  handStarted(game: number, hand: number): Awaitable<void> {}

  /**
   * What has happened in this hand since the last time, oldest first: every event that you may
   * know, each once. What `choose` reads in `view.history` was seen here just before.
   */
  saw(events: readonly Event[]): Awaitable<void> {}

  /** The default action was played for you, because an answer was late or not legal. */
  rejected(rejection: Rejection): Awaitable<void> {}

  /** A hand has ended. */
  handOver(result: HandResult): Awaitable<void> {}

  /** It is over; the program ends after this. */
  matchOver(result: MatchResult): Awaitable<void> {}

  // -- what a bot can use ------------------------------------------------------------------------

  /**
   * Write a line to your log; no other seat sees it. It goes along with the next answer.
   *
   * A referee takes `welcome.faults.noteBytes` of a note, and with each answer one note less than
   * `welcome.faults.messagesPerPrompt`; what is longer is cut, further ones are dropped and counted.
   */
  note(text: unknown): void {
    const notes = notesOf.get(this);
    if (notes) notes.add(String(text));
    else process.stderr.write(`${String(text)}\n`); // where a note would go in the end
  }

  /**
   * Chance of your own: from ARENA_BOT_SEED, and a match can be repeated. Outside a match it is
   * always the same chance, so that a test of yours repeats itself.
   */
  get rng(): Rng {
    return (this.#rng ??= new Rng(process.env.ARENA_BOT_SEED ?? FIXED_SEED));
  }
}
