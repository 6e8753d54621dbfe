/** The code in README.md is right, and the bot there is the one that `arena new-bot` writes. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const home = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, home), "utf8");
const blocks = [...read("README.md").matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);

test("the code compiles", () => {
  assert.equal(blocks.length, 2);
  const folder = new URL("build/readme/", home);
  mkdirSync(folder, { recursive: true });
  blocks.forEach((code, at) => {
    writeFileSync(new URL(`block${at}.ts`, folder), code);
  });
  const compiler = fileURLToPath(new URL("node_modules/typescript/bin/tsc", home));
  const config = {
    extends: fileURLToPath(new URL("template/tsconfig.json", home)),
    compilerOptions: { rootDir: ".", noEmit: true },
    include: ["*.ts"],
  };
  writeFileSync(new URL("tsconfig.json", folder), JSON.stringify(config));
  execFileSync(process.execPath, [compiler, "-p", fileURLToPath(folder)], { stdio: "pipe" });
});

test("the first bot is the template's", () => {
  const words = { __name__: "hasty", __stem__: "hasty", __Class__: "HastyBot" };
  let template = read("template/__stem___bot.ts");
  for (const [word, value] of Object.entries(words)) template = template.replaceAll(word, value);
  assert.equal(template.replace(/^\/\*\*.*\n\n/, ""), blocks[0]);
});
