/**
 * From messages to values and back: a prompt and all that is in it, and an answer.
 *
 * Fields and events that are newer than this SDK are passed over; where a card, a stage or the like
 * is, the message is refused.
 */

import { Action } from "./actions.js";
import { Card, cardName, countsOf, type Hazard, isHazard, isSafety, type Safety } from "./cards.js";
import { Prompt } from "./prompt.js";
import { type Event, makeView, type RuleSet, type Table, type View } from "./view.js";
import type { Duration } from "./wire/google/protobuf/duration.js";
import { type Action as WireAction, DrawSource } from "./wire/millearena/v1/actions.js";
import { Card as WireCard } from "./wire/millearena/v1/cards.js";
import type { Answer, Prompt as WirePrompt } from "./wire/millearena/v1/match_service.js";
import * as rules from "./wire/millearena/v1/rule_sets.js";
import * as wire from "./wire/millearena/v1/views.js";

/** A message says something that this SDK has no word for. */
export class NewerMessage extends Error {
  override readonly name = "NewerMessage";
}

/** Reads a prompt that came at `arrived`. */
export function promptFrom(message: WirePrompt, arrived: number): Prompt {
  const { view } = message;
  if (view?.stage !== message.kind) throw new NewerMessage("its view is of another stage");
  const legal = message.legalActions.map(actionFrom);
  const standard = legal.at(message.defaultIndex);
  if (!standard) throw new NewerMessage(`no default ${message.defaultIndex}`);
  return new Prompt({
    view: viewFrom(view),
    legal,
    default: standard,
    timeLimit: milliseconds(message.timeLimit),
    bankLeft: milliseconds(message.bankLeft),
    game: message.gameNumber,
    hand: message.handNumber,
    arrived,
  });
}

function viewFrom(message: wire.View): View {
  const tables = message.tables.map(tableFrom);
  const view = makeView({
    seat: message.seat ?? -1,
    stage: word(wire.Stage, message.stage),
    asked: message.askedSeats,
    cards: message.hand.map(cardFrom),
    sizes: message.handSizes,
    tables,
    drawCount: message.drawCount,
    discardPile: message.discardPile.map(shownCardFrom),
    discardKnownTo: message.discardKnownToSeats,
    target: message.targetKm,
    turn: message.turnSeat,
    attack: message.attack === undefined ? undefined : hazardFrom(message.attack),
    attacked: message.attackedTeam,
    known: message.knownCards.map((known) => countsOf(known.cards.map(cardFrom))),
    history: eventsFrom(message.events),
    firstEvent: message.firstEvent,
    eventCount: message.eventCount,
    rules: rulesFrom(message.ruleSet),
    teams: message.teams.map((team) => team.seats),
    dealer: message.dealerSeat,
    scores: message.scores,
    stripes: message.stripeSizes,
    due: message.drawsDue,
    resume: message.resume ? word(wire.Resume, message.resume) : undefined,
    extendedBy: message.extendedByTeam,
    ranOut: message.ranOut,
    dryStart: message.dryStart,
    idle: message.idleTurns,
    circling: message.circlingTurns,
    fresh: message.fresh,
    reshuffled: message.reshuffleCount,
    reason: message.end === undefined ? undefined : word(wire.HandEnd, message.end),
    winner: message.winnerTeam,
  });
  if (!tables[view.team]) throw new NewerMessage(`seat ${view.seat} has no table`);
  return view;
}

function tableFrom(message: wire.Table): Table {
  return {
    battle: message.battlePile.map(cardFrom),
    speed: message.speedPile.map(cardFrom),
    distance: message.distanceCards.map(cardFrom),
    safeties: message.safeties.map(safetyFrom),
    coupsFourres: message.coupsFourres.map(safetyFrom),
    km: message.km,
    bonusKm: message.bonusKm,
    started: message.started,
    moving: message.moving,
    limited: message.limited,
    accepts: message.acceptedCards.map(cardFrom),
    suffers: message.sufferedHazards.map(hazardFrom),
  };
}

/** Reads the rules; those of a match are read once. */
export function rulesFrom(message: rules.RuleSet | undefined): RuleSet {
  if (!message) throw new NewerMessage("there are no rules");
  return {
    ...message,
    family: word(rules.Family, message.family),
    delayedActionTrigger: word(rules.DelayedActionTrigger, message.delayedActionTrigger),
    shutoutRule: word(rules.ShutoutRule, message.shutoutRule),
    matchTie: word(rules.MatchTie, message.matchTie),
    bonusOverflow: word(rules.BonusOverflow, message.bonusOverflow),
    expressSafetyDraw: word(rules.ExpressSafetyDraw, message.expressSafetyDraw),
    expressExhaustedDraw: word(rules.ExpressExhaustedDraw, message.expressExhaustedDraw),
    plateauExhaustion: word(rules.PlateauExhaustion, message.plateauExhaustion),
  };
}

// -- words and numbers ---------------------------------------------------------------------------

type WordOf<Names> = Lowercase<Exclude<Extract<keyof Names, string>, "UNSPECIFIED">>;

/** The word that an enumeration has for a number: PILE_EMPTY is `pile_empty`. */
export function word<Names extends object>(of: Names, number: number): WordOf<Names> {
  const name: unknown = Object.getOwnPropertyDescriptor(of, number)?.value;
  if (number === 0 || typeof name !== "string") {
    throw new NewerMessage(`${number} is none of ${namesOf(of)}`);
  }
  return name.toLowerCase() as WordOf<Names>;
}

function namesOf(of: object): string {
  return Object.keys(of)
    .filter((name) => /^[A-Z]/.test(name) && name !== "UNSPECIFIED")
    .join(", ");
}

/** A duration in milliseconds. */
export function milliseconds(duration: Duration | undefined): number {
  return duration ? duration.seconds * 1000 + duration.nanos / 1e6 : 0;
}

// -- cards ---------------------------------------------------------------------------------------

const HIDDEN: number = WireCard.HIDDEN;

function cardFrom(number: number): Card {
  if (number >= Card.D25 && number <= Card.DRIVING_ACE) return number as Card;
  throw new NewerMessage(`no card has the number ${number}`);
}

function shownCardFrom(number: number): Card | undefined {
  return number === HIDDEN ? undefined : cardFrom(number);
}

function hazardFrom(number: number): Hazard {
  const card = cardFrom(number);
  if (isHazard(card)) return card;
  throw new NewerMessage(`${cardName(card)} is no hazard`);
}

function safetyFrom(number: number): Safety {
  const card = cardFrom(number);
  if (isSafety(card)) return card;
  throw new NewerMessage(`${cardName(card)} is no safety`);
}

/** A card on the wire. */
export function wireCard(card: Card): WireCard {
  return WireCard[cardName(card)];
}

// -- events --------------------------------------------------------------------------------------

const EVENT_KINDS = {
  cardDrawn: "drawn",
  cardTaken: "taken",
  cardPlayed: "played",
  hazardLaid: "laid",
  cardDiscarded: "discarded",
  coupFourreDeclared: "coup_fourre",
  handExtended: "extended",
  handStopped: "stopped",
  topChosen: "topped",
  pileReshuffled: "reshuffled",
} as const;

/** Reads events; one of a newer kind is left out. */
export function eventsFrom(messages: readonly wire.Event[]): Event[] {
  const events: Event[] = [];
  for (const { seat, kind } of messages) {
    if (!kind) continue;
    const body: { card?: WireCard; targetTeam?: number } = kind.value;
    // What was taken face down may come without a card.
    const isUnsaid = kind.$case === "cardTaken" && body.card === WireCard.UNSPECIFIED;
    const card = body.card === undefined || isUnsaid ? undefined : shownCardFrom(body.card);
    events.push({ kind: EVENT_KINDS[kind.$case], seat, card, team: body.targetTeam });
  }
  return events;
}

// -- actions -------------------------------------------------------------------------------------

/** Reads an action. */
export function actionFrom({ kind }: WireAction): Action {
  if (!kind) throw new NewerMessage("an action of a new kind");
  const action = Action.find(textOf(kind));
  if (action) return action;
  throw new NewerMessage(`no action is ${textOf(kind)}`);
}

function textOf(kind: NonNullable<WireAction["kind"]>): string {
  switch (kind.$case) {
    case "draw":
      return `draw ${word(DrawSource, kind.value.source)}`;
    case "play": {
      const { card, targetTeam } = kind.value;
      const where = targetTeam === undefined ? "" : ` on ${targetTeam}`;
      return `play ${cardName(cardFrom(card))}${where}`;
    }
    case "coupFourre":
      return `coup_fourre ${cardName(cardFrom(kind.value.card))}`;
    case "discard":
    case "top":
      return `${kind.$case} ${cardName(cardFrom(kind.value.card))}`;
    default:
      return kind.$case;
  }
}

/** Writes an action. */
export function actionMessage(action: Action): WireAction {
  const card = action.card ? wireCard(action.card) : WireCard.UNSPECIFIED;
  switch (action.verb) {
    case "draw": {
      const source = action.text === "draw pile" ? DrawSource.PILE : DrawSource.DISCARD;
      return { kind: { $case: "draw", value: { source } } };
    }
    case "play":
      return { kind: { $case: "play", value: { card, targetTeam: action.team } } };
    case "coup_fourre":
      return { kind: { $case: "coupFourre", value: { card } } };
    case "discard":
    case "top":
      return { kind: { $case: action.verb, value: { card } } };
    default:
      return { kind: { $case: action.verb, value: {} } };
  }
}

/** Writes the answer to a prompt, with standing orders where there are some. */
export function answerMessage(
  promptId: string,
  prompt: Prompt,
  action: Action,
  orders: readonly Hazard[] = [],
): Answer {
  const place = prompt.legal.indexOf(action);
  return {
    promptId,
    // What is not legal goes as it is, for the referee to refuse: it says so, and counts.
    choice:
      place < 0
        ? { $case: "action", value: actionMessage(action) }
        : { $case: "legalIndex", value: place },
    coupFourreOn: orders.map(wireCard),
  };
}
