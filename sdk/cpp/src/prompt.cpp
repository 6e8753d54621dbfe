#include <arena/prompt.hpp>

namespace arena {

namespace {

template <class Condition>
Actions those(const Actions& actions, Condition condition) {
  Actions chosen;
  std::ranges::copy_if(actions, std::back_inserter(chosen), condition);
  return chosen;
}

template <class Condition>
std::optional<Action> first(const Actions& actions, Condition condition) {
  const auto found = std::ranges::find_if(actions, condition);
  if (found == actions.end()) return std::nullopt;
  return *found;
}

bool is_own_play(const Action& action) {
  return action.verb == Verb::PLAY && action.card && !action.team;
}

}  // namespace

Seconds Prompt::time_left(bool bank) const {
  Seconds limit = time_limit;
  if (bank && kind != Stage::RESPOND) limit += bank_left;
  return std::max(Seconds::zero(), limit - Seconds(Clock::now() - arrived));
}

bool Prompt::has_choice() const { return legal.size() != 1 || legal[0] != Action::pass(); }

Actions Prompt::drives() const {
  return those(legal, [](const Action& one) { return is_own_play(one) && is_distance(*one.card); });
}

Actions Prompt::remedies() const {
  return those(legal, [](const Action& one) { return is_own_play(one) && is_remedy(*one.card); });
}

Actions Prompt::safeties() const {
  return those(legal, [](const Action& one) { return is_own_play(one) && is_safety(*one.card); });
}

Actions Prompt::plays() const { return those(legal, is_own_play); }

Actions Prompt::attacks() const {
  return those(legal, [](const Action& one) { return one.team.has_value(); });
}

Actions Prompt::discards() const {
  return those(legal, [](const Action& one) { return one.verb == Verb::DISCARD; });
}

std::optional<Action> Prompt::coup_fourre() const {
  return first(legal, [](const Action& one) { return one.verb == Verb::COUP_FOURRE; });
}

std::optional<Action> Prompt::find(std::string_view text) const {
  return first(legal, [text](const Action& one) { return one.text() == text; });
}

}  // namespace arena
