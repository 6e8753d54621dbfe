// A question to a bot: what it may know, what it can do, how long it may take.
#pragma once

#include <arena/action.hpp>
#include <arena/view.hpp>
#include <chrono>
#include <optional>
#include <string_view>

namespace arena {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

struct Prompt {
  Stage kind = Stage::PLAY;  // what is asked: DRAW, PLAY, RESPOND, EXTEND or TOP
  View view;                 // the hand as you may know it
  Actions legal;             // at least one: plays in deck order, attacks, discards
  Action default_action;     // what is played if no answer comes in time
  Seconds time_limit{1};     // what the answer may take for free; a response, at all
  Seconds bank_left{30};     // from it comes what takes longer
  int game = 0;              // number of this game, from 0
  int hand = 0;              // number of this hand in the game, from 0
  Clock::time_point arrived = Clock::now();

  // Until the answer is late, by this machine's clock; 0 when it is. Without `bank`, until it costs
  // something. A courtesy: the referee's own clock decides, and it began a little earlier.
  Seconds time_left(bool bank = true) const;

  // Whether the bot is asked: not if it can only pass.
  bool has_choice() const;

  // The legal actions by what they do, each in the order of `legal`.
  Actions drives() const;    // distance cards that can be played, shortest first
  Actions remedies() const;  // remedies that can be played
  Actions safeties() const;  // safeties that can be played
  Actions plays() const;     // what can be laid on your own table: the three above
  Actions attacks() const;   // hazards that can be laid on others; each says on which `team`
  Actions discards() const;  // cards that can be thrown away

  // The coup fourré that answers the attack, if one can be played.
  std::optional<Action> coup_fourre() const;

  // The legal action of that text, such as `draw discard`, if it is legal now.
  std::optional<Action> find(std::string_view text) const;
};

}  // namespace arena
