// Any legal action, all equally likely. Whoever loses to it has a bug.

#include <arena/sdk.hpp>

class RandomBot : public arena::Bot {
 public:
  arena::Action choose(const arena::Prompt& prompt) override {
    std::uniform_int_distribution<std::size_t> place(0, prompt.legal.size() - 1);
    return prompt.legal[place(rng())];
  }
};

int main() {
  RandomBot bot;
  return arena::run(bot);
}
