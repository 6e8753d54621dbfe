/**
 * For a bot's own tests: prompts without a referee.
 *
 *     import { promptOf } from "@mille-arena/sdk/testing";
 *
 *     const prompt = promptOf({ legal: ["play D100", "discard D25"], cards: ["D25", "D100"] });
 *     assert.equal(await new MyBot().choose(prompt), prompt.find("play D100"));
 *
 * It is an ordinary prompt of two players of the classic game, but for what a test says of it.
 */

import { Action } from "./actions.js";
import { Card, type CardName } from "./cards.js";
import { actionMessage, promptFrom, wireCard } from "./convert.js";
import type { Prompt } from "./prompt.js";
import type { Card as WireCard } from "./wire/millearena/v1/cards.js";
import { Prompt as WirePrompt } from "./wire/millearena/v1/match_service.js";
import {
  BonusOverflow,
  DelayedActionTrigger,
  ExpressExhaustedDraw,
  ExpressSafetyDraw,
  Family,
  MatchTie,
  PlateauExhaustion,
  ShutoutRule,
} from "./wire/millearena/v1/rule_sets.js";
import { Stage, Table, View } from "./wire/millearena/v1/views.js";

export interface TableOptions {
  readonly battle?: readonly CardName[];
  readonly speed?: readonly CardName[];
  readonly distance?: readonly CardName[];
  readonly safeties?: readonly CardName[];
  readonly km?: number;
  readonly moving?: boolean;
  readonly limited?: boolean;
  readonly accepts?: readonly CardName[];
  readonly suffers?: readonly CardName[];
}

export interface PromptOptions {
  /** The legal actions by their texts, such as `play RED_LIGHT on 1`. */
  readonly legal: readonly string[];
  /** Which of them is the default; the last one, if that is not said. */
  readonly default?: string;
  readonly kind?: "draw" | "play" | "respond" | "extend" | "top";
  /** Your hand. */
  readonly cards?: readonly CardName[];
  /** What lies before you, who are team 0, and before the other team. */
  readonly tables?: readonly [TableOptions?, TableOptions?];
  readonly family?: "classic" | "express" | "plateau";
  readonly drawCount?: number;
  readonly attack?: CardName;
  /** Milliseconds. */
  readonly timeLimit?: number;
  readonly bankLeft?: number;
}

const STAGES = {
  draw: Stage.DRAW,
  play: Stage.PLAY,
  respond: Stage.RESPOND,
  extend: Stage.EXTEND,
  top: Stage.TOP,
};
const FAMILIES = { classic: Family.CLASSIC, express: Family.EXPRESS, plateau: Family.PLATEAU };

/**
 * A prompt as a test wants it; what is not said is as at the beginning of a hand.
 *
 * @throws RangeError if an action or a card is written wrongly.
 */
export function promptOf(options: PromptOptions): Prompt {
  return promptFrom(messageOf(options), performance.now());
}

/** The same as a message, for tests of the SDK itself. */
export function messageOf(options: PromptOptions): WirePrompt {
  const { legal, kind = "play", timeLimit = 1000, bankLeft = 30_000 } = options;
  const standard = options.default === undefined ? -1 : legal.indexOf(options.default);
  return WirePrompt.fromPartial({
    kind: STAGES[kind],
    view: viewOf(options),
    legalActions: legal.map((text) => actionMessage(Action.of(text))),
    defaultIndex: standard < 0 ? legal.length - 1 : standard,
    timeLimit: durationOf(timeLimit),
    bankLeft: durationOf(bankLeft),
  });
}

function viewOf(options: PromptOptions): View {
  const { kind = "play", cards = [], family = "classic", drawCount = 80, attack } = options;
  const [own = {}, other = {}] = options.tables ?? [];
  return View.fromPartial({
    seat: 0,
    stage: STAGES[kind],
    askedSeats: [0],
    hand: numbersOf(cards).sort((one, another) => one - another),
    handSizes: [cards.length, 6],
    tables: [tableOf(own), tableOf(other)],
    drawCount,
    targetKm: 1000,
    attack: attack && wireCard(Card[attack]),
    ruleSet: {
      preset: family,
      family: FAMILIES[family],
      target: 1000,
      max200: 2,
      exhaustedSafetyReplays: true,
      delayedActionTrigger: DelayedActionTrigger.PILE_EMPTY,
      shutoutRule: ShutoutRule.ALL,
      matchPoints: 5000,
      matchTie: MatchTie.EXTRA_HAND,
      maxHands: 1000,
      bonusOverflow: BonusOverflow.FORFEIT,
      expressSafetyDraw: ExpressSafetyDraw.PILE,
      expressExhaustedDraw: ExpressExhaustedDraw.NONE,
      plateauExhaustion: PlateauExhaustion.PLAY_OUT,
    },
    teams: [{ seats: [0] }, { seats: [1] }],
    dealerSeat: 1,
    scores: [0, 0],
  });
}

function tableOf(options: TableOptions): Table {
  return Table.fromPartial({
    battlePile: numbersOf(options.battle),
    speedPile: numbersOf(options.speed),
    distanceCards: numbersOf(options.distance),
    safeties: numbersOf(options.safeties),
    km: options.km,
    started: options.moving,
    moving: options.moving,
    limited: options.limited,
    acceptedCards: numbersOf(options.accepts),
    sufferedHazards: numbersOf(options.suffers),
  });
}

function numbersOf(names: readonly CardName[] = []): WireCard[] {
  return names.map((name) => {
    if (name in Card) return wireCard(Card[name]);
    throw new RangeError(`unknown card ${JSON.stringify(name)}; the cards are ${CARD_NAMES}`);
  });
}

const CARD_NAMES = Object.keys(Card).join(" ");

function durationOf(milliseconds: number): { seconds: number; nanos: number } {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: (milliseconds - 1000 * seconds) * 1e6 };
}
