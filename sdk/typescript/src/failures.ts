/** What a bot throws: it goes to the bot's log, and is counted for a line at its end. */

import { inspect } from "node:util";

const LONGEST = 200;
const QUESTIONS: readonly string[] = ["choose", "respond"];

/** In strict play a bot has thrown something. The message says what, in one line. */
export class StrictFailure extends Error {
  override readonly name = "StrictFailure";
}

/** Counts what the methods of a bot throw, by method. With `strict` the first one ends the run. */
export class Failures {
  readonly #strict: boolean;
  readonly #counts = new Map<string, { count: number; last: string }>();

  constructor({ strict = false } = {}) {
    this.#strict = strict;
  }

  /**
   * Writes the trace of what `method` has thrown, and counts it.
   *
   * @throws StrictFailure in strict play.
   */
  take(method: string, thrown: unknown): void {
    const last = inOneLine(thrown);
    this.#counts.set(method, { count: (this.#counts.get(method)?.count ?? 0) + 1, last });
    process.stderr.write(`${inspect(thrown)}\n`);
    if (this.#strict) throw new StrictFailure(`${method} raised ${last}`);
  }

  /** What there was, a phrase for each method. */
  summary(): string[] {
    return [...this.#counts].map(([method, { count, last }]) => {
      const played = QUESTIONS.includes(method) ? "; default actions were played" : "";
      return `${method} raised ${soMany(count, "time")} (last: ${last})${played}`;
    });
  }
}

/** A number with its noun. */
export function soMany(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What was thrown, in one line and cut short. */
function inOneLine(thrown: unknown): string {
  const text = thrown instanceof Error ? String(thrown) : inspect(thrown);
  const line = text.split(/\s+/).join(" ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 3)}...`;
}
