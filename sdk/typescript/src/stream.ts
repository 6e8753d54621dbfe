/**
 * A bot's stream: connect, join, carry prompts to the player and its answers back.
 *
 * After a thought that took too long the SDK first takes in what has come meanwhile, and sees which
 * prompts are closed already. It goes on with the one that is open, so one slip costs one decision.
 */

import { type Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { Bot } from "./bot.js";
import { answerMessage, milliseconds, NewerMessage, promptFrom } from "./convert.js";
import { handResultFrom, matchResultFrom, rejectionFrom, welcomeFrom } from "./convert_match.js";
import { Inbox } from "./inbox.js";
import type { Player } from "./player.js";
import { messageOf } from "./testing.js";
import {
  MatchServiceClient,
  PlayRequest,
  type PlayResponse,
  Prompt as WirePrompt,
} from "./wire/millearena/v1/match_service.js";

export const SDK = "arena_sdk-typescript 0.1.0";
const PROTOCOL_VERSION = 1;
const PATIENCE = 30_000; // milliseconds until a referee that cannot be reached is given up
const PIECE = 500; // milliseconds

const OPTIONS = {
  // The authority is a made-up name: a socket's path is none, and some servers look at it.
  "grpc.default_authority": "localhost",
  "grpc.enable_http_proxy": 0, // the referee is on this machine
  "grpc.enable_retries": 0, // a stream is played once
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
};

/** The stream could not be opened, was refused, or ended early; the message says why. */
export class NoReferee extends Error {
  override readonly name = "NoReferee";
}

/**
 * Plays one stream of games at the referee at `address`, to its end.
 *
 * @throws NoReferee if it cannot be reached, refused the bot, or went away.
 */
export async function play(
  player: Player,
  address: string,
  { token = "", patience = PATIENCE } = {},
): Promise<void> {
  const client = new MatchServiceClient(address, credentials.createInsecure(), OPTIONS);
  try {
    warmUp();
    await reach(client, patience);
    const metadata = new Metadata();
    if (token) metadata.set("arena-token", token);
    const call = client.play(metadata);
    const inbox = inboxOf(call);
    call.write(joinOf(player.bot));
    const isOver = await new Conversation(player, (request) => call.write(request), inbox).run();
    call.cancel();
    if (!isOver) throw new NoReferee("the referee ended the stream before the match was over");
  } finally {
    client.close();
  }
}

/**
 * Reads and answers a made-up prompt. What runs for the first time is ten times as slow, and the
 * first real prompt may be of a short response window.
 */
function warmUp(): void {
  const message = WirePrompt.decode(WirePrompt.encode(messageOf({ legal: ["pass"] })).finish());
  const prompt = promptFrom(message, 0);
  const value = answerMessage("", prompt, prompt.default);
  PlayRequest.encode({ message: { $case: "answer", value } }).finish();
}

/**
 * Waits until the referee is there. A bot may be held still, and what passes meanwhile is no
 * waiting of ours: time is counted in pieces, each of which is over once at the most.
 */
async function reach(client: Client, patience: number): Promise<void> {
  for (let waited = 0; waited < patience; waited += PIECE) {
    if (await isReady(client, Date.now() + PIECE)) return;
  }
  throw new NoReferee(`nobody has answered for ${patience / 1000} s`);
}

function isReady(client: Client, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(deadline, (error) => {
      resolve(!error);
    });
  });
}

/** What comes on a call, as it comes. */
function inboxOf(call: ReturnType<MatchServiceClient["play"]>): Inbox {
  const inbox = new Inbox();
  let failed: NoReferee | undefined;
  call.on("data", (message: PlayResponse) => {
    inbox.put(message);
  });
  call.on("error", (error: ServiceError) => {
    failed = new NoReferee(`${status[error.code]}: ${error.details}`);
  });
  // An error is told before the last messages are: only after "end" there are none.
  for (const event of ["end", "close"])
    call.on(event, () => {
      inbox.end(failed);
    });
  return inbox;
}

function joinOf(bot: Bot): PlayRequest {
  const value = {
    protocolVersion: PROTOCOL_VERSION,
    botName: bot.name || bot.constructor.name,
    botVersion: bot.version,
    sdk: SDK,
  };
  return { message: { $case: "join", value } };
}

/** What is said on one stream. `write` sends a message, `inbox` has what comes. */
export class Conversation {
  readonly #player: Player;
  readonly #write: (request: PlayRequest) => void;
  readonly #inbox: Inbox;

  constructor(player: Player, write: (request: PlayRequest) => void, inbox: Inbox) {
    this.#player = player;
    this.#write = write;
    this.#inbox = inbox;
  }

  /**
   * Answers prompts until the match is over; false: the stream ended before.
   *
   * @throws NoReferee if it ended with an error of the referee's.
   */
  async run(): Promise<boolean> {
    for (;;) {
      const mail = await this.#inbox.next();
      if (!mail) return false;
      const { message } = mail.message;
      if (message?.$case === "prompt") await this.#takePrompt(message.value, mail.came);
      else await this.#takeNews(message);
      if (message?.$case === "matchOver") return true;
    }
  }

  /** Answers a prompt, unless it is closed. */
  async #takePrompt(message: WirePrompt, came: number): Promise<void> {
    const limit = milliseconds(message.timeLimit);
    const { promptId } = message;
    if (performance.now() - came >= limit) await this.#inbox.readAhead(); // hooks took too long
    const prompt = this.#read("prompt", () => promptFrom(message, came));
    if (!prompt) {
      // The default is the answer to what cannot be understood.
      const choice = { $case: "legalIndex", value: message.defaultIndex } as const;
      this.#send({ $case: "answer", value: { promptId, choice, coupFourreOn: [] } });
      return;
    }
    if (this.#inbox.closes(message)) {
      await this.#player.skip(prompt);
      return;
    }
    const action = await this.#player.answer(prompt);
    const answer = answerMessage(promptId, prompt, action, await this.#player.orders(prompt));
    if (performance.now() - came >= limit) await this.#inbox.readAhead();
    // A late answer is sent too, for the referee to count, but not after the end.
    if (prompt.hasChoice && !this.#inbox.closes(message)) {
      for (const text of this.#player.notes.take()) this.#send({ $case: "note", value: { text } });
    }
    if (!this.#inbox.isOver) this.#send({ $case: "answer", value: answer });
  }

  async #takeNews(message: PlayResponse["message"]): Promise<void> {
    const player = this.#player;
    switch (message?.$case) {
      case "welcome": {
        const welcome = this.#read("welcome", () => welcomeFrom(message.value));
        if (welcome) await player.welcome(welcome);
        break;
      }
      case "rejection":
        await player.rejected(rejectionFrom(message.value));
        break;
      case "handOver": {
        const result = this.#read("hand_over", () => handResultFrom(message.value));
        if (result) await player.handOver(result);
        break;
      }
      case "matchOver":
        await player.matchOver(matchResultFrom(message.value));
        break;
      default:
        player.passedOver("a message of a new kind");
    }
  }

  /** What `read` makes of a message; undefined if that is newer than this SDK. */
  #read<T>(what: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof NewerMessage)) throw error;
      this.#player.passedOver(`${what}: ${error.message}`);
      return undefined;
    }
  }

  #send(message: PlayRequest["message"]): void {
    this.#write({ message });
    this.#inbox.answered();
  }
}
