/** The 19 kinds of card. A card has no identity beyond its kind. */

/**
 * The cards, numbered as on the wire: in deck order from `D25`, 1, to `DRIVING_ACE`, 19. None is 0,
 * so `if (action.card)` asks whether there is one.
 */
export const Card = {
  D25: 1,
  D50: 2,
  D75: 3,
  D100: 4,
  D200: 5,
  RED_LIGHT: 6,
  SPEED_LIMIT: 7,
  OUT_OF_GAS: 8,
  FLAT_TIRE: 9,
  ACCIDENT: 10,
  GREEN_LIGHT: 11,
  END_OF_LIMIT: 12,
  GASOLINE: 13,
  SPARE_TIRE: 14,
  REPAIRS: 15,
  RIGHT_OF_WAY: 16,
  EXTRA_TANK: 17,
  PUNCTURE_PROOF: 18,
  DRIVING_ACE: 19,
} as const;

export type CardName = keyof typeof Card;
export type Card = (typeof Card)[CardName];
export type Distance = 1 | 2 | 3 | 4 | 5;
export type Hazard = 6 | 7 | 8 | 9 | 10;
export type Remedy = 11 | 12 | 13 | 14 | 15;
export type Safety = 16 | 17 | 18 | 19;

/** How many there are of each card: `counts[Card.D25]`. */
export type Counts = Readonly<Record<Card, number>>;

/** All of them, in deck order. */
export const CARDS: readonly Card[] = Object.values(Card);
export const DISTANCES: readonly Distance[] = [1, 2, 3, 4, 5];
export const HAZARDS: readonly Hazard[] = [6, 7, 8, 9, 10];
export const REMEDIES: readonly Remedy[] = [11, 12, 13, 14, 15];
export const SAFETIES: readonly Safety[] = [16, 17, 18, 19];

export const isDistance = (card: Card): card is Distance => card <= Card.D200;
export const isHazard = (card: Card): card is Hazard =>
  card >= Card.RED_LIGHT && card <= Card.ACCIDENT;
export const isRemedy = (card: Card): card is Remedy =>
  card >= Card.GREEN_LIGHT && card <= Card.REPAIRS;
export const isSafety = (card: Card): card is Safety => card >= Card.RIGHT_OF_WAY;

/** Kilometres of a card; 0 if it is no distance. */
export const KM: Counts = counts([25, 50, 75, 100, 200]);

/** The remedy of each hazard. */
export const REMEDY_FOR: Readonly<Record<Hazard, Remedy>> = {
  [Card.RED_LIGHT]: Card.GREEN_LIGHT,
  [Card.SPEED_LIMIT]: Card.END_OF_LIMIT,
  [Card.OUT_OF_GAS]: Card.GASOLINE,
  [Card.FLAT_TIRE]: Card.SPARE_TIRE,
  [Card.ACCIDENT]: Card.REPAIRS,
};

/** The safety that answers each hazard. */
export const SAFETY_FOR: Readonly<Record<Hazard, Safety>> = {
  [Card.RED_LIGHT]: Card.RIGHT_OF_WAY,
  [Card.SPEED_LIMIT]: Card.RIGHT_OF_WAY,
  [Card.OUT_OF_GAS]: Card.EXTRA_TANK,
  [Card.FLAT_TIRE]: Card.PUNCTURE_PROOF,
  [Card.ACCIDENT]: Card.DRIVING_ACE,
};

/** Of classic and plateau. */
export const CLASSIC_DECK: Counts = counts([
  ...[10, 10, 10, 12, 4],
  ...[5, 4, 3, 3, 3],
  ...[14, 6, 6, 6, 6],
  ...[1, 1, 1, 1],
]);

/** Where two or three players leave out one card of each hazard. */
export const SHORT_DECK: Counts = counts([
  ...[10, 10, 10, 12, 4],
  ...[4, 3, 2, 2, 2],
  ...[14, 6, 6, 6, 6],
  ...[1, 1, 1, 1],
]);

export const EXPRESS_DECK: Counts = counts([
  ...[6, 6, 6, 10, 3],
  ...[2, 2, 2, 2, 2],
  ...[5, 4, 4, 4, 4],
  ...[1, 1, 1, 1],
]);

const NAMES = ["", ...Object.keys(Card)] as readonly CardName[];

/** The name of a card, such as `RED_LIGHT`. */
export function cardName(card: Card): CardName {
  return NAMES[card];
}

/** How many of each card there are in a list. */
export function countsOf(cards: Iterable<Card>): Record<Card, number> {
  const found = counts([]);
  for (const card of cards) found[card] += 1;
  return found;
}

/** Numbers by card, in deck order; those that are missing are 0. */
function counts(numbers: readonly number[]): Record<Card, number> {
  const byCard = [0, ...numbers, ...Array<number>(19 - numbers.length).fill(0)];
  return byCard as unknown as Record<Card, number>;
}
