/** Bots as programs of their own, over gRPC. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type handleBidiStreamingCall, Server, ServerCredentials, status } from "@grpc/grpc-js";
import {
  MatchServiceService,
  type PlayRequest,
  type PlayResponse,
} from "../src/wire/millearena/v1/match_service.js";
import { matchOver, prompt, welcome } from "./table.js";

const home = mkdtempSync(join(tmpdir(), "arena-sdk-"));
after(() => {
  rmSync(home, { recursive: true });
});

const SDK = new URL("../src/index.js", import.meta.url).href;
const EXAMPLES = fileURLToPath(new URL("../../../../example_bots/", import.meta.url));

/** A program with a bot; `body` is its class's, `more` stands behind `run`. */
function program(body: string, more = ""): string {
  const path = join(home, `bot${Math.random()}.mjs`);
  const bot = `class Tester extends Bot { ${body} }`;
  writeFileSync(
    path,
    `import { Bot, run } from "${SDK}"; ${bot}\n${more};\nawait run(new Tester());`,
  );
  return path;
}

const FIRST = "choose(prompt) { return prompt.legal[0]; }";

interface Ending {
  readonly code: number | null;
  readonly errors: string;
}

async function start(path: string, environment: NodeJS.ProcessEnv): Promise<Ending> {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("ARENA_"));
  const bot = spawn(process.execPath, [path], {
    env: { ...Object.fromEntries(ours), ...environment },
  });
  let errors = "";
  bot.stderr.on("data", (data) => (errors += String(data)));
  const code = await new Promise<number | null>((resolve) => bot.on("close", resolve));
  return { code, errors };
}

type Handler = handleBidiStreamingCall<PlayRequest, PlayResponse>;

/** Plays one stream as `handler` does with the program; over a port if `isPort`. */
async function played(
  path: string,
  handler: Handler,
  more: NodeJS.ProcessEnv = {},
  isPort = false,
) {
  const server = new Server();
  server.addService(MatchServiceService, { play: handler });
  const socket = `unix:${join(home, `s${Math.random()}.sock`)}`;
  const port = await new Promise<number>((resolve, reject) => {
    const where = isPort ? "127.0.0.1:0" : socket;
    server.bindAsync(where, ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  const address = isPort ? `127.0.0.1:${port}` : socket;
  try {
    return await start(path, { ARENA_ADDRESS: address, ...more });
  } finally {
    server.forceShutdown();
  }
}

/** Welcomes the bot, asks it one thing, and keeps what it says. */
function referee(said: PlayRequest[]): Handler {
  return (call) => {
    call.on("error", () => undefined); // it has gone, as it should
    call.on("data", (request: PlayRequest) => {
      said.push(request);
      if (request.message?.$case === "join") {
        call.write({ message: welcome() });
        call.write({
          message: prompt({ id: "a", legal: ["play D100", "discard D25"], cards: ["D25"] }),
        });
      } else if (request.message?.$case === "answer") {
        call.write({ message: matchOver });
        call.end();
      }
    });
  };
}

for (const isPort of [false, true]) {
  test(`a match over ${isPort ? "a port" : "a socket"}`, async () => {
    const said: PlayRequest[] = [];
    const tokens: unknown[] = [];
    const hosts: string[] = [];
    const inner = referee(said);
    const handler: Handler = (call) => {
      tokens.push(...call.metadata.get("arena-token"));
      hosts.push(call.getHost());
      inner(call);
    };
    const bot = program(`version = "0.3"; ${FIRST}`);
    const ending = await played(bot, handler, { ARENA_TOKEN: "secret" }, isPort);
    assert.deepEqual(ending, { code: 0, errors: "" });
    assert.deepEqual(tokens, ["secret"]);
    assert.deepEqual(hosts, ["localhost"]);
    const [join, answer] = said.map(({ message }) => message);
    assert.deepEqual(join, {
      $case: "join",
      value: {
        protocolVersion: 1,
        botName: "Tester",
        botVersion: "0.3",
        sdk: "arena_sdk-typescript 0.1.0",
      },
    });
    assert.ok(answer?.$case === "answer");
    assert.deepEqual(answer.value.choice, { $case: "legalIndex", value: 0 });
  });
}

test("a bot with work left over ends all the same", async () => {
  const bot = program(FIRST, "setInterval(() => {}, 1000)");
  assert.deepEqual(await played(bot, referee([])), { code: 0, errors: "" });
});

test("what is thrown where nobody awaits it is logged and counted", async () => {
  const bot = program(
    'async choose(prompt) { Promise.reject(new Error("lost")); await 0; await new Promise(setImmediate); return prompt.default; }',
  );
  const { code, errors } = await played(bot, referee([]));
  assert.equal(code, 0);
  assert.match(errors, /arena_sdk: a callback raised 1 time \(last: Error: lost\)\n$/);
});

test("a bot that fails in strict play ends with a line that says why", async () => {
  const bot = program('choose() { throw new Error("no idea"); }');
  const { code, errors } = await played(bot, referee([]), { ARENA_STRICT: "1" });
  assert.equal(code, 1);
  assert.match(errors, /\narena_sdk: strict play ends here: choose raised Error: no idea\n$/);
});

test("a referee that refuses is quoted", async () => {
  const { code, errors } = await played(program(FIRST), (call) => {
    call.emit("error", { code: status.UNAUTHENTICATED, details: "no token" });
  });
  assert.deepEqual({ code, errors }, { code: 1, errors: "arena_sdk: UNAUTHENTICATED: no token\n" });
});

test("a referee that leaves is told of", async () => {
  const { code, errors } = await played(program(FIRST), (call) => {
    call.write({ message: welcome() });
    call.end();
  });
  const line = "arena_sdk: the referee ended the stream before the match was over\n";
  assert.deepEqual({ code, errors }, { code: 1, errors: line });
});

const REFUSED: readonly [string, NodeJS.ProcessEnv, string][] = [
  ["no address", {}, "ARENA_ADDRESS is not set; start the bot with `arena match`"],
  [
    "a bad address",
    { ARENA_ADDRESS: "here" },
    "ARENA_ADDRESS 'here': must be unix:PATH or HOST:PORT",
  ],
  [
    "a bad token",
    { ARENA_ADDRESS: "unix:/x", ARENA_TOKEN: "ä" },
    "ARENA_TOKEN: must be printable ASCII",
  ],
];
for (const [what, environment, line] of REFUSED) {
  test(`${what} is refused in one line`, async () => {
    const ending = await start(program(FIRST), environment);
    assert.deepEqual(ending, { code: 1, errors: `arena_sdk: ${line}\n` });
  });
}

test("a class is no bot", async () => {
  const bot = join(home, "class.mjs");
  writeFileSync(bot, `import { Bot, run } from "${SDK}"; class A extends Bot {} await run(A);`);
  const line = "arena_sdk: run() takes a bot, not its class: run(new A())\n";
  assert.deepEqual(await start(bot, {}), { code: 1, errors: line });
});

for (const [name, path] of [
  ["typescript_keeper", "dist/keeper_bot.js"],
  ["typescript_random", "dist/random_bot.js"],
  ["javascript_random", "random_bot.js"],
] as const) {
  const program = join(EXAMPLES, name, path);
  const skip = existsSync(join(EXAMPLES, name, "node_modules")) ? false : "it is not installed";
  test(`the example bot ${name} plays`, { skip }, async () => {
    const said: PlayRequest[] = [];
    assert.deepEqual(await played(program, referee(said)), { code: 0, errors: "" });
    assert.deepEqual(
      said.map(({ message }) => message?.$case),
      ["join", "answer"],
    );
  });
}
