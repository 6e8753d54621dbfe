// For a bot's own tests: prompts without a referee.
//
//     arena::Prompt prompt = arena::testing::prompt({"play D100", "discard D25"});
//     prompt.view.tables[0].km = 900;
//     assert(bot.choose(prompt).text() == "play D100");
#pragma once

#include <arena/prompt.hpp>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

namespace arena::testing {

// A view of an empty table of two in the classic game, seen from seat 0.
inline View view() {
  View view;
  view.seat = 0;
  view.asked = {0};
  view.sizes = {6, 6};
  view.tables.resize(2);
  view.draw_count = 94;
  view.rules.preset = "classic";
  view.rules.max_200 = 2;
  view.rules.exhausted_safety_replays = true;
  view.seating = {{{0}, {1}}, {0, 1}};
  view.scores = {0, 0};
  return view;
}

// A prompt with those legal actions, as text; the last one is the default. In hand are the cards
// that they name. All else is as in `view()`, and can be changed.
inline Prompt prompt(std::initializer_list<std::string_view> legal, Stage kind = Stage::PLAY) {
  if (legal.size() == 0) throw std::invalid_argument("a prompt needs a legal action");
  Prompt prompt;
  prompt.kind = kind;
  prompt.view = view();
  prompt.view.stage = kind;
  for (const std::string_view text : legal) {
    prompt.legal.push_back(Action::parse(text));
    const auto card = prompt.legal.back().card;
    if (card && kind != Stage::TOP) prompt.view.hand[*card] = 1;
  }
  prompt.view.sizes[0] = prompt.view.hand.total();
  prompt.default_action = prompt.legal.back();
  return prompt;
}

}  // namespace arena::testing
