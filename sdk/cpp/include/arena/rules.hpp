// What was agreed before a hand: the rules, and who plays with whom.
#pragma once

#include <arena/card.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace arena {

// Which of the three games is played.
enum class Family : std::uint8_t { CLASSIC, EXPRESS, PLATEAU };

// Every option of the rules, by the name that `arena rules` lists it under. An option that the
// family does not have holds the value that changes nothing there; words are in lower case.
struct RuleSet {
  std::string preset;
  Family family = Family::CLASSIC;
  int target = 1000;
  bool extension = false;
  bool failed_extension_bonus = false;
  std::optional<int> max_200;  // none: any number
  bool late_safety_restarts = false;
  bool exhausted_safety_replays = false;
  bool discard_visible = false;
  bool forced_play = false;
  bool reshuffle = false;
  std::string delayed_action_trigger;
  int four_safeties_bonus = 0;
  std::string shutout_rule;
  int match_points = 0;
  std::string match_tie;
  int max_hands = 0;
  bool deck_2p_reduction = false;
  bool allow_individual_4 = false;
  std::optional<int> first_dealer;  // none: the last seat
  int first_player = 0;
  int safety_km = 0;
  int coup_fourre_km = 0;
  std::string bonus_overflow;
  std::string express_safety_draw;
  std::string express_exhausted_draw;
  int express_stall_rounds = 0;
  bool top_choice = false;
  bool plateau_green_light_to_start = false;
  std::string plateau_exhaustion;

  // Whether a hand makes points (classic); the other games have a winner only.
  bool is_scored() const { return family == Family::CLASSIC; }

  // Whether played cards stay on the table; in Plateau only tokens do.
  bool keeps_cards_on_table() const { return family != Family::PLATEAU; }

  // Whether the discard pile becomes a new draw pile.
  bool reshuffles() const {
    return reshuffle || express_exhausted_draw == "reshuffle" || plateau_exhaustion == "reshuffle";
  }

  // Cards in hand between turns.
  int hand_size() const { return family == Family::EXPRESS ? 4 : 6; }

  // The cards that a hand for so many players is dealt from.
  const CardCounts& deck(int players) const;

  friend bool operator==(const RuleSet&, const RuleSet&) = default;
};

// Who plays with whom. Seat s + 1 sits on the left of seat s, and play goes that way.
struct Seating {
  std::vector<std::vector<int>> teams;  // the seats of each team
  std::vector<int> team_of;             // the team of each seat

  int players() const { return static_cast<int>(team_of.size()); }

  // `0+2 1+3`
  std::string text() const;

  friend bool operator==(const Seating&, const Seating&) = default;
};

}  // namespace arena
