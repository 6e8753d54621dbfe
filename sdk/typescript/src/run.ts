/** `run`: a bot's whole life as a program. */

import { Bot } from "./bot.js";
import { Failures, StrictFailure } from "./failures.js";
import { Player } from "./player.js";
import { NoReferee, play } from "./stream.js";

const TARGET = /^(unix:.+|.+:\d{1,5})$/s;
const INTERRUPTED = 130;
/** Milliseconds after the match in which timers and the like of a bot's own may end it. */
const GRACE = 100;

/** A line that says why a program ends. */
class Refusal extends Error {}

/**
 * Plays with `bot` at the referee that ARENA_ADDRESS names, until it is over; then the program ends.
 *
 * With `strict` it ends at the first thing that the bot throws; without it the environment decides:
 * ARENA_STRICT=1. If it cannot play or was refused, a line on standard error says why, and the exit
 * code is 1.
 */
export async function run(bot: Bot, { strict = isStrict() } = {}): Promise<void> {
  try {
    await playAs(bot, strict);
  } catch (error) {
    end(error);
  }
  // A program ends by itself when nothing is left to do. This one ends whatever is left.
  setTimeout(() => process.exit(), GRACE).unref();
}

async function playAs(bot: Bot, strict: boolean): Promise<void> {
  checkBot(bot);
  const address = addressOf(process.env.ARENA_ADDRESS ?? "");
  const token = checkedToken(process.env.ARENA_TOKEN ?? "");
  const failures = new Failures({ strict });
  const player = new Player(bot, failures);
  const close = watchProcess(player, failures);
  try {
    await play(player, address, { token });
  } finally {
    close();
    player.report();
  }
}

/** What a bot throws where nobody awaits it is like what its methods throw; see `Failures`. */
function watchProcess(player: Player, failures: Failures): () => void {
  const take = (error: unknown) => {
    try {
      failures.take("a callback", error);
    } catch (strict) {
      player.report();
      end(strict);
    }
  };
  const interrupt = () => {
    player.report();
    process.exit(INTERRUPTED);
  };
  process.on("uncaughtException", take);
  process.once("SIGINT", interrupt);
  return () => {
    process.off("uncaughtException", take);
    process.off("SIGINT", interrupt);
  };
}

/** Ends the program with a line that says why; whatever we did not expect is thrown on. */
function end(error: unknown): never {
  if (error instanceof StrictFailure) quit(`strict play ends here: ${error.message}`);
  if (error instanceof NoReferee || error instanceof Refusal) quit(error.message);
  throw error;
}

function quit(why: string): never {
  process.stderr.write(`arena_sdk: ${why}\n`);
  process.exit(1);
}

function isStrict(): boolean {
  return !["", "0"].includes(process.env.ARENA_STRICT ?? "");
}

function checkBot(bot: unknown): void {
  if (bot instanceof Bot) return;
  if (typeof bot !== "function") {
    throw new Refusal(`run() takes a bot, not ${String(bot)}: derive its class from Bot`);
  }
  throw new Refusal(`run() takes a bot, not its class: run(new ${bot.name}())`);
}

function addressOf(address: string): string {
  if (!address) {
    throw new Refusal("ARENA_ADDRESS is not set; start the bot with `arena match`");
  }
  if (TARGET.test(address)) return address;
  throw new Refusal(`ARENA_ADDRESS '${address}': must be unix:PATH or HOST:PORT`);
}

/** The token for the referee; it is never shown. */
function checkedToken(token: string): string {
  if (/^[\x20-\x7e]*$/.test(token)) return token;
  throw new Refusal("ARENA_TOKEN: must be printable ASCII");
}
