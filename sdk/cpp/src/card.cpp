#include <arena/card.hpp>
#include <stdexcept>
#include <string>

namespace arena {

namespace {

constexpr std::array<std::string_view, KINDS> NAMES = {
    "D25",         "D50",        "D75",       "D100",         "D200",        "RED_LIGHT",
    "SPEED_LIMIT", "OUT_OF_GAS", "FLAT_TIRE", "ACCIDENT",     "GREEN_LIGHT", "END_OF_LIMIT",
    "GASOLINE",    "SPARE_TIRE", "REPAIRS",   "RIGHT_OF_WAY", "EXTRA_TANK",  "PUNCTURE_PROOF",
    "DRIVING_ACE",
};

// The place of a hazard among the hazards.
int place_of(Card card) {
  if (!is_hazard(card)) throw std::invalid_argument(std::string(name_of(card)) + " is no hazard");
  return number_of(card) - number_of(Card::RED_LIGHT);
}

}  // namespace

std::string_view name_of(Card card) { return NAMES.at(number_of(card)); }

std::optional<Card> card_named(std::string_view name) {
  const auto* const found = std::ranges::find(NAMES, name);
  if (found == NAMES.end()) return std::nullopt;
  return static_cast<Card>(found - NAMES.begin());
}

Card remedy_for(Card hazard) { return REMEDIES[place_of(hazard)]; }

Card safety_for(Card hazard) {
  // Right of Way is against red lights and speed limits.
  return SAFETIES[std::max(0, place_of(hazard) - 1)];
}

CardCounts counts_of(const Cards& cards) {
  CardCounts counts;
  for (const Card card : cards) ++counts[card];
  return counts;
}

}  // namespace arena
