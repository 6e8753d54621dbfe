/** A referee for tests: it says what the script says, and keeps what the bot says. */

import type { Bot } from "../src/bot.js";
import { Failures } from "../src/failures.js";
import { Inbox, type Clock } from "../src/inbox.js";
import { Player } from "../src/player.js";
import { actionMessage } from "../src/convert.js";
import { Action } from "../src/actions.js";
import { Conversation } from "../src/stream.js";
import {
  Outcome,
  PlayRequest,
  PlayResponse,
  Prompt,
  RejectionReason,
  Welcome,
  WindowMode,
} from "../src/wire/millearena/v1/match_service.js";
import type { Event } from "../src/wire/millearena/v1/views.js";
import { messageOf, type PromptOptions } from "../src/testing.js";

type Said = NonNullable<PlayResponse["message"]>;

export interface Question extends PromptOptions {
  readonly id: string;
  readonly events?: readonly Event[];
  readonly firstEvent?: number;
  readonly hand?: number;
}

export function prompt(question: Question): Said {
  const value = messageOf(question);
  value.promptId = question.id;
  value.handNumber = question.hand ?? 0;
  if (value.view) {
    value.view.events = [...(question.events ?? [])];
    value.view.firstEvent = question.firstEvent ?? 0;
  }
  return { $case: "prompt", value: Prompt.fromPartial(value) };
}

export function welcome(mode = WindowMode.PROMPT, messagesPerPrompt = 4): Said {
  const { view } = messageOf({ legal: ["pass"] });
  const value = Welcome.fromPartial({
    teams: [{ seats: [0] }, { seats: [1] }],
    ruleSet: view?.ruleSet,
    windowMode: mode,
    gameCount: 1,
    faultBudget: { maxStrikes: 3, messagesPerPrompt, surplusMessages: 64, noteBytes: 20 },
  });
  return { $case: "welcome", value };
}

export function rejection(id: string, played: string): Said {
  const reason = RejectionReason.TIMED_OUT;
  const action = actionMessage(Action.of(played));
  const value = { promptId: id, reason, detail: "too late", played: action, strikes: 1 };
  return { $case: "rejection", value };
}

export const matchOver: Said = {
  $case: "matchOver",
  value: { gameCount: 1, gamesWon: 1, gamesDrawn: 0, outcome: Outcome.COMPLETED, detail: "" },
};

/** The far end of a bot's stream. */
export class Table {
  readonly inbox: Inbox;
  readonly player: Player;
  /** What the bot has said: `ID: ACTION or index`, `note: TEXT`. */
  readonly said: string[] = [];
  /** The prompt after whose answer the match is over, if that is not in the script. */
  endsAfter = "";
  #script: Said[] = [];
  #ends = false;

  constructor(bot: Bot, { strict = false, clock = undefined as Clock | undefined } = {}) {
    this.inbox = new Inbox(clock);
    this.player = new Player(bot, new Failures({ strict }));
  }

  /** Says these later, each prompt after the one before it was answered. */
  say(...messages: readonly Said[]): this {
    this.#script.push(...messages);
    return this;
  }

  /** Says these now. */
  interrupt(...messages: readonly Said[]): void {
    for (const message of messages) this.inbox.put({ message });
  }

  /** Lets the bot play; whether it heard the end of the match. */
  play(): Promise<boolean> {
    this.#goOn();
    const write = (request: PlayRequest) => {
      this.#hear(request);
    };
    return new Conversation(this.player, write, this.inbox).run();
  }

  /** The same, but the stream ends after what was said; then the bot's program does. */
  async playOut(): Promise<void> {
    this.#ends = true;
    await this.play();
    this.player.report();
  }

  #goOn(): void {
    for (;;) {
      const message = this.#script.shift();
      if (!message) break;
      this.inbox.put({ message });
      if (message.$case === "prompt") return;
    }
    if (this.#ends) this.inbox.end();
  }

  #hear({ message }: PlayRequest): void {
    if (message?.$case === "note") this.said.push(`note: ${message.value.text}`);
    if (message?.$case !== "answer") return;
    const { promptId, choice, coupFourreOn } = message.value;
    const what = choice?.$case === "action" ? choice.value.kind?.$case : choice?.value;
    const orders = coupFourreOn.length ? `, orders ${coupFourreOn.join(" ")}` : "";
    this.said.push(`${promptId}: ${String(what)}${orders}`);
    if (promptId === this.endsAfter) this.interrupt(matchOver);
    else this.#goOn();
  }
}
