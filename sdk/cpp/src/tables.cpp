#include <arena/tables.hpp>

namespace arena::tables {

std::vector<int> rivals(const View& view) {
  std::vector<int> teams;
  for (int team = 0; team < static_cast<int>(view.tables.size()); ++team) {
    if (team != view.team()) teams.push_back(team);
  }
  return teams;
}

int to_go(const View& view) { return to_go(view, view.team()); }

int to_go(const View& view, int team) { return view.target - view.tables.at(team).km; }

std::optional<Card> stopped_by(const TableView& table) {
  const std::optional<Card> card = top(table.battle);
  if (!card || !is_hazard(*card) || is_immune(table, *card)) return std::nullopt;
  return card;
}

Cards hazards(const TableView& table) {
  Cards cards;
  if (const auto stop = stopped_by(table)) cards.push_back(*stop);
  if (table.limited) cards.push_back(Card::SPEED_LIMIT);
  return cards;
}

Cards needs(const TableView& table) {
  Cards cards;
  std::ranges::copy_if(table.accepts, std::back_inserter(cards), is_remedy);
  return cards;
}

bool is_immune(const TableView& table, Card hazard) {
  return has(table.safeties, safety_for(hazard));
}

std::optional<Card> top(const Cards& pile) {
  if (pile.empty()) return std::nullopt;
  return pile.back();
}

}  // namespace arena::tables
