// Builds the SDK when `npm install` of a bot has linked it. A bot that lies beside it, and not
// around it, does not fetch what the SDK needs: then that is done first.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));

function findCompiler() {
  try {
    const require = createRequire(import.meta.url);
    require.resolve("@grpc/grpc-js");
    return require.resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
}

function run(command, ...words) {
  const { status } = spawnSync(command, words, { cwd: home, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// The compiler is wanted also where the bot itself is installed without its tools (--omit=dev).
if (!findCompiler())
  run("npm", "ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund");
run(process.execPath, findCompiler(), "-p", "tsconfig.build.json");
