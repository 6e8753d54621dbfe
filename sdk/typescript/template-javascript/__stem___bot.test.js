/** `npm test` runs this: __name__ without a referee. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { promptOf } from "@mille-arena/sdk/testing";
import { __Class__ } from "./__stem___bot.js";

test("the longest way is driven", () => {
  const prompt = promptOf({ legal: ["play D25", "play D100", "discard D25"] });
  assert.equal(new __Class__().choose(prompt), prompt.find("play D100"));
});

test("an attack is answered", () => {
  const prompt = promptOf({ kind: "respond", legal: ["coup_fourre DRIVING_ACE", "pass"] });
  assert.equal(new __Class__().choose(prompt), prompt.coupFourre);
});

test("whatever is asked, the answer is legal", () => {
  for (const legal of [["pass"], ["extend", "stop"], ["draw pile", "draw discard"]]) {
    const prompt = promptOf({ legal });
    assert.ok(prompt.legal.includes(new __Class__().choose(prompt)));
  }
});
