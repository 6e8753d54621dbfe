/**
 * Write a bot for Mille Arena: derive from `Bot`, answer prompts, and hand it to `run`.
 *
 *     import { Bot, run } from "@mille-arena/sdk";
 */

export { Action, type Verb } from "./actions.js";
export { Bot, type Awaitable } from "./bot.js";
export {
  Card,
  cardName,
  CARDS,
  CLASSIC_DECK,
  DISTANCES,
  EXPRESS_DECK,
  HAZARDS,
  isDistance,
  isHazard,
  isRemedy,
  isSafety,
  KM,
  REMEDIES,
  REMEDY_FOR,
  SAFETIES,
  SAFETY_FOR,
  SHORT_DECK,
  type CardName,
  type Counts,
  type Distance,
  type Hazard,
  type Remedy,
  type Safety,
} from "./cards.js";
export { Prompt } from "./prompt.js";
export { Rng } from "./rng.js";
export { run } from "./run.js";
export * as tables from "./tables.js";
export type {
  FaultBudget,
  HandResult,
  Item,
  MatchResult,
  Outcome,
  Rejection,
  RejectionReason,
  Welcome,
  WindowMode,
} from "./values.js";
export type { Event, EventKind, Family, Reason, RuleSet, Stage, Table, View } from "./view.js";
