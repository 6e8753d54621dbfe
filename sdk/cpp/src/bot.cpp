#include <arena/bot.hpp>
#include <charconv>
#include <cstdlib>
#include <iostream>

#include "notes.hpp"

namespace arena {

namespace {

constexpr std::uint64_t FIXED_SEED = 0x0A2E7A;  // outside a match

std::uint64_t seed() {
  const char* const text = std::getenv("ARENA_BOT_SEED");
  if (text == nullptr) return FIXED_SEED;
  const std::string_view digits(text);
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.begin(), digits.end(), number);
  if (read.ec == std::errc() && read.ptr == digits.end()) return number;
  return std::hash<std::string_view>{}(digits);  // any text is a seed, as in the other SDKs
}

}  // namespace

Action Bot::respond(const Prompt& prompt) {
  responds_by_choosing_ = true;  // what `choose` throws is said to be its own
  return choose(prompt);
}

Cards Bot::standing_orders(const Prompt& prompt) {
  Cards orders;
  for (const Card hazard : HAZARDS) {
    if (prompt.view.hand[safety_for(hazard)] > 0) orders.push_back(hazard);
  }
  return orders;
}

void Bot::note(std::string_view text) {
  if (notes_ != nullptr) {
    notes_->add(text);
  } else {  // nobody plays with this bot; where a note would go in the end
    std::cerr << text << '\n';
  }
}

std::mt19937_64& Bot::rng() {
  if (!rng_) rng_.emplace(seed());
  return *rng_;
}

}  // namespace arena
