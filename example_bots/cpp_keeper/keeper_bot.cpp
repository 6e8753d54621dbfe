// Keeps safeties for the coup fourré, counts cards, and knows what each card in hand is worth.
//
// Every action gets a whole number, and the highest is played; the first of equals in the order of
// `prompt.legal`. There is no chance in it and no memory: the same view always gives the same
// answer. The scale: 100,000 ends the hand; 2,500 stops an opponent; 500 to 700 is an ordinary
// move; below 0 are discards, the more useful the card the lower. The same decisions as those of
// the keeper in Python.

#include <algorithm>
#include <arena/sdk.hpp>

#include "look.hpp"

using arena::Action;
using arena::Prompt;
using arena::Stage;

class KeeperBot : public arena::Bot {
 public:
  Action choose(const Prompt& prompt) override {
    const Look look(prompt.view);
    switch (prompt.kind) {
      case Stage::RESPOND:
        return prompt.coup_fourre().value_or(prompt.default_action);
      case Stage::DRAW:
        return prompt.legal[look.takes_open_card() ? 1 : 0];  // draw pile, draw discard
      case Stage::PLAY:
        return *std::ranges::max_element(
            prompt.legal, {}, [&look](const Action& action) { return look.worth(action); });
      case Stage::EXTEND:
        return prompt.legal[look.should_extend() ? 0 : 1];  // extend, stop
      default:
        return prompt.default_action;  // the remedy goes on top
    }
  }
};

int main() {
  KeeperBot bot;
  return arena::run(bot);
}
