/** When a bot is asked and told what, at a scripted table. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Action,
  type Awaitable,
  Bot,
  Card,
  type Event,
  type Hazard,
  type Prompt,
} from "../src/index.js";
import { WindowMode } from "../src/wire/millearena/v1/match_service.js";
import { Card as WireCard } from "../src/wire/millearena/v1/cards.js";
import type { Event as WireEvent } from "../src/wire/millearena/v1/views.js";
import { matchOver, prompt, rejection, Table, welcome } from "./table.js";

let log = "";
beforeEach(() => {
  log = "";
  mock.method(process.stderr, "write", (text: string) => {
    log += text;
    return true;
  });
});
afterEach(() => {
  mock.restoreAll();
});

const LEGAL = ["play D100", "discard D25"];
const played = (seat: number): WireEvent => ({
  seat,
  kind: { $case: "cardPlayed", value: { card: WireCard.D25 } },
});

/** Plays the first legal action and remembers what it heard. */
class Watcher extends Bot {
  readonly heard: string[] = [];

  choose(prompt: Prompt): Action | Promise<Action> {
    this.heard.push(`choose after ${prompt.view.history.length} from ${prompt.view.firstEvent}`);
    return prompt.legal[0];
  }

  override handStarted(game: number, hand: number): void {
    this.heard.push(`hand ${game}.${hand}`);
  }

  override saw(events: readonly Event[]): void {
    this.heard.push(`saw ${events.map((event) => event.seat).join(" ")}`);
  }
}

test("an answer is the place of the action", async () => {
  const table = new Table(new Watcher()).say(
    welcome(),
    prompt({ id: "a", legal: LEGAL }),
    matchOver,
  );
  assert.equal(await table.play(), true);
  assert.deepEqual(table.said, ["a: 0"]);
  assert.equal(log, "");
});

test("a stream that ends early is no end of the match", async () => {
  const table = new Table(new Watcher()).say(welcome());
  table.inbox.end();
  assert.equal(await table.play(), false);
});

test("who can only pass is not asked, and misses nothing", async () => {
  const bot = new Watcher();
  const table = new Table(bot).say(
    prompt({ id: "a", kind: "respond", legal: ["pass"], events: [played(1)], firstEvent: 7 }),
    prompt({ id: "b", legal: LEGAL, events: [played(0), played(1)], firstEvent: 8 }),
  );
  await table.playOut();
  assert.deepEqual(table.said, ["a: 0", "b: 0"]);
  assert.deepEqual(bot.heard, ["hand 0.0", "saw 1 0 1", "choose after 3 from 7"]);
});

test("events of a hand in which nothing more was asked are shown before the next", async () => {
  const bot = new Watcher();
  const table = new Table(bot).say(
    prompt({ id: "a", kind: "respond", legal: ["pass"], events: [played(1)] }),
    prompt({ id: "b", legal: LEGAL, hand: 1 }),
  );
  await table.playOut();
  assert.deepEqual(bot.heard, ["hand 0.0", "saw 1", "hand 0.1", "choose after 0 from 0"]);
});

test("what a bot throws is logged and counted, and the default is played", async () => {
  class Broken extends Bot {
    choose(): Action {
      throw new TypeError("no\nidea");
    }
  }
  const table = new Table(new Broken()).say(
    prompt({ id: "a", legal: LEGAL }),
    prompt({ id: "b", legal: LEGAL }),
  );
  await table.playOut();
  assert.deepEqual(table.said, ["a: 1", "b: 1"]);
  assert.match(log, /TypeError: no\nidea\n +at Broken\.choose/);
  const line =
    "arena_sdk: choose raised 2 times (last: TypeError: no idea); default actions were played\n";
  assert.ok(log.endsWith(line), log);
});

test("a promise that is rejected is the same, and a hook's as well", async () => {
  class Broken extends Bot {
    async choose(): Promise<Action> {
      await sleep(1);
      throw new Error("later");
    }

    override async handStarted(): Promise<void> {
      await sleep(1);
      throw "a text"; // eslint-disable-line @typescript-eslint/only-throw-error -- bots may
    }
  }
  const table = new Table(new Broken()).say(prompt({ id: "a", legal: LEGAL }));
  await table.playOut();
  assert.deepEqual(table.said, ["a: 1"]);
  assert.match(log, /handStarted raised 1 time \(last: 'a text'\); choose raised 1 time/);
});

test("strict play ends with the first thing thrown", async () => {
  class Broken extends Bot {
    choose(): Action {
      throw new TypeError("no");
    }
  }
  const table = new Table(new Broken(), { strict: true }).say(prompt({ id: "a", legal: LEGAL }));
  await assert.rejects(table.play(), { message: "choose raised TypeError: no" });
  assert.deepEqual(table.said, []);
});

test("what is no action counts as thrown, what is not legal is sent as it is", async () => {
  class Odd extends Bot {
    choose(prompt: Prompt): Action {
      return prompt.bankLeft ? Action.of("play D200") : (undefined as unknown as Action);
    }
  }
  const table = new Table(new Odd()).say(
    prompt({ id: "a", legal: LEGAL }),
    prompt({ id: "b", legal: LEGAL, bankLeft: 0 }),
  );
  await table.playOut();
  assert.deepEqual(table.said, ["a: play", "b: 1"]);
  assert.match(log, /choose returned undefined, which is no Action/);
});

test("respond is asked only where it can do something", async () => {
  class Responder extends Watcher {
    override respond(prompt: Prompt): Action {
      this.heard.push("respond");
      return prompt.coupFourre ?? prompt.default;
    }
  }
  const bot = new Responder();
  const legal = ["coup_fourre DRIVING_ACE", "pass"];
  const table = new Table(bot).say(
    prompt({ id: "a", kind: "respond", legal: ["pass"] }),
    prompt({ id: "b", kind: "respond", legal, attack: "ACCIDENT" }),
  );
  await table.playOut();
  assert.deepEqual(table.said, ["a: 0", "b: 0"]);
  assert.deepEqual(bot.heard, ["hand 0.0", "respond"]);
});

test("standing orders go along where windows are run so", async () => {
  const ask = prompt({ id: "a", legal: LEGAL, cards: ["D25", "RIGHT_OF_WAY", "DRIVING_ACE"] });
  const plain = new Table(new Watcher()).say(welcome(), ask);
  await plain.playOut();
  assert.deepEqual(plain.said, ["a: 0"]);
  const standing = new Table(new Watcher()).say(welcome(WindowMode.STANDING), ask);
  await standing.playOut();
  const orders = [Card.RED_LIGHT, Card.SPEED_LIMIT, Card.ACCIDENT].join(" ");
  assert.deepEqual(standing.said, [`a: 0, orders ${orders}`]);
});

test("standing orders for what is no hazard are refused by name", async () => {
  class Confused extends Watcher {
    override standingOrders(): Hazard[] {
      return [Card.DRIVING_ACE as unknown as Hazard];
    }
  }
  const table = new Table(new Confused()).say(
    welcome(WindowMode.STANDING),
    prompt({ id: "a", legal: LEGAL }),
  );
  await table.playOut();
  assert.deepEqual(table.said, ["a: 0"]);
  assert.match(log, /RangeError: standingOrders returned DRIVING_ACE, which is no hazard/);
});

test("notes go along, as many and as long as fit", async () => {
  class Talker extends Watcher {
    override choose(prompt: Prompt): Action {
      for (const text of ["one\ntwo", "ä".repeat(30), 3, "dropped"]) this.note(text);
      return prompt.legal[0];
    }

    override handOver(): void {
      this.note("never");
    }
  }
  const table = new Table(new Talker()).say(
    welcome(),
    prompt({ id: "a", legal: LEGAL }),
    matchOver,
  );
  await table.play();
  table.player.notes.add("left over");
  table.player.report();
  assert.deepEqual(table.said, ["note: one two", `note: ${"ä".repeat(10)}`, "note: 3", "a: 0"]);
  assert.equal(log, "left over\narena_sdk: 1 note dropped, 3 fit an answer\n");
});

test("a message of a new kind is passed over and counted", async () => {
  const table = new Table(new Watcher());
  table.inbox.put({ message: undefined });
  table.say(prompt({ id: "a", legal: LEGAL }));
  await table.playOut();
  assert.deepEqual(table.said, ["a: 0"]);
  const what = "1 message newer than this SDK passed over (last: a message of a new kind)";
  assert.equal(log, `arena_sdk: ${what}\n`);
});

/** Thinks for so long, without letting anything else happen. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const THOUGHTS: readonly [string, () => Awaitable<void>][] = [
  [
    "that blocks",
    () => {
      block(60);
    },
  ],
  ["that awaits", () => sleep(60)],
];

for (const [how, think] of THOUGHTS) {
  test(`a thought ${how} for too long costs one decision`, async () => {
    class Slow extends Watcher {
      slips = 1;

      override async choose(prompt: Prompt): Promise<Action> {
        this.heard.push(`saw ${prompt.view.history.length}`);
        if (this.slips-- > 0) await think();
        return prompt.legal[0];
      }
    }
    const bot = new Slow();
    const table = new Table(bot).say(
      welcome(),
      prompt({ id: "a", legal: LEGAL, timeLimit: 20, bankLeft: 0 }),
    );
    // While it thinks about "a", that is closed, and so is "b"; "c" is open.
    const timer = setTimeout(() => {
      table.interrupt(
        rejection("a", "discard D25"),
        prompt({ id: "b", legal: LEGAL, timeLimit: 20, bankLeft: 0, events: [played(0)] }),
        rejection("b", "discard D25"),
        prompt({ id: "c", legal: LEGAL, timeLimit: 20, bankLeft: 0, events: [played(1)] }),
      );
    }, 25);
    table.endsAfter = "c";
    assert.equal(await table.play(), true);
    clearTimeout(timer);
    assert.deepEqual(table.said, ["a: 0", "c: 0"]);
    assert.deepEqual(
      bot.heard.filter((line) => line.startsWith("saw ")),
      ["saw 0", "saw 0 1", "saw 2"],
    );
  });
}

test("after the end nothing is sent", async () => {
  class Slow extends Watcher {
    override choose(prompt: Prompt): Action {
      table.interrupt(rejection("a", "discard D25"), matchOver);
      block(5);
      return prompt.legal[0];
    }
  }
  const table: Table = new Table(new Slow());
  table.say(welcome(), prompt({ id: "a", legal: LEGAL, timeLimit: 1, bankLeft: 0 }));
  assert.equal(await table.play(), true);
  assert.deepEqual(table.said, []);
});
