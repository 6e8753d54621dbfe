// The 19 kinds of card. A card has no identity beyond its kind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

namespace arena {

// In deck order: distances, hazards, remedies, safeties. On the wire the numbers are one higher.
enum class Card : std::uint8_t {
  D25,
  D50,
  D75,
  D100,
  D200,
  RED_LIGHT,
  SPEED_LIMIT,
  OUT_OF_GAS,
  FLAT_TIRE,
  ACCIDENT,
  GREEN_LIGHT,
  END_OF_LIMIT,
  GASOLINE,
  SPARE_TIRE,
  REPAIRS,
  RIGHT_OF_WAY,
  EXTRA_TANK,
  PUNCTURE_PROOF,
  DRIVING_ACE,
};

inline constexpr int KINDS = 19;

// Its place in deck order, from 0.
constexpr int number_of(Card card) { return static_cast<int>(card); }

using Cards = std::vector<Card>;

// All of them, in deck order.
inline constexpr std::array<Card, KINDS> CARDS = [] {
  std::array<Card, KINDS> cards{};
  for (int kind = 0; kind < KINDS; ++kind) cards[kind] = static_cast<Card>(kind);
  return cards;
}();

// In deck order: RED_LIGHT, SPEED_LIMIT, OUT_OF_GAS, FLAT_TIRE, ACCIDENT.
inline constexpr std::array<Card, 5> HAZARDS = {Card::RED_LIGHT, Card::SPEED_LIMIT,
                                                Card::OUT_OF_GAS, Card::FLAT_TIRE, Card::ACCIDENT};

inline constexpr std::array<Card, 5> REMEDIES = {Card::GREEN_LIGHT, Card::END_OF_LIMIT,
                                                 Card::GASOLINE, Card::SPARE_TIRE, Card::REPAIRS};

inline constexpr std::array<Card, 4> SAFETIES = {Card::RIGHT_OF_WAY, Card::EXTRA_TANK,
                                                 Card::PUNCTURE_PROOF, Card::DRIVING_ACE};

constexpr bool is_distance(Card card) { return card <= Card::D200; }
constexpr bool is_hazard(Card card) { return Card::RED_LIGHT <= card && card <= Card::ACCIDENT; }
constexpr bool is_remedy(Card card) { return Card::GREEN_LIGHT <= card && card <= Card::REPAIRS; }
constexpr bool is_safety(Card card) { return card >= Card::RIGHT_OF_WAY; }

// Kilometres of a distance card; 0 of any other.
constexpr int km(Card card) {
  constexpr std::array<int, 5> each = {25, 50, 75, 100, 200};
  return is_distance(card) ? each[number_of(card)] : 0;
}

// `RED_LIGHT`, `D25`, ...
std::string_view name_of(Card card);

// The card of that name; nothing if there is none.
std::optional<Card> card_named(std::string_view name);

// The remedy of a hazard, and the safety against it. Throws std::invalid_argument for other cards.
Card remedy_for(Card hazard);
Card safety_for(Card hazard);

// Whether `card` is among `cards`.
template <std::ranges::range Range>
constexpr bool has(const Range& cards, Card card) {
  return std::ranges::find(cards, card) != std::ranges::end(cards);
}

// How many of each card.
class CardCounts {
 public:
  constexpr int& operator[](Card card) { return counts_[number_of(card)]; }
  constexpr int operator[](Card card) const { return counts_[number_of(card)]; }

  constexpr int total() const { return std::accumulate(counts_.begin(), counts_.end(), 0); }

  // How many from `first` to `last`, both included.
  constexpr int total(Card first, Card last) const {
    return std::accumulate(counts_.begin() + number_of(first),
                           counts_.begin() + number_of(last) + 1, 0);
  }

  friend constexpr bool operator==(const CardCounts&, const CardCounts&) = default;

 private:
  std::array<int, KINDS> counts_{};
};

// How many there are of each card in `cards`.
CardCounts counts_of(const Cards& cards);

}  // namespace arena
