/** The shared test vectors: see sdk/vectors/README.md. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Action } from "../src/actions.js";
import { Bot } from "../src/bot.js";
import { type Card, cardName, CARDS, HAZARDS } from "../src/cards.js";
import { answerMessage, promptFrom } from "../src/convert.js";
import { Inbox } from "../src/inbox.js";
import { Player } from "../src/player.js";
import type { Prompt } from "../src/prompt.js";
import { Conversation } from "../src/stream.js";
import * as tables from "../src/tables.js";
import type { Table, View } from "../src/view.js";
import { PlayRequest, PlayResponse } from "../src/wire/millearena/v1/match_service.js";

type Json = Record<string, unknown>;

function read<Case>(name: string): Case[] {
  const path = new URL(`../../../vectors/${name}.json`, import.meta.url);
  const cases = JSON.parse(readFileSync(path, "utf8")) as Case[];
  assert.ok(cases.length > 10, `${name} has ${cases.length} cases`);
  return cases;
}

const bytes = (hex: string) => Buffer.from(hex, "hex");
const hex = (request: PlayRequest) =>
  Buffer.from(PlayRequest.encode(request).finish()).toString("hex");

function promptIn(hex: string) {
  const { message } = PlayResponse.decode(bytes(hex));
  assert.equal(message?.$case, "prompt");
  return message.value;
}

test("every message decodes to its values, and they to the same again", () => {
  const cases = read<{ name: string; type: string; hex: string; json: Json }>("messages");
  for (const { name, type, hex, json } of cases) {
    const codec = type === "PlayRequest" ? PlayRequest : PlayResponse;
    const message = codec.decode(bytes(hex));
    assert.deepEqual(mapped(codec.toJSON(message as never)), json, name);
    const again = codec.decode(codec.encode(message as never).finish());
    assert.deepEqual(again, message, name);
  }
});

/** JSON as protobuf maps it: a duration is a text, and what is 0 may be left out. */
function mapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const isDuration = ["startUp", "turn", "bank", "responseWindow", "timeLimit", "bankLeft"];
    return [key, isDuration.includes(key) ? durationText(inner as Json) : mapped(inner)] as const;
  });
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function durationText({ seconds = 0, nanos = 0 }: { seconds?: number; nanos?: number }): string {
  const fraction = nanos === 0 ? "" : `.${String(nanos / 1e6).padStart(3, "0")}`;
  return `${seconds}${fraction}s`;
}

test("every prompt says what it should", () => {
  for (const { name, hex, expect } of read<{ name: string; hex: string; expect: Json }>(
    "prompts",
  )) {
    assert.deepEqual(wordsOf(promptFrom(promptIn(hex), 0)), expect, name);
  }
});

const names = (cards: readonly (Card | undefined)[]) =>
  cards.map((card) => (card ? cardName(card) : null));
const texts = (actions: readonly Action[]) => actions.map((action) => action.text);

function wordsOf(prompt: Prompt): Json {
  return {
    kind: prompt.kind.toUpperCase(),
    has_choice: prompt.hasChoice,
    legal: texts(prompt.legal),
    default: prompt.default.text,
    drives: texts(prompt.drives),
    remedies: texts(prompt.remedies),
    safeties: texts(prompt.safeties),
    plays: texts(prompt.plays),
    attacks: texts(prompt.attacks),
    discards: texts(prompt.discards),
    coup_fourre: prompt.coupFourre?.text ?? null,
    time_limit_ms: prompt.timeLimit,
    bank_left_ms: prompt.bankLeft,
    game: prompt.game,
    hand: prompt.hand,
    view: wordsOfView(prompt.view),
  };
}

function wordsOfView(view: View): Json {
  return {
    seat: view.seat,
    team: view.team,
    family: view.rules.family.toUpperCase(),
    cards: names(view.cards),
    sizes: view.sizes,
    draw_count: view.drawCount,
    discard_pile: names(view.discardPile),
    target: view.target,
    to_go: [...view.tables.keys()].map((team) => tables.toGo(view, team)),
    rivals: tables.rivals(view),
    attack: view.attack ? cardName(view.attack) : null,
    unseen: CARDS.map((card) => view.unseen[card]),
    history: view.history.map(({ kind, seat, card, team }) => ({
      kind: kind.toUpperCase(),
      seat,
      card: card ? cardName(card) : null,
      team: team ?? null,
    })),
    tables: view.tables.map(wordsOfTable),
  };
}

function wordsOfTable(table: Table): Json {
  const stop = tables.stoppedBy(table);
  return {
    battle: names(table.battle),
    speed: names(table.speed),
    distance: names(table.distance),
    safeties: names(table.safeties),
    km: table.km,
    started: table.started,
    moving: table.moving,
    limited: table.limited,
    stopped_by: stop ? cardName(stop) : null,
    hazards: names(tables.hazards(table)),
    needs: names(tables.needs(table)),
    accepts: names(table.accepts),
    suffers: names(table.suffers),
    immune_to: names(HAZARDS.filter((hazard) => tables.isImmune(table, hazard))),
  };
}

test("every answer is written with the right bytes", () => {
  const cases = read<{ name: string; prompt_hex: string; action: string; hex: string }>("answers");
  for (const { name, prompt_hex, action, hex: expected } of cases) {
    const message = promptIn(prompt_hex);
    const prompt = promptFrom(message, 0);
    const value = answerMessage(message.promptId, prompt, Action.of(action));
    assert.equal(hex({ message: { $case: "answer", value } }), expected, `${name}: ${action}`);
  }
});

class Listener extends Bot {
  readonly told: string[] = [];

  override choose(prompt: Prompt): Action {
    this.told.push("prompt");
    return prompt.default;
  }

  override gameStarted(): void {
    this.told.push("welcome");
  }

  override rejected(): void {
    this.told.push("rejection");
  }
}

test("what is newer is read, answered by the default, or passed over", async () => {
  const cases = read<{ name: string; hex: string; then: string; answer_hex?: string }>("newer");
  for (const { name, hex: coded, then, answer_hex: expected } of cases) {
    const bot = new Listener();
    const inbox = new Inbox();
    const sent: string[] = [];
    inbox.put(PlayResponse.decode(bytes(coded)));
    const conversation = new Conversation(new Player(bot), (one) => sent.push(hex(one)), inbox);
    const running = conversation.run();
    await setImmediate();
    inbox.end();
    assert.equal(await running, false);
    assert.equal(bot.told.length, then === "read" ? 1 : 0, name);
    if (then === "default") assert.deepEqual(sent, [expected], name);
    if (then === "pass over") assert.deepEqual(sent, [], name);
  }
});
