/**
 * What a bot is told besides prompts. Times are milliseconds. A word of the protocol that is newer
 * than this SDK reads as `unknown`, or as undefined.
 */

import type { Action } from "./actions.js";
import type { Event, Reason, RuleSet } from "./view.js";

/**
 * How it is found out whether an attack is answered with a coup fourré. `prompt`: the attacked team
 * is asked; `sealed`: the same, but the window lasts its full time unless one is played;
 * `standing`: nobody is asked, standing orders decide at once.
 */
export type WindowMode = "prompt" | "sealed" | "standing" | "unknown";

export type RejectionReason = "timed_out" | "illegal" | "malformed" | "unknown";

/** How it ended; after `void` the match is played again, because the host has failed. */
export type Outcome = "completed" | "forfeit" | "void" | "unknown";

/** What points are for. */
export type Item =
  | "distance"
  | "safeties"
  | "all_safeties"
  | "coups_fourres"
  | "completed"
  | "extension"
  | "safe_trip"
  | "delayed_action"
  | "shutout";

/** A game begins. */
export interface Welcome {
  /** Your seat and your team in this game. */
  readonly seat: number;
  readonly team: number;
  /** The seats of each team. */
  readonly teams: readonly (readonly number[])[];
  readonly rules: RuleSet;
  /** How long answers may take, in milliseconds. */
  readonly time: {
    /** From the start of the program until it has joined. */
    readonly startUp: number;
    /** Free for each prompt but responses; beyond it comes out of the bank, one for each game. */
    readonly turn: number;
    readonly bank: number;
    /** For a response, which never takes from the bank. */
    readonly responseWindow: number;
  };
  readonly windowMode: WindowMode;
  /** What you may do wrong, and how often. */
  readonly faults: FaultBudget;
  readonly knowledge: {
    /** Only who discarded a card knows it. */
    readonly discardsFaceDown: boolean;
    /** The draw pile is dealt into one stripe for each seat. */
    readonly stripedDraw: boolean;
    /** A bot stands still while nothing is asked of it. */
    readonly frozenBetweenPrompts: boolean;
  };
  /** The number of this game, from 0, and how many there will be on this stream. */
  readonly game: number;
  readonly games: number;
}

export interface FaultBudget {
  /** So many answers that are late or not legal are a forfeit; 1 in strict play. */
  readonly maxStrikes: number;
  /** Messages for each prompt, the answer and notes together. */
  readonly messagesPerPrompt: number;
  /** Messages beyond that, and answers to nothing; more are a forfeit. */
  readonly surplusMessages: number;
  /** Bytes of a note that are kept. */
  readonly noteBytes: number;
}

/** The default action was played for you. */
export interface Rejection {
  readonly reason: RejectionReason;
  /** The same in words, with limits and values. */
  readonly detail: string;
  /** What was played instead. */
  readonly played: Action | undefined;
  /** Your strikes so far. A missed response window is none. */
  readonly strikes: number;
}

/** A hand is over. */
export interface HandResult {
  readonly game: number;
  readonly hand: number;
  readonly reason: Reason | undefined;
  /** The team that finished or, in a game without points, was ahead. */
  readonly winner: number | undefined;
  /** Kilometres by team, bonus included. */
  readonly km: readonly number[];
  /** Points of this hand by team, and where they come from; empty where the game has none. */
  readonly points: readonly number[];
  readonly sheets: readonly Readonly<Partial<Record<Item, number>>>[];
  /** Match points by team after this hand; hands won, where the game has no points. */
  readonly scores: readonly number[];
  /** The game has ended with it, and who has won that; undefined for a draw. */
  readonly gameOver: boolean;
  readonly gameWinner: number | undefined;
  /** What has happened since you were last asked. */
  readonly events: readonly Event[];
}

/** It is over for this program. */
export interface MatchResult {
  readonly games: number;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  readonly outcome: Outcome;
  /** What broke it off, with limits and values; empty if nothing did. */
  readonly detail: string;
}
