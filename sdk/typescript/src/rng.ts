/** Chance that repeats itself: the same seed gives the same numbers. */

import { createHash } from "node:crypto";

/** A generator of random numbers, for play and not for secrets (the algorithm is sfc32). */
export class Rng {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** The seed is any text: what `String` makes of it. */
  constructor(seed: unknown) {
    const digest = createHash("sha256").update(String(seed)).digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
  }

  /** A number from 0 up, below 1. */
  random(): number {
    return ((this.#next() >>> 5) * 2 ** 26 + (this.#next() >>> 6)) / 2 ** 53;
  }

  /** A whole number from 0 up, below `end`. */
  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  /**
   * One of `items`, all equally likely.
   *
   * @throws RangeError if there are none.
   */
  choice<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("there is nothing to choose from");
    return items[this.below(items.length)];
  }

  /** The items in random order; `items` stays as it is. */
  shuffled<T>(items: readonly T[]): T[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last -= 1) {
      const at = this.below(last + 1);
      [mixed[last], mixed[at]] = [mixed[at], mixed[last]];
    }
    return mixed;
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }
}
