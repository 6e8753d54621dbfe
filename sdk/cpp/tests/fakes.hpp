// A bot that writes down what happens to it, and messages as a referee sends them.
#pragma once

#include <arena/sdk.hpp>
#include <arena/testing.hpp>
#include <functional>
#include <string>
#include <vector>

#include "convert.hpp"
#include "json.hpp"

namespace arena::testing {

// Plays the first legal action unless `thinks` does something else.
class Diary : public Bot {
 public:
  Action choose(const Prompt& prompt) override {
    lines.push_back("choose of " + std::to_string(prompt.view.history.size()));
    return thinks ? thinks(prompt) : prompt.legal[0];
  }
  void game_started(const Welcome& /*welcome*/) override { lines.emplace_back("game_started"); }
  void hand_started(int game, int hand) override {
    lines.push_back("hand_started " + std::to_string(game) + " " + std::to_string(hand));
  }
  void saw(const Events& events) override {
    lines.push_back("saw " + std::to_string(events.size()));
  }
  void rejected(const Rejection& /*rejection*/) override { lines.emplace_back("rejected"); }
  void hand_over(const HandResult& /*result*/) override { lines.emplace_back("hand_over"); }
  void match_over(const MatchResult& /*result*/) override { lines.emplace_back("match_over"); }

  std::vector<std::string> lines;
  std::function<Action(const Prompt&)> thinks;
};

// A prompt of a real game, the first in the vectors of that kind, under another id.
inline pb::PlayResponse real_prompt(const std::string& id, Stage kind = Stage::PLAY,
                                    bool has_choice = true) {
  for (const Json& one : cases("prompts.json")) {
    pb::PlayResponse message;
    message.ParseFromString(bytes_of(text_at(one, "hex")));
    const Prompt prompt = prompt_from(message.prompt());
    if (prompt.kind != kind || prompt.has_choice() != has_choice) continue;
    message.mutable_prompt()->set_prompt_id(id);
    return message;
  }
  throw std::runtime_error("no such prompt in prompts.json");
}

inline pb::PlayResponse welcome() {
  for (const Json& one : cases("messages.json")) {
    pb::PlayResponse message;
    if (text_at(one, "type") != "PlayResponse") continue;
    message.ParseFromString(bytes_of(text_at(one, "hex")));
    if (message.has_welcome()) return message;
  }
  throw std::runtime_error("no welcome in messages.json");
}

inline pb::PlayResponse rejection(const std::string& id) {
  pb::PlayResponse message;
  message.mutable_rejection()->set_prompt_id(id);
  return message;
}

inline pb::PlayResponse hand_over() {
  pb::PlayResponse message;
  message.mutable_hand_over();
  return message;
}

inline pb::PlayResponse match_over() {
  pb::PlayResponse message;
  message.mutable_match_over();
  return message;
}

}  // namespace arena::testing
