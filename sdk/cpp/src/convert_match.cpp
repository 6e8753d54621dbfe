// What a bot is told besides prompts: rules, seating, welcomes, results.

#include <algorithm>
#include <cctype>

#include "convert.hpp"

namespace arena {

namespace {

// A word of the rules as `arena rules` writes it: what its name on the wire adds to the name of the
// enumeration, in lower case. So a rule set needs no table of words here.
std::string word_of(const google::protobuf::EnumDescriptor& kind, int number) {
  const auto* const value = number == 0 ? nullptr : kind.FindValueByNumber(number);
  if (value == nullptr) throw NewerMessage(kind.name() + " " + std::to_string(number));
  const std::size_t prefix = kind.value(0)->name().size() - std::string("UNSPECIFIED").size();
  std::string word = value->name().substr(prefix);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

void read_words(RuleSet& rules, const pb::RuleSet& message) {
  rules.delayed_action_trigger =
      word_of(*pb::DelayedActionTrigger_descriptor(), message.delayed_action_trigger());
  rules.shutout_rule = word_of(*pb::ShutoutRule_descriptor(), message.shutout_rule());
  rules.match_tie = word_of(*pb::MatchTie_descriptor(), message.match_tie());
  rules.bonus_overflow = word_of(*pb::BonusOverflow_descriptor(), message.bonus_overflow());
  rules.express_safety_draw =
      word_of(*pb::ExpressSafetyDraw_descriptor(), message.express_safety_draw());
  rules.express_exhausted_draw =
      word_of(*pb::ExpressExhaustedDraw_descriptor(), message.express_exhausted_draw());
  rules.plateau_exhaustion =
      word_of(*pb::PlateauExhaustion_descriptor(), message.plateau_exhaustion());
}

Family family_from(int number) {
  switch (number) {
    case pb::FAMILY_CLASSIC:
      return Family::CLASSIC;
    case pb::FAMILY_EXPRESS:
      return Family::EXPRESS;
    case pb::FAMILY_PLATEAU:
      return Family::PLATEAU;
    default:
      throw NewerMessage("family " + std::to_string(number));
  }
}

// A word with an UNKNOWN, which has the number of what is unset on the wire.
template <class Word>
Word word_or_unknown(int number, Word last) {
  return number < 0 || number > static_cast<int>(last) ? Word::UNKNOWN : static_cast<Word>(number);
}

// A score sheet; a line that is newer is only in the sum.
std::map<Item, int> sheet_from(const pb::TeamResult& result) {
  std::map<Item, int> sheet;
  for (const auto& item : result.items()) {
    if (item.kind() >= pb::SCORE_KIND_DISTANCE && item.kind() <= pb::SCORE_KIND_SHUTOUT) {
      sheet[static_cast<Item>(item.kind() - 1)] = item.points();
    }
  }
  return sheet;
}

TimeControl time_from(const pb::TimeControl& message) {
  return {seconds_of(message.start_up()), seconds_of(message.turn()), seconds_of(message.bank()),
          seconds_of(message.response_window())};
}

}  // namespace

RuleSet rules_from(const pb::RuleSet& message) {
  RuleSet rules;
  rules.preset = message.preset();
  rules.family = family_from(message.family());
  rules.target = message.target();
  rules.extension = message.extension();
  rules.failed_extension_bonus = message.failed_extension_bonus();
  if (message.has_max_200()) rules.max_200 = message.max_200();
  rules.late_safety_restarts = message.late_safety_restarts();
  rules.exhausted_safety_replays = message.exhausted_safety_replays();
  rules.discard_visible = message.discard_visible();
  rules.forced_play = message.forced_play();
  rules.reshuffle = message.reshuffle();
  rules.four_safeties_bonus = message.four_safeties_bonus();
  rules.match_points = message.match_points();
  rules.max_hands = message.max_hands();
  rules.deck_2p_reduction = message.deck_2p_reduction();
  rules.allow_individual_4 = message.allow_individual_4();
  if (message.has_first_dealer()) rules.first_dealer = message.first_dealer();
  rules.first_player = message.first_player();
  rules.safety_km = message.safety_km();
  rules.coup_fourre_km = message.coup_fourre_km();
  rules.express_stall_rounds = message.express_stall_rounds();
  rules.top_choice = message.top_choice();
  rules.plateau_green_light_to_start = message.plateau_green_light_to_start();
  read_words(rules, message);
  return rules;
}

Seating seating_from(const google::protobuf::RepeatedPtrField<pb::Team>& teams) {
  constexpr int nobody = -1;
  Seating seating;
  int players = 0;
  for (const auto& team : teams) players += team.seats_size();
  seating.team_of.assign(players, nobody);
  for (const auto& team : teams) {
    for (const int seat : team.seats()) {
      if (seat < 0 || seat >= players || seating.team_of[seat] != nobody) {
        throw NewerMessage("a seating with seat " + std::to_string(seat));
      }
      seating.team_of[seat] = static_cast<int>(seating.teams.size());
    }
    seating.teams.emplace_back(team.seats().begin(), team.seats().end());
    std::ranges::sort(seating.teams.back());
  }
  return seating;
}

Welcome welcome_from(const pb::Welcome& message) {
  const auto& faults = message.fault_budget();
  const auto& knowledge = message.knowledge();
  Welcome welcome;
  welcome.seat = message.seat();
  welcome.seating = seating_from(message.teams());
  welcome.rules = rules_from(message.rule_set());
  welcome.time = time_from(message.time_control());
  welcome.window_mode = word_or_unknown(message.window_mode(), WindowMode::STANDING);
  welcome.faults = {faults.max_strikes(), faults.messages_per_prompt(), faults.surplus_messages(),
                    faults.note_bytes()};
  welcome.knowledge = {knowledge.discards_face_down(), knowledge.striped_draw(),
                       knowledge.frozen_between_prompts()};
  welcome.game = message.game_number();
  welcome.games = message.game_count();
  if (welcome.seat < 0 || welcome.seat >= welcome.seating.players()) {
    throw NewerMessage("seat " + std::to_string(welcome.seat));
  }
  return welcome;
}

Rejection rejection_from(const pb::Rejection& message) {
  Rejection rejection;
  rejection.reason = word_or_unknown(message.reason(), RejectionReason::MALFORMED);
  rejection.detail = message.detail();
  rejection.strikes = message.strikes();
  try {
    rejection.played = action_from(message.played());
  } catch (const NewerMessage&) {
    rejection.played.reset();
  }
  return rejection;
}

HandResult hand_result_from(const pb::HandOver& message) {
  const auto& results = message.results();
  const bool has_points = std::ranges::any_of(
      results, [](const pb::TeamResult& result) { return result.items_size() > 0; });
  HandResult result;
  result.game = message.game_number();
  result.hand = message.hand_number();
  if (message.end() >= pb::HAND_END_TARGET && message.end() <= pb::HAND_END_BLOCKED) {
    result.reason = static_cast<HandEnd>(message.end() - 1);
  }
  if (message.has_winner_team()) result.winner = message.winner_team();
  for (const pb::TeamResult& team : results) {
    result.km.push_back(team.km());
    if (!has_points) continue;
    result.points.push_back(team.points());
    result.sheets.push_back(sheet_from(team));
  }
  result.scores.assign(message.scores().begin(), message.scores().end());
  result.game_over = message.game_over();
  if (message.has_game_winner_team()) result.game_winner = message.game_winner_team();
  result.events = events_from(message.events());
  return result;
}

MatchResult match_result_from(const pb::MatchOver& message) {
  return {message.game_count(), message.games_won(), message.games_drawn(),
          word_or_unknown(message.outcome(), Outcome::VOID), message.detail()};
}

}  // namespace arena
