// All that a bot needs.
//
//     #include <arena/sdk.hpp>
//
//     class First : public arena::Bot {
//       arena::Action choose(const arena::Prompt& prompt) override { return prompt.legal[0]; }
//     };
//
//     int main() {
//       First bot;
//       return arena::run(bot);
//     }
#pragma once

#include <arena/action.hpp>
#include <arena/bot.hpp>
#include <arena/card.hpp>
#include <arena/news.hpp>
#include <arena/prompt.hpp>
#include <arena/rules.hpp>
#include <arena/run.hpp>
#include <arena/tables.hpp>
#include <arena/view.hpp>
