/** From messages to values: what a bot is told besides prompts (see `convert.ts`). */

import type { Action } from "./actions.js";
import { actionFrom, eventsFrom, milliseconds, NewerMessage, rulesFrom, word } from "./convert.js";
import type { HandResult, Item, MatchResult, Rejection, Welcome } from "./values.js";
import * as wire from "./wire/millearena/v1/match_service.js";
import type { Action as WireAction } from "./wire/millearena/v1/actions.js";
import { HandEnd } from "./wire/millearena/v1/views.js";

/** Reads a welcome. */
export function welcomeFrom(message: wire.Welcome): Welcome {
  const { timeControl: time, faultBudget: faults, knowledge } = message;
  const teams = message.teams.map((team) => team.seats);
  const team = teams.findIndex((seats) => seats.includes(message.seat));
  if (team < 0) throw new NewerMessage(`seat ${message.seat} is in no team`);
  return {
    seat: message.seat,
    team,
    teams,
    rules: rulesFrom(message.ruleSet),
    time: {
      startUp: milliseconds(time?.startUp),
      turn: milliseconds(time?.turn),
      bank: milliseconds(time?.bank),
      responseWindow: milliseconds(time?.responseWindow),
    },
    windowMode: known(() => word(wire.WindowMode, message.windowMode)) ?? "unknown",
    faults: wire.FaultBudget.fromPartial(faults ?? {}),
    knowledge: wire.Knowledge.fromPartial(knowledge ?? {}),
    game: message.gameNumber,
    games: message.gameCount,
  };
}

/** Reads a rejection. */
export function rejectionFrom(message: wire.Rejection): Rejection {
  return {
    reason: known(() => word(wire.RejectionReason, message.reason)) ?? "unknown",
    detail: message.detail,
    played: known(() => playedFrom(message.played)),
    strikes: message.strikes,
  };
}

function playedFrom(message: WireAction | undefined): Action | undefined {
  return message && actionFrom(message);
}

/** Reads the end of a hand. */
export function handResultFrom(message: wire.HandOver): HandResult {
  const hasPoints = message.results.some((result) => result.items.length > 0);
  return {
    game: message.gameNumber,
    hand: message.handNumber,
    reason: known(() => word(HandEnd, message.end)),
    winner: message.winnerTeam,
    km: message.results.map((result) => result.km),
    points: hasPoints ? message.results.map((result) => result.points) : [],
    sheets: hasPoints ? message.results.map(sheetFrom) : [],
    scores: message.scores,
    gameOver: message.gameOver,
    gameWinner: message.gameWinnerTeam,
    events: eventsFrom(message.events),
  };
}

/** Reads the end of it all. */
export function matchResultFrom(message: wire.MatchOver): MatchResult {
  const { gameCount: games, gamesWon: won, gamesDrawn: drawn, detail } = message;
  const outcome = known(() => word(wire.Outcome, message.outcome)) ?? "unknown";
  return { games, won, drawn, lost: games - won - drawn, outcome, detail };
}

/** A score sheet; a line that is newer is only in the sum. */
function sheetFrom(result: wire.TeamResult): Partial<Record<Item, number>> {
  const sheet: Partial<Record<Item, number>> = {};
  for (const { kind, points } of result.items) {
    const item = known(() => word(wire.ScoreKind, kind));
    if (item) sheet[item] = points;
  }
  return sheet;
}

/** What `read` returns; undefined if that is newer than this SDK. */
function known<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NewerMessage) return undefined;
    throw error;
  }
}
