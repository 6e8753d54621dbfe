/** What a seat may know of a hand, as values. */

import {
  CLASSIC_DECK,
  countsOf,
  EXPRESS_DECK,
  SHORT_DECK,
  type Card,
  type Counts,
  type Hazard,
  type Safety,
} from "./cards.js";
import type { RuleSet as WireRuleSet } from "./wire/millearena/v1/rule_sets.js";

/** What a hand waits for. */
export type Stage = "draw" | "play" | "respond" | "extend" | "top" | "over";

/** Which of the three games is played. */
export type Family = "classic" | "express" | "plateau";

/** Why a hand is over: see `HandResult`. */
export type Reason = "target" | "exhausted" | "blocked";

interface Words {
  family: Family;
  delayedActionTrigger: "pile_empty" | "empty_at_turn_start";
  shutoutRule: "all" | "any" | "dujardin";
  matchTie: "extra_hand" | "draw";
  bonusOverflow: "forfeit" | "clamp" | "allow";
  expressSafetyDraw: "pile" | "choice";
  expressExhaustedDraw: "none" | "discard" | "reshuffle";
  plateauExhaustion: "play_out" | "reshuffle";
}

/** The rules, every option; `arena rules` explains them. An option `max_200` is `max200` here. */
export type RuleSet = Readonly<Omit<WireRuleSet, keyof Words> & Words>;

/** What can happen at the table. A response that passes leaves no event. */
export type EventKind =
  | "drawn"
  | "taken"
  | "played"
  | "laid"
  | "discarded"
  | "coup_fourre"
  | "extended"
  | "stopped"
  | "topped"
  | "reshuffled";

/** One thing that happened. */
export interface Event {
  readonly kind: EventKind;
  /** Who did it. */
  readonly seat: number;
  /** Which card; undefined if there is none, or you may not know it. */
  readonly card: Card | undefined;
  /** The team that a hazard was laid on. */
  readonly team: number | undefined;
}

/** What lies before one team. Everybody sees it. Piles have their top last. */
export interface Table {
  readonly battle: readonly Card[];
  readonly speed: readonly Card[];
  /** Distance cards in the order in which they were played. */
  readonly distance: readonly Card[];
  /** The safeties exposed, and those of them that were a coup fourré. */
  readonly safeties: readonly Safety[];
  readonly coupsFourres: readonly Safety[];
  /** Kilometres travelled; `bonusKm` of them were gained by safeties (Express). */
  readonly km: number;
  readonly bonusKm: number;
  /** The car has started. */
  readonly started: boolean;
  /** It may drive now, limits aside. */
  readonly moving: boolean;
  /** Nothing above 50 km may be played. */
  readonly limited: boolean;
  /** What its own team could lay on it now, whatever it has in hand. */
  readonly accepts: readonly Card[];
  /** The hazards that others could lay on it now. */
  readonly suffers: readonly Hazard[];
}

/** What a view says, without what follows from it. */
export interface ViewFields {
  /** Your seat. */
  readonly seat: number;
  /** What the hand waits for. */
  readonly stage: Stage;
  /** The seats that are asked, as far as you may know. */
  readonly asked: readonly number[];
  /** Your hand, in deck order. */
  readonly cards: readonly Card[];
  /** Cards in each hand, by seat. */
  readonly sizes: readonly number[];
  /** What lies before each team. */
  readonly tables: readonly Table[];
  /** Cards in the draw pile. */
  readonly drawCount: number;
  /** The discard pile, top last; undefined is a card that you have not seen. */
  readonly discardPile: readonly (Card | undefined)[];
  /** By card of that pile the one seat that knows it, -1 for everybody; empty: all know all. */
  readonly discardKnownTo: readonly number[];
  /** Kilometres that end the hand. */
  readonly target: number;
  /** Whose turn it is; in a response window still the attacker's. */
  readonly turn: number;
  /** The hazard that is answered, or covered; and the team under attack. */
  readonly attack: Hazard | undefined;
  readonly attacked: number | undefined;
  /** Express: by seat, what everybody knows to be in that hand; else empty. */
  readonly known: readonly Counts[];
  /** What has happened since you were last asked, in this hand, oldest first. */
  readonly history: readonly Event[];
  /** Numbers, in the hand, of the first event of `history` and of the next one to come. */
  readonly firstEvent: number;
  readonly eventCount: number;
  /** The rules. */
  readonly rules: RuleSet;
  /** The seats of each team. */
  readonly teams: readonly (readonly number[])[];
  /** Who dealt this hand. */
  readonly dealer: number;
  /** Match points of each team before this hand. */
  readonly scores: readonly number[];
  /** Striped draw: cards left in each seat's own stripe; else empty. */
  readonly stripes: readonly number[];
  /** `draw`: cards still to be drawn, this one included. */
  readonly due: number;
  /** `extend`: what goes on if the hand is extended. */
  readonly resume: "end_turn" | "after_safety" | "after_coup_fourre" | undefined;
  /** The team that extended the hand. */
  readonly extendedBy: number | undefined;
  /** The draw pile has run out at some time; it was empty when this turn began. */
  readonly ranOut: boolean;
  readonly dryStart: boolean;
  /** Express: turns without progress, see the option `express_stall_rounds`. */
  readonly idle: number;
  readonly circling: number;
  /** A distance card or a safety was played since the last reshuffle. */
  readonly fresh: boolean;
  /** How often the discard pile has become the draw pile. */
  readonly reshuffled: number;
  /** Once the hand is over: why, and the team that finished or was ahead. */
  readonly reason: Reason | undefined;
  readonly winner: number | undefined;
}

/** Everything that you may know of a hand. */
export interface View extends ViewFields {
  /** Your team, and what lies before it: `view.tables[view.team]`. */
  readonly team: number;
  readonly table: Table;
  /** The team of each seat. */
  readonly teamOf: readonly number[];
  /** How many of each card you hold. */
  readonly hand: Counts;
  /** How many of each card you cannot place: in other hands, in the pile, face down. */
  readonly unseen: Counts;
}

/** A view of these fields. */
export function makeView(fields: ViewFields): View {
  const teamOf: number[] = [];
  fields.teams.forEach((seats, team) => {
    for (const seat of seats) teamOf[seat] = team;
  });
  const team = teamOf[fields.seat];
  let unseen: Counts | undefined;
  return {
    ...fields,
    team,
    table: fields.tables[team],
    teamOf,
    hand: countsOf(fields.cards),
    get unseen() {
      return (unseen ??= countUnseen(fields));
    },
  };
}

function countUnseen(view: ViewFields): Counts {
  const left = { ...deckOf(view) };
  const place = (cards: readonly (Card | undefined)[]) => {
    for (const card of cards) if (card) left[card] -= 1;
  };
  place(view.cards);
  place(view.discardPile);
  if (view.rules.family !== "plateau") {
    for (const table of view.tables) {
      for (const pile of [table.battle, table.speed, table.distance, table.safeties]) place(pile);
    }
  }
  view.known.forEach((counts, seat) => {
    if (seat === view.seat) return;
    for (const [card, count] of Object.entries(counts)) left[Number(card) as Card] -= count;
  });
  return left;
}

function deckOf({ rules, sizes }: ViewFields): Counts {
  if (rules.family === "express") return EXPRESS_DECK;
  const isShort = rules.deck2pReduction && sizes.length <= 3;
  return isShort ? SHORT_DECK : CLASSIC_DECK;
}
