// A bot's whole life as a program.
#pragma once

#include <arena/bot.hpp>

namespace arena {

// Play with `bot` at the referee that ARENA_ADDRESS names, until it is over. What it returns is for
// `main` to return: 0, or 1 after a line on standard error that says why: ARENA_ADDRESS is not set,
// the referee refused the bot or went away, or in strict play (ARENA_STRICT=1) the bot has thrown.
int run(Bot& bot);

}  // namespace arena
