import { run } from "@mille-arena/sdk";
import { __Class__ } from "./__stem___bot.js";

await run(new __Class__());
