// What a bot is told besides prompts. A word of the protocol that is newer than this SDK reads as
// UNKNOWN, or as none.
#pragma once

#include <arena/action.hpp>
#include <arena/prompt.hpp>
#include <arena/rules.hpp>
#include <arena/view.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace arena {

// How it is found out whether an attack is answered with a coup fourré.
enum class WindowMode : std::uint8_t {
  UNKNOWN,
  PROMPT,    // the attacked team is asked, until all who are asked have answered
  SEALED,    // the same, but for a fixed time unless a coup fourré is played
  STANDING,  // nobody is asked: standing orders decide at once
};

// Why the default action was played for you.
enum class RejectionReason : std::uint8_t { UNKNOWN, TIMED_OUT, ILLEGAL, MALFORMED };

// How it ended: all games were played out; a bot has forfeited; the host has failed, and the match
// does not count.
enum class Outcome : std::uint8_t { UNKNOWN, COMPLETED, FORFEIT, VOID };

// What points are for.
enum class Item : std::uint8_t {
  DISTANCE,
  SAFETIES,
  ALL_SAFETIES,
  COUPS_FOURRES,
  COMPLETED,
  EXTENSION,
  SAFE_TRIP,
  DELAYED_ACTION,
  SHUTOUT,
};

// How long answers may take.
struct TimeControl {
  Seconds start_up{20};          // from the start of the program until it has joined
  Seconds turn{1};               // free time for each prompt but responses
  Seconds bank{30};              // for what takes longer; one for each game
  Seconds response_window{0.1};  // for a response

  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

// What a bot may do wrong in a match before it forfeits.
struct FaultBudget {
  int max_strikes = 3;          // late or illegal answers; so many are a forfeit
  int messages_per_prompt = 4;  // the answer and notes together
  int surplus_messages = 64;    // more than that, late or doubled; more of them are a forfeit
  int note_bytes = 500;         // of a note that are kept

  friend bool operator==(const FaultBudget&, const FaultBudget&) = default;
};

// Who knows what at the table.
struct Knowledge {
  bool discards_face_down = false;      // only who discarded a card knows it
  bool striped_draw = false;            // the draw pile is dealt into one stripe for each seat
  bool frozen_between_prompts = false;  // a bot stands still while it has no open prompt

  friend bool operator==(const Knowledge&, const Knowledge&) = default;
};

// A game begins.
struct Welcome {
  int seat = 0;  // yours in this game
  Seating seating;
  RuleSet rules;
  TimeControl time;
  WindowMode window_mode = WindowMode::PROMPT;
  FaultBudget faults;
  Knowledge knowledge;
  int game = 0;   // number of this game, from 0
  int games = 1;  // how many games are played on this stream

  // Your team in this game.
  int team() const { return seating.team_of.at(seat); }

  friend bool operator==(const Welcome&, const Welcome&) = default;
};

// The default action was played for you.
struct Rejection {
  RejectionReason reason = RejectionReason::UNKNOWN;
  std::string detail;            // the same in words, with limits and values
  std::optional<Action> played;  // what was played instead
  int strikes = 0;               // yours so far

  friend bool operator==(const Rejection&, const Rejection&) = default;
};

// A hand is over.
struct HandResult {
  int game = 0;
  int hand = 0;
  std::optional<HandEnd> reason;
  std::optional<int> winner;                // the team that finished or, without points, was ahead
  std::vector<int> km;                      // by team, bonus included
  std::vector<int> points;                  // by team; empty where the game has none
  std::vector<std::map<Item, int>> sheets;  // by team, where they come from
  std::vector<int> scores;                  // match points by team after this hand
  bool game_over = false;
  std::optional<int> game_winner;  // none while the game goes on, and for a draw
  Events events;                   // since you were last asked

  friend bool operator==(const HandResult&, const HandResult&) = default;
};

// It is over for this process.
struct MatchResult {
  int games = 0;  // played
  int won = 0;    // of them, by your team
  int drawn = 0;  // of them, by nobody
  Outcome outcome = Outcome::UNKNOWN;
  std::string detail;  // what broke it off; empty if nothing did

  int lost() const { return games - won - drawn; }

  friend bool operator==(const MatchResult&, const MatchResult&) = default;
};

}  // namespace arena
