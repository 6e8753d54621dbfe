/**
 * Keeps safeties for the coup fourré, counts cards, and knows what each card in hand is worth.
 *
 * Every action gets a whole number, and the highest is played; the first of equals in the order of
 * `prompt.legal`. There is no chance in it and no memory: the same view always gives the same
 * answer, and the same as the keeper in Python gives. The scale: 100,000 ends the hand; 2,500 stops
 * an opponent; 500 to 700 is an ordinary move; below 0 are discards, the more useful the card the
 * lower. The numbers come from playing many boards.
 */

import {
  type Action,
  Bot,
  Card,
  type Counts,
  type Distance,
  type Family,
  type Hazard,
  HAZARDS,
  isDistance,
  isHazard,
  isRemedy,
  isSafety,
  KM,
  type Prompt,
  type Remedy,
  REMEDY_FOR,
  run,
  type Safety,
  SAFETY_FOR,
  type Table,
  tables,
  type View,
} from "@mille-arena/sdk";

/** What the first copy of a card in hand is worth keeping; safeties are never thrown away. */
const KEEP: Readonly<Record<Family, readonly number[]>> = {
  //           25  50   75  100  200  red limit gas tire crash green end  gas tire repairs
  classic: [0, 40, 80, 80, 110, 170, 220, 120, 260, 260, 260, 220, 160, 180, 180, 180],
  express: [0, 40, 80, 90, 130, 170, 130, 80, 90, 90, 90, 170, 110, 130, 130, 130],
  plateau: [0, 40, 80, 100, 130, 160, 160, 130, 260, 260, 260, 200, 120, 180, 180, 180],
};

const FREES = 1800; // a safety against a hazard in force whose remedy is not in hand
const STARTS = 1500; // Right of Way, where the car waits for a Green Light that is not in hand
const LAST_CHANCE = 2400; // a safety that will hardly see its attack any more
const DRAWS = 4000; // Plateau, where a coup fourré makes no points: better the card drawn at once
const HOLD = -900; // a safety that waits: better to throw away anything but a safety
const NEARLY_THERE = 200; // km: a rival that rolls may end the hand before the safety is used
const FEW_TURNS = 2; // left to each seat before the draw pile is out

class KeeperBot extends Bot {
  override choose(prompt: Prompt): Action {
    const look = new Look(prompt.view);
    const [first, second] = prompt.legal;
    switch (prompt.kind) {
      case "respond":
        return prompt.coupFourre ?? prompt.default;
      case "draw":
        return look.takesOpenCard() ? second : first; // draw pile, draw discard
      case "play":
        return best(prompt.legal, (action) => look.worth(action));
      case "extend":
        return look.shouldExtend() ? first : second; // extend, stop
      default:
        return prompt.default; // the remedy goes on top
    }
  }
}

/** A view, and what this bot thinks of it. */
class Look {
  readonly #view: View;
  readonly #table: Table;
  readonly #hand: Counts;
  readonly #unseen: Counts; // in other hands, in the pile, face down
  readonly #toGo: number;
  readonly #rivals: readonly Table[];
  readonly #turns: number;
  readonly #replays: boolean;
  readonly #heldHazards: number;
  readonly #stands: boolean;
  readonly #finishes: boolean;

  constructor(view: View) {
    const { table, hand } = view;
    this.#view = view;
    this.#table = table;
    this.#hand = hand;
    this.#unseen = view.unseen;
    this.#toGo = tables.toGo(view);
    this.#rivals = tables.rivals(view).map((team) => view.tables[team]);
    this.#turns = Math.floor(view.drawCount / view.sizes.length);
    this.#replays = view.drawCount > 0 || view.rules.exhaustedSafetyReplays;
    this.#heldHazards = sum(HAZARDS.map((hazard) => hand[hazard]));
    this.#stands =
      !table.moving &&
      !tables.needs(table).some((card) => hand[card] > 0 && card !== Card.END_OF_LIMIT);
    this.#finishes = table.accepts.some((card) => hand[card] > 0 && KM[card] === this.#toGo);
  }

  worth({ verb, card, team }: Action): number {
    if (card === undefined) throw new TypeError(`${verb} is nothing to play`);
    if (verb === "discard") return -this.#use(card, this.#hand[card]) - this.#gift(card);
    if (isHazard(card)) return this.#attack(card, team ?? 0);
    if (isSafety(card)) return this.#expose(card);
    if (isDistance(card)) return this.#drive(card);
    if (card !== Card.END_OF_LIMIT) return 600;
    const waiting = this.#hand[Card.D75] + this.#hand[Card.D100] + this.#hand[Card.D200];
    return waiting > 0 ? 700 : 300;
  }

  /** Whether the open card is better than an unknown one. */
  takesOpenCard(): boolean {
    const card = this.#view.discardPile.at(-1);
    if (card === undefined) return false;
    if (isSafety(card)) return true;
    const isAccepted = this.#table.accepts.includes(card);
    const isSpare = isDistance(card) && this.#hand[card] > 0;
    const worth = this.#use(card, this.#hand[card] + 1);
    return worth + (isAccepted && !isSpare ? 250 : 0) > 220;
  }

  /** 300 km more only far ahead, with half of the cards still to come. */
  shouldExtend(): boolean {
    return this.#turns >= 15 && this.#rivals.every(({ km, moving }) => km <= 200 && !moving);
  }

  /** Far is good; leaving a distance that the hand can drive exactly is better. */
  #drive(card: Distance): number {
    const left = this.#toGo - KM[card];
    if (left === 0) return 100_000;
    if (left <= 200 && this.#canTotal(left, card)) return 650 + 2 * KM[card];
    return left > 50 ? 500 + 2 * KM[card] : -60; // few cards help then; as it is, more do
  }

  /** Whether one to four distance cards in hand, less the one played, make exactly that. */
  #canTotal(total: number, played: Distance): boolean {
    const rest = this.#view.cards.filter(isDistance);
    rest.splice(rest.indexOf(played), 1);
    return canMake(
      total,
      rest.map((card) => KM[card]),
      4,
    );
  }

  /** The leader first; an attack that nobody can answer rather than one that may backfire. */
  #attack(hazard: Hazard, team: number): number {
    const victim = this.#view.tables[team];
    let worth = 2500;
    if (hazard === Card.SPEED_LIMIT) worth = victim.moving ? 600 : 300;
    if (hazard > Card.SPEED_LIMIT) worth += 200; // a breakdown has one remedy, a Red Light many
    if (victim.km === Math.max(...this.#rivals.map(({ km }) => km))) worth += 300;
    worth += Math.floor(victim.km / 10);
    if (this.#unseen[SAFETY_FOR[hazard]] === 0) return worth + 200;
    return worth - Math.floor(6000 / sum(Object.values(this.#unseen))); // a hand of six may hold it
  }

  /** A safety waits for its attack, unless it is needed now or the hand is about to end. */
  #expose(safety: Safety): number {
    const { rules, target } = this.#view;
    if (rules.safetyKm === this.#toGo) return 100_000;
    if (this.#finishes) return this.#replays && rules.safetyKm === 0 ? 100_001 : 0; // 100 points
    if (this.#replays && rules.family === "plateau") return DRAWS;
    const itsHazards = HAZARDS.filter((hazard) => SAFETY_FOR[hazard] === safety);
    const inForce = tables.hazards(this.#table).filter((hazard) => itsHazards.includes(hazard));
    if (inForce.some((hazard) => this.#hand[REMEDY_FOR[hazard]] === 0)) return FREES;
    if (itsHazards.every((hazard) => this.#unseen[hazard] === 0)) return LAST_CHANCE;
    const isNear = this.#rivals.some(({ moving, km }) => moving && target - km <= NEARLY_THERE);
    if (isNear || this.#turns < FEW_TURNS) return LAST_CHANCE;
    const waits = this.#stands && tables.stoppedBy(this.#table) === undefined;
    return waits && safety === Card.RIGHT_OF_WAY ? STARTS : HOLD;
  }

  /** What the last of so many copies of a card in hand is worth, from 0 up. */
  #use(card: Card, copies: number): number {
    if (isSafety(card)) return 1000;
    if (isDistance(card)) return this.#useOfDistance(card, copies);
    if (isRemedy(card)) return this.#useOfRemedy(card, copies);
    if (isHazard(card) && this.#rivals.every((table) => tables.isImmune(table, card))) return 0;
    return Math.max(0, this.#keep(card) - 50 * Math.max(0, this.#heldHazards - 2));
  }

  /** Worth less for each card in hand that would be driven before it. */
  #useOfDistance(card: Distance, copies: number): number {
    const { rules, cards } = this.#view;
    if (KM[card] > this.#toGo) return 0;
    const laid = this.#table.distance.filter((one) => one === Card.D200).length;
    const most = rules.max200 ?? Infinity;
    if (card === Card.D200 && laid + copies > most) return 0;
    const safeTrip = rules.family === "classic" && laid === 0; // 300 points, still to be had
    const worth = card === Card.D200 && !safeTrip ? 200 : this.#keep(card);
    const longer = cards.filter((one) => isDistance(one) && one > card && KM[one] <= this.#toGo);
    return Math.max(0, worth - 25 * (copies - 1 + longer.length));
  }

  /** One is enough; none is needed if a safety does it or no hazard is left. */
  #useOfRemedy(remedy: Remedy, copies: number): number {
    const hazard = hazardOf(remedy);
    const safety = SAFETY_FOR[hazard];
    const hasSafety = this.#hand[safety] > 0;
    if (hasSafety || tables.isImmune(this.#table, hazard)) {
      return hasSafety && safety === Card.RIGHT_OF_WAY ? 30 : 0;
    }
    const inForce = tables.hazards(this.#table).includes(hazard) ? 1 : 0;
    if (copies > this.#unseen[hazard] + inForce + this.#startsNeeded(remedy)) return 0;
    if (copies > 1) return remedy === Card.GREEN_LIGHT ? Math.floor(120 / copies) : 5;
    return this.#keep(remedy) + 100 * inForce;
  }

  /** How many Green Lights are good for something besides a Red Light. */
  #startsNeeded(remedy: Remedy): number {
    if (remedy !== Card.GREEN_LIGHT) return 0;
    const breakdowns = [Card.OUT_OF_GAS, Card.FLAT_TIRE, Card.ACCIDENT];
    const after = this.#view.rules.family === "classic" ? breakdowns : []; // each needs one as well
    return (this.#table.moving ? 0 : 1) + sum(after.map((hazard) => this.#unseen[hazard]));
  }

  /** Express: what it costs to leave an open card that the next seat could play at once. */
  #gift(card: Card): number {
    const { seat, sizes, team, teamOf, rules } = this.#view;
    const next = teamOf[(seat + 1) % sizes.length];
    if (rules.family !== "express" || next === team) return 0;
    return this.#view.tables[next].accepts.includes(card) ? 150 : 0;
  }

  #keep(card: Card): number {
    return KEEP[this.#view.rules.family][card];
  }
}

/** The first of those that `worth` finds best. */
function best<T>(items: readonly T[], worth: (item: T) => number): T {
  const worths = items.map(worth);
  return items[worths.indexOf(Math.max(...worths))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Whether at most so many of the numbers, one or more, add up to `total`. */
function canMake(total: number, numbers: readonly number[], most: number): boolean {
  if (most === 0) return false;
  return numbers.some(
    (number, at) => number === total || canMake(total - number, numbers.slice(at + 1), most - 1),
  );
}

function hazardOf(remedy: Remedy): Hazard {
  const hazard = HAZARDS.find((one) => REMEDY_FOR[one] === remedy);
  if (hazard === undefined) throw new RangeError(`${String(remedy)} is no remedy`);
  return hazard;
}

await run(new KeeperBot());
