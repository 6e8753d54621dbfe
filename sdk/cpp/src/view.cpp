#include <arena/rules.hpp>
#include <arena/view.hpp>
#include <array>

namespace arena {

namespace {

// Counts in deck order: distances, hazards, remedies, safeties.
constexpr CardCounts deck_of(const std::array<int, KINDS>& counts) {
  CardCounts deck;
  for (const Card card : CARDS) deck[card] = counts[number_of(card)];
  return deck;
}

constexpr CardCounts CLASSIC_DECK =
    deck_of({10, 10, 10, 12, 4, 5, 4, 3, 3, 3, 14, 6, 6, 6, 6, 1, 1, 1, 1});
constexpr CardCounts EXPRESS_DECK =
    deck_of({6, 6, 6, 10, 3, 2, 2, 2, 2, 2, 5, 4, 4, 4, 4, 1, 1, 1, 1});

// For 2 or 3 players one card of each hazard can be taken out.
constexpr CardCounts SHORT_DECK = [] {
  CardCounts deck = CLASSIC_DECK;
  for (const Card hazard : HAZARDS) --deck[hazard];
  return deck;
}();

void take(CardCounts& counts, const Cards& cards) {
  for (const Card card : cards) --counts[card];
}

void take(CardCounts& counts, const CardCounts& others) {
  for (const Card card : CARDS) counts[card] -= others[card];
}

std::string_view word_of(EventKind kind) {
  constexpr std::array<std::string_view, 10> words = {
      "drawn",       "taken",    "played",  "laid",   "discarded",
      "coup fourre", "extended", "stopped", "topped", "reshuffled"};
  return words.at(static_cast<std::size_t>(kind));
}

}  // namespace

const CardCounts& RuleSet::deck(int players) const {
  if (family == Family::EXPRESS) return EXPRESS_DECK;
  return deck_2p_reduction && (players == 2 || players == 3) ? SHORT_DECK : CLASSIC_DECK;
}

std::string Seating::text() const {
  std::string text;
  for (const auto& team : teams) {
    if (!text.empty()) text += " ";
    for (std::size_t place = 0; place < team.size(); ++place) {
      text += (place == 0 ? "" : "+") + std::to_string(team[place]);
    }
  }
  return text;
}

std::string Event::text() const {
  std::string text = "seat " + std::to_string(seat) + ": " + std::string(word_of(kind));
  if (card) text += " " + std::string(name_of(*card));
  if (team) text += " on " + std::to_string(*team);
  return text;
}

Cards View::cards() const {
  Cards cards;
  for (const Card card : CARDS) cards.insert(cards.end(), hand[card], card);
  return cards;
}

CardCounts View::unseen() const {
  CardCounts counts = rules.deck(seating.players());
  take(counts, hand);
  for (const auto& card : discard_pile) {
    if (card) --counts[*card];
  }
  if (rules.keeps_cards_on_table()) {
    for (const TableView& table : tables) {
      for (const Cards* pile : {&table.battle, &table.speed, &table.distance, &table.safeties}) {
        take(counts, *pile);
      }
    }
  }
  for (int player = 0; player < static_cast<int>(known.size()); ++player) {
    if (player != seat) take(counts, known[player]);
  }
  return counts;
}

}  // namespace arena
