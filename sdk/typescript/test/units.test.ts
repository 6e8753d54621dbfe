/** The parts that need no table. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Action,
  Bot,
  Card,
  CARDS,
  cardName,
  CLASSIC_DECK,
  EXPRESS_DECK,
  type Counts,
  isDistance,
  isHazard,
  isRemedy,
  isSafety,
  KM,
  type Prompt,
  Rng,
  SHORT_DECK,
} from "../src/index.js";
import { Inbox } from "../src/inbox.js";
import { promptOf } from "../src/testing.js";

const total = (counts: Counts) => CARDS.reduce((sum, card) => sum + counts[card], 0);

test("the decks have as many cards as they should", () => {
  assert.deepEqual([CLASSIC_DECK, SHORT_DECK, EXPRESS_DECK].map(total), [106, 101, 66]);
});

test("every card is of one kind", () => {
  for (const card of CARDS) {
    const kinds = [isDistance, isHazard, isRemedy, isSafety].filter((isOfKind) => isOfKind(card));
    assert.equal(kinds.length, 1, cardName(card));
    assert.equal(KM[card] > 0, isDistance(card));
  }
});

test("an action exists once, and an unknown one is refused by its text", () => {
  const action = Action.of("play RED_LIGHT on 1");
  assert.equal(action, Action.find("play RED_LIGHT on 1"));
  assert.deepEqual([action.verb, action.card, action.team], ["play", Card.RED_LIGHT, 1]);
  assert.equal(Action.find("play GREEN_LIGHT on 1"), undefined);
  assert.throws(() => Action.of("play LUCK"), /RangeError: unknown action "play LUCK"/);
  assert.throws(() => Object.assign(action, { team: 2 }), TypeError);
});

test("the same seed gives the same chance", () => {
  const [one, two, other] = [new Rng(7), new Rng("7"), new Rng(8)];
  const numbers = (rng: Rng) => Array.from({ length: 100 }, () => rng.below(1000));
  const drawn = numbers(one);
  assert.deepEqual(numbers(two), drawn);
  assert.notDeepEqual(numbers(other), drawn);
  assert.ok(drawn.every((number) => number >= 0 && number < 1000));
  assert.deepEqual(
    one.shuffled(CARDS).sort((a, b) => a - b),
    CARDS,
  );
  assert.throws(() => one.choice([]), RangeError);
});

test("chance is even", () => {
  const rng = new Rng("even");
  const counts = Array<number>(10).fill(0);
  for (let draw = 0; draw < 10_000; draw += 1) counts[rng.below(10)] += 1;
  for (const count of counts) assert.ok(count > 850 && count < 1150, counts.join(" "));
});

test("a prompt for a test, and the time that it has", () => {
  const prompt = promptOf({ legal: ["play D100", "discard D25"], cards: ["D100", "D25"] });
  assert.equal(prompt.kind, "play");
  assert.equal(prompt.default, Action.of("discard D25"));
  assert.deepEqual(prompt.view.cards, [Card.D25, Card.D100]);
  assert.ok(prompt.timeLeft() > 29_000 && prompt.timeLeft({ bank: false }) <= 1000);
  const response = promptOf({ kind: "respond", legal: ["pass"], timeLimit: 100 });
  assert.ok(response.timeLeft() <= 100);
  assert.equal(response.hasChoice, false);
  assert.throws(() => promptOf({ legal: ["win"] }), /unknown action "win"/);
});

test("outside a match chance is fixed and notes go to the log", (context) => {
  class First extends Bot {
    override choose(prompt: Prompt): Action {
      return prompt.legal[0];
    }
  }
  const written = context.mock.method(process.stderr, "write", () => true);
  new First().note("hello");
  assert.deepEqual(written.mock.calls[0].arguments, ["hello\n"]);
  written.mock.restore();
  assert.equal(new First().rng.random(), new First().rng.random());
});

test("a message counts from when the thread was free and nothing was there", () => {
  let [now, idle] = [100, 50];
  const inbox = new Inbox({ now: () => now, idle: () => idle });
  const cameAt = async () => (await inbox.next())?.came;
  const put = () => {
    inbox.put({ message: undefined });
    return cameAt();
  };
  return (async () => {
    [now, idle] = [110, 59]; // the thread has waited: it has come now
    assert.equal(await put(), 110);
    now = 5000; // a thought, in which nothing was taken in
    assert.equal(await put(), 110);
    inbox.answered();
    now = 5002; // at once after an answer
    assert.equal(await put(), 5000);
    [now, idle] = [6000, 900];
    assert.equal(await put(), 6000);
  })();
});
