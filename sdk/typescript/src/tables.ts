/**
 * What lies on the tables, in words.
 *
 *     import { tables } from "@mille-arena/sdk";
 *
 *     if (tables.stoppedBy(view.table) === Card.FLAT_TIRE) ...
 */

import { Card, type Hazard, isHazard, isRemedy, type Remedy, SAFETY_FOR } from "./cards.js";
import type { Table, View } from "./view.js";

/** The other teams. */
export function rivals(view: View): number[] {
  return [...view.tables.keys()].filter((team) => team !== view.team);
}

/** Kilometres that a team has still to drive; your own, if none is named. */
export function toGo(view: View, team = view.team): number {
  return view.target - view.tables[team].km;
}

/**
 * The hazard that keeps a car from driving, if one does. A car may stand without: it waits for a
 * Green Light then (see `needs`), and `table.moving` is false.
 */
export function stoppedBy(table: Table): Hazard | undefined {
  const card = top(table.battle);
  return card && isHazard(card) && !isImmune(table, card) ? card : undefined;
}

/** The hazards in force: the one that stops the car, and a speed limit. */
export function hazards(table: Table): Hazard[] {
  const stop = stoppedBy(table);
  return [...(stop ? [stop] : []), ...(table.limited ? [Card.SPEED_LIMIT] : [])];
}

/** The remedies that would help now, in deck order; none if nothing is wrong. */
export function needs(table: Table): Remedy[] {
  return table.accepts.filter(isRemedy);
}

/** Whether an exposed safety protects it from a hazard for the rest of the hand. */
export function isImmune(table: Table, hazard: Hazard): boolean {
  return table.safeties.includes(SAFETY_FOR[hazard]);
}

/** The top card of a pile, such as `table.speed`. */
export function top(pile: readonly Card[]): Card | undefined {
  return pile.at(-1);
}
