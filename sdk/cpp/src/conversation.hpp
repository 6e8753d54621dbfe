// What is said on one stream: carries prompts to the player and its answers back.
#pragma once

#include <functional>
#include <string_view>

#include "convert.hpp"
#include "inbox.hpp"
#include "player.hpp"

namespace arena {

class Conversation {
 public:
  // Sends a message; false: nobody takes it any more.
  using Write = std::function<bool(const pb::PlayRequest&)>;

  Conversation(Player& player, Inbox& inbox, Write write)
      : player_(player), inbox_(inbox), write_(std::move(write)) {}

  // Answer prompts until the match is over; false: the stream ended before. Throws StrictFailure.
  bool run();

 private:
  void take_prompt(const pb::Prompt& message, Clock::time_point came);
  void answer(const pb::Prompt& message, const Prompt& prompt);
  void take_news(const pb::PlayResponse& message);
  void read_news(const pb::PlayResponse& message);
  void send(const pb::PlayRequest& request);

  Player& player_;
  Inbox& inbox_;
  Write write_;
  bool is_cut_ = false;
};

}  // namespace arena
