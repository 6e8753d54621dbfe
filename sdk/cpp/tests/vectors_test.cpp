// The vectors that every SDK is held against: sdk/vectors.

#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <arena/sdk.hpp>
#include <cmath>
#include <memory>
#include <sstream>

#include "conversation.hpp"
#include "convert.hpp"
#include "json.hpp"

namespace arena {
namespace {

using testing::Json;

pb::PlayResponse response_of(const std::string& hex) {
  pb::PlayResponse message;
  EXPECT_TRUE(message.ParseFromString(testing::bytes_of(hex)));
  return message;
}

// -- a prompt, as the vectors describe one ----------------------------------------------------

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }
std::string written(bool value) { return value ? "true" : "false"; }
std::string written(int value) { return std::to_string(value); }
std::string written(Card card) { return in_quotes(name_of(card)); }
std::string written(const Action& action) { return in_quotes(action.text()); }

template <class Value>
std::string written(const std::optional<Value>& value) {
  return value ? written(*value) : "null";
}

template <std::ranges::range Range>
std::string written(const Range& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ",") + written(value);
  return "[" + text + "]";
}

using Members = std::vector<std::pair<std::string, std::string>>;

std::string object(const Members& members) {
  std::string text;
  for (const auto& [name, value] : members) {
    text += (text.empty() ? "" : ",") + in_quotes(name) + ":" + value;
  }
  return "{" + text + "}";
}

std::string objects(const std::vector<std::string>& objects) {
  std::string text;
  for (const std::string& one : objects) text += (text.empty() ? "" : ",") + one;
  return "[" + text + "]";
}

std::string name_of(Stage stage) {
  constexpr std::array<const char*, 6> names = {"DRAW", "PLAY", "RESPOND", "EXTEND", "TOP", "OVER"};
  return names.at(static_cast<std::size_t>(stage));
}

std::string name_of(Family family) {
  constexpr std::array<const char*, 3> names = {"CLASSIC", "EXPRESS", "PLATEAU"};
  return names.at(static_cast<std::size_t>(family));
}

std::string name_of(EventKind kind) {
  constexpr std::array<const char*, 10> names = {"DRAWN",     "TAKEN",       "PLAYED",   "LAID",
                                                 "DISCARDED", "COUP_FOURRE", "EXTENDED", "STOPPED",
                                                 "TOPPED",    "RESHUFFLED"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string described(const TableView& table) {
  Cards immune;
  std::ranges::copy_if(HAZARDS, std::back_inserter(immune),
                       [&](Card hazard) { return tables::is_immune(table, hazard); });
  return object({
      {"battle", written(table.battle)},
      {"speed", written(table.speed)},
      {"distance", written(table.distance)},
      {"safeties", written(tables::safeties(table))},
      {"km", written(table.km)},
      {"started", written(table.started)},
      {"moving", written(table.moving)},
      {"limited", written(table.limited)},
      {"stopped_by", written(tables::stopped_by(table))},
      {"hazards", written(tables::hazards(table))},
      {"needs", written(tables::needs(table))},
      {"accepts", written(tables::accepts(table))},
      {"suffers", written(tables::suffers(table))},
      {"immune_to", written(immune)},
  });
}

std::string described(const View& view) {
  std::vector<std::string> history;
  for (const Event& event : view.history) {
    history.push_back(object({{"kind", in_quotes(name_of(event.kind))},
                              {"seat", written(event.seat)},
                              {"card", written(event.card)},
                              {"team", written(event.team)}}));
  }
  std::vector<std::string> described_tables;
  std::vector<int> to_go;
  for (int team = 0; team < static_cast<int>(view.tables.size()); ++team) {
    described_tables.push_back(described(view.tables[team]));
    to_go.push_back(tables::to_go(view, team));
  }
  const CardCounts unseen = view.unseen();
  std::vector<int> counts;
  for (const Card card : CARDS) counts.push_back(unseen[card]);
  return object({
      {"seat", written(view.seat)},
      {"team", written(view.team())},
      {"family", in_quotes(name_of(view.rules.family))},
      {"cards", written(view.cards())},
      {"sizes", written(view.sizes)},
      {"draw_count", written(view.draw_count)},
      {"discard_pile", written(view.discard_pile)},
      {"target", written(view.target)},
      {"to_go", written(to_go)},
      {"rivals", written(tables::rivals(view))},
      {"attack", written(view.attack)},
      {"unseen", written(counts)},
      {"history", objects(history)},
      {"tables", objects(described_tables)},
  });
}

int millis(Seconds seconds) { return static_cast<int>(std::lround(seconds.count() * 1000)); }

std::string described(const Prompt& prompt) {
  return object({
      {"kind", in_quotes(name_of(prompt.kind))},
      {"has_choice", written(prompt.has_choice())},
      {"legal", written(prompt.legal)},
      {"default", written(prompt.default_action)},
      {"drives", written(prompt.drives())},
      {"remedies", written(prompt.remedies())},
      {"safeties", written(prompt.safeties())},
      {"plays", written(prompt.plays())},
      {"attacks", written(prompt.attacks())},
      {"discards", written(prompt.discards())},
      {"coup_fourre", written(prompt.coup_fourre())},
      {"time_limit_ms", written(millis(prompt.time_limit))},
      {"bank_left_ms", written(millis(prompt.bank_left))},
      {"game", written(prompt.game)},
      {"hand", written(prompt.hand)},
      {"view", described(prompt.view)},
  });
}

// -- the files --------------------------------------------------------------------------------

TEST(Vectors, MessagesAreReadAndWritten) {
  for (const Json& one : testing::cases("messages.json")) {
    SCOPED_TRACE(testing::text_at(one, "name"));
    std::unique_ptr<google::protobuf::Message> message;
    if (testing::text_at(one, "type") == "PlayRequest") {
      message = std::make_unique<pb::PlayRequest>();
    } else {
      message = std::make_unique<pb::PlayResponse>();
    }
    ASSERT_TRUE(message->ParseFromString(testing::bytes_of(testing::text_at(one, "hex"))));
    std::string json;
    ASSERT_TRUE(google::protobuf::util::MessageToJsonString(*message, &json).ok());
    EXPECT_EQ(testing::normal(json), testing::normal(testing::at(one, "json")));
    const std::unique_ptr<google::protobuf::Message> again(message->New());
    ASSERT_TRUE(again->ParseFromString(message->SerializeAsString()));
    EXPECT_EQ(again->SerializeAsString(), message->SerializeAsString());
  }
}

TEST(Vectors, NewsIsRead) {
  int news = 0;
  for (const Json& one : testing::cases("messages.json")) {
    if (testing::text_at(one, "type") != "PlayResponse") continue;
    SCOPED_TRACE(testing::text_at(one, "name"));
    const auto message = response_of(testing::text_at(one, "hex"));
    if (message.has_welcome()) {
      EXPECT_EQ(welcome_from(message.welcome()).games, message.welcome().game_count());
    } else if (message.has_hand_over()) {
      EXPECT_EQ(hand_result_from(message.hand_over()).km.size(),
                message.hand_over().results_size());
    } else if (message.has_rejection()) {
      EXPECT_TRUE(rejection_from(message.rejection()).played);
    } else if (message.has_match_over()) {
      EXPECT_EQ(match_result_from(message.match_over()).won, message.match_over().games_won());
    }
    news += message.has_prompt() ? 0 : 1;
  }
  EXPECT_GT(news, 0);
}

TEST(Vectors, PromptsSayWhatTheyShould) {
  const auto all = testing::cases("prompts.json");
  ASSERT_FALSE(all.empty());
  for (const Json& one : all) {
    SCOPED_TRACE(testing::text_at(one, "name"));
    const auto message = response_of(testing::text_at(one, "hex"));
    const Prompt prompt = prompt_from(message.prompt());
    EXPECT_EQ(testing::normal(described(prompt)), testing::normal(testing::at(one, "expect")));
  }
}

TEST(Vectors, AnswersAreTheSameBytes) {
  const auto all = testing::cases("answers.json");
  ASSERT_FALSE(all.empty());
  for (const Json& one : all) {
    SCOPED_TRACE(testing::text_at(one, "name"));
    const auto message = response_of(testing::text_at(one, "prompt_hex"));
    const Prompt prompt = prompt_from(message.prompt());
    const Action action = Action::parse(testing::text_at(one, "action"));
    const auto answer = answer_to(message.prompt(), prompt.legal, action);
    EXPECT_EQ(testing::hex_of(answer.SerializeAsString()), testing::text_at(one, "hex"));
  }
}

// Plays the first legal action, and counts what it is told.
class Listener : public Bot {
 public:
  Action choose(const Prompt& prompt) override {
    ++asked;
    return prompt.legal[0];
  }
  void game_started(const Welcome& /*welcome*/) override { ++told; }
  void rejected(const Rejection& rejection) override {
    ++told;
    EXPECT_EQ(rejection.reason, RejectionReason::UNKNOWN);
  }

  int asked = 0;
  int told = 0;
};

TEST(Vectors, WhatALaterVersionSendsIsPassedOver) {
  const auto all = testing::cases("newer.json");
  ASSERT_FALSE(all.empty());
  for (const Json& one : all) {
    SCOPED_TRACE(testing::text_at(one, "name"));
    const auto message = response_of(testing::text_at(one, "hex"));
    const std::string then = testing::text_at(one, "then");
    Listener bot;
    Player player(bot);
    Inbox inbox;
    std::vector<std::string> sent;
    inbox.put({message, Clock::now()});
    pb::PlayResponse over;
    over.mutable_match_over();
    Conversation conversation(player, inbox, [&](const pb::PlayRequest& request) {
      sent.push_back(testing::hex_of(request.SerializeAsString()));
      inbox.put({over, Clock::now()});
      return true;
    });
    if (!message.has_prompt()) inbox.put({over, Clock::now()});
    EXPECT_TRUE(conversation.run());
    if (then == "default") {
      EXPECT_EQ(sent, std::vector{testing::text_at(one, "answer_hex")});
      EXPECT_EQ(bot.asked, 0);
    } else if (then == "pass over") {
      EXPECT_EQ(sent.size() + bot.asked + bot.told, 0);
    } else {
      EXPECT_EQ(then, "read");
      EXPECT_EQ(bot.asked + bot.told, 1);
    }
  }
}

}  // namespace
}  // namespace arena
