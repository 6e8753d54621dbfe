/**
 * Lines for the author's log that wait for the next answer to take them along.
 *
 * A referee counts the messages that a bot sends for each prompt, and a bot that sends too many has
 * lost. So what is too much is not sent at all.
 */

import type { FaultBudget } from "./values.js";

const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

export class Notes {
  /** Notes that will not be sent. */
  dropped = 0;
  /** Notes that may go with an answer. Before the first welcome there are none. */
  most = 0;
  #bytes = 0;
  #waiting: string[] = [];

  /** From now on this much is taken; one of the messages for a prompt is the answer. */
  allow(budget: FaultBudget): void {
    this.most = Math.max(0, budget.messagesPerPrompt - 1);
    this.#bytes = Math.max(0, budget.noteBytes);
  }

  /** Notes `text`, as one line that is no longer than allowed. */
  add(text: string): void {
    if (this.#waiting.length >= this.most) {
      this.dropped += 1;
      return;
    }
    this.#waiting.push(cut(text.split(LINE_ENDS).join(" "), this.#bytes));
  }

  /** The notes that wait, which are sent now. */
  take(): string[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** The beginning of a text that has so many bytes, whole characters only. */
function cut(text: string, bytes: number): string {
  const coded = Buffer.from(text);
  if (coded.length <= bytes) return coded.toString();
  let end = bytes;
  while (end > 0 && (coded[end] & 0b1100_0000) === 0b1000_0000) end -= 1;
  return coded.toString("utf8", 0, end);
}
