/**
 * The messages that have come from the referee, and when.
 *
 * Node runs a bot's thoughts and this in one thread: while a bot thinks without awaiting anything,
 * nothing is taken in. So a message that is there as soon as the thread is free may have been there
 * ever since the one before it, and counts from then on.
 */

import { setImmediate, setTimeout } from "node:timers/promises";
import type { PlayResponse, Prompt } from "./wire/millearena/v1/match_service.js";

/** Milliseconds without a message after which nothing more is on its way. */
const QUIET = 5;
/** Milliseconds that the thread has waited for something, where it was free. */
const FREE = 1;

/** A message, and when it came at the earliest, as `performance.now()` counts. */
export interface Mail {
  readonly message: PlayResponse;
  readonly came: number;
}

/** What time it is, and how long this thread has waited for something to do, in milliseconds. */
export interface Clock {
  now(): number;
  idle(): number;
}

const NODE: Clock = {
  now: () => performance.now(),
  idle: () => nodeTiming().idleTime,
};

/** What Node measures of itself; its types leave `idleTime` out of what `performance` is here. */
function nodeTiming(): { readonly idleTime: number } {
  return (performance as unknown as { readonly nodeTiming: { readonly idleTime: number } })
    .nodeTiming;
}

/** The messages of a stream, in order. Whoever reads the stream calls `put` and `end`. */
export class Inbox {
  readonly #clock: Clock;
  readonly #queue: Mail[] = [];
  #emptyAt: number; // when nothing was there for the last time
  #idleThen: number;
  #isEnded = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  #count = 0;

  constructor(clock: Clock = NODE) {
    this.#clock = clock;
    this.#emptyAt = clock.now();
    this.#idleThen = clock.idle();
  }

  /** A message has come. */
  put(message: PlayResponse): void {
    const idle = this.#clock.idle();
    if (idle - this.#idleThen >= FREE) this.#emptyAt = this.#clock.now();
    this.#idleThen = idle;
    this.#count += 1;
    this.#queue.push({ message, came: this.#emptyAt });
    this.#wake?.();
  }

  /** The stream has ended, with an error or without. */
  end(error?: Error): void {
    this.#isEnded = true;
    this.#error ??= error;
    this.#wake?.();
  }

  /**
   * The next message; undefined when the stream has ended.
   *
   * @throws what it has ended with.
   */
  async next(): Promise<Mail | undefined> {
    while (this.#queue.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const mail = this.#queue.shift();
    if (!mail && this.#error) throw this.#error;
    return mail;
  }

  /** An answer has gone out: what comes next was sent after it. */
  answered(): void {
    this.#emptyAt = this.#clock.now();
    this.#idleThen = this.#clock.idle();
  }

  /** Whether what has come closes a prompt. */
  closes(prompt: Prompt): boolean {
    return this.#queue.some(({ message }) => closes(message, prompt));
  }

  /** Whether what has come ends the match or the stream. */
  get isOver(): boolean {
    return this.#isEnded || this.#queue.at(-1)?.message.message?.$case === "matchOver";
  }

  /**
   * Takes in what has come, until nothing does for a moment or the stream has ended. To be called
   * after a thought that was longer than its prompt allows.
   */
  async readAhead(): Promise<void> {
    let before: number;
    do {
      before = this.#count;
      await setTimeout(QUIET);
      await setImmediate(); // a timer can be over before anything was looked at; this is after
    } while (this.#count > before && !this.#isEnded);
  }
}

/** Whether a message is sent only when a prompt is closed. A rejection names its prompt. */
function closes({ message }: PlayResponse, prompt: Prompt): boolean {
  if (message?.$case === "rejection") return message.value.promptId === prompt.promptId;
  return message !== undefined;
}
