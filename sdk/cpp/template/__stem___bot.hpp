// __name__: gets the car going, drives as far as it can, else attacks.
#pragma once

#include <arena/sdk.hpp>

class __Class__ : public arena::Bot {
 public:
  // Answer one question with one of `prompt.legal`.
  arena::Action choose(const arena::Prompt& prompt) override {
    if (const auto answer = prompt.coup_fourre()) return *answer;  // 300 points, and the turn
    if (const auto remedies = prompt.remedies(); !remedies.empty()) return remedies.front();
    if (const auto drives = prompt.drives(); !drives.empty()) return drives.back();  // the longest
    if (const auto attacks = prompt.attacks(); !attacks.empty()) return attacks.front();
    return prompt.default_action;  // throws away the lowest card, but no safety
  }
};
