#include <arena/action.hpp>
#include <stdexcept>
#include <unordered_map>

namespace arena {

namespace {

constexpr int MOST_TEAMS = 4;

Actions make_all() {
  Actions all = {Action::draw(Pile::DRAW), Action::draw(Pile::DISCARD)};
  for (const Card card : CARDS) {
    if (!is_hazard(card)) all.push_back(Action::play(card));
  }
  for (int team = 0; team < MOST_TEAMS; ++team) {
    for (const Card hazard : HAZARDS) all.push_back(Action::play(hazard, team));
  }
  for (const Card card : CARDS) all.push_back(Action::discard(card));
  for (const Card safety : SAFETIES) all.push_back(Action::coup_fourre(safety));
  all.insert(all.end(), {Action::pass(), Action::extend(), Action::stop()});
  for (const Card remedy : REMEDIES) all.push_back(Action::top(remedy));
  for (const Card hazard : HAZARDS) all.push_back(Action::top(hazard));
  return all;
}

std::string_view word_of(Verb verb) {
  constexpr std::array<std::string_view, 8> words = {"draw", "play",   "discard", "coup_fourre",
                                                     "pass", "extend", "stop",    "top"};
  return words.at(static_cast<std::size_t>(verb));
}

}  // namespace

const Actions& all_actions() {
  static const Actions all = make_all();
  return all;
}

Action Action::parse(std::string_view text) {
  static const auto by_text = [] {
    std::unordered_map<std::string, Action> table;
    for (const Action& action : all_actions()) table.emplace(action.text(), action);
    return table;
  }();
  const auto found = by_text.find(std::string(text));
  if (found == by_text.end()) {
    throw std::invalid_argument("unknown action '" + std::string(text) +
                                "'; actions are written like `play RED_LIGHT on 1`, `discard D25`, "
                                "`draw pile`, `coup_fourre EXTRA_TANK`, `pass`");
  }
  return found->second;
}

std::string Action::text() const {
  std::string text(word_of(verb));
  if (pile) text += *pile == Pile::DRAW ? " pile" : " discard";
  if (card) text += " " + std::string(name_of(*card));
  if (team) text += " on " + std::to_string(*team);
  return text;
}

}  // namespace arena
