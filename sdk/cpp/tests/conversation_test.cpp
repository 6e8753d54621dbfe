// What is said on a stream, against a scripted referee.

#include "conversation.hpp"

#include <gtest/gtest.h>

#include "fakes.hpp"

namespace arena {
namespace {

using testing::Diary;
using Lines = std::vector<std::string>;

// A referee: what it sends is put in before or while the bot plays, and it keeps what it is sent.
struct Table {
  Table() : player(bot) {}

  void send(const pb::PlayResponse& message) { inbox.put({message, Clock::now()}); }

  // Play to the end; whether that was the match's.
  bool play() {
    Conversation conversation(player, inbox, [this](const pb::PlayRequest& request) {
      said.push_back(request);
      return !is_gone;
    });
    return conversation.run();
  }

  Diary bot;
  Player player;
  Inbox inbox;
  std::vector<pb::PlayRequest> said;
  bool is_gone = false;
};

// A prompt with so little time that any thought is longer.
pb::PlayResponse hurried_prompt(const std::string& id) {
  pb::PlayResponse message = testing::real_prompt(id);
  message.mutable_prompt()->mutable_time_limit()->set_seconds(0);
  message.mutable_prompt()->mutable_time_limit()->set_nanos(1);
  return message;
}

TEST(Conversation, SendsNothingAfterTheEnd) {
  Table table;
  table.send(testing::welcome());
  table.send(testing::real_prompt("a"));
  table.bot.thinks = [&](const Prompt& prompt) {
    table.send(testing::match_over());
    return prompt.legal[1];
  };
  EXPECT_TRUE(table.play());
  EXPECT_TRUE(table.said.empty());
}

TEST(Conversation, SendsTheAnswerByItsPlace) {
  Table table;
  table.send(testing::real_prompt("a"));
  table.bot.thinks = [](const Prompt& prompt) { return prompt.legal[1]; };
  Conversation conversation(table.player, table.inbox, [&](const pb::PlayRequest& request) {
    table.said.push_back(request);
    table.send(testing::match_over());
    return true;
  });
  EXPECT_TRUE(conversation.run());
  ASSERT_EQ(table.said.size(), 1);
  EXPECT_EQ(table.said[0].answer().prompt_id(), "a");
  EXPECT_EQ(table.said[0].answer().legal_index(), 1);
}

TEST(Conversation, SendsWhatIsNotLegalAsItIs) {
  Table table;
  table.send(testing::real_prompt("a"));
  table.bot.thinks = [](const Prompt&) { return Action::extend(); };
  Conversation conversation(table.player, table.inbox, [&](const pb::PlayRequest& request) {
    table.said.push_back(request);
    table.inbox.end();
    return true;
  });
  EXPECT_FALSE(conversation.run());
  ASSERT_EQ(table.said.size(), 1);
  EXPECT_TRUE(table.said[0].answer().action().has_extend());
}

TEST(Conversation, OneSlipCostsOneDecision) {
  Table table;
  table.send(hurried_prompt("a"));
  int thoughts = 0;
  table.bot.thinks = [&](const Prompt& prompt) {
    if (++thoughts == 1) {  // meanwhile two prompts come and are closed, and one is open
      table.send(testing::rejection("a"));
      table.send(testing::real_prompt("b"));
      table.send(testing::rejection("b"));
      table.send(testing::real_prompt("c"));
    }
    return prompt.legal[0];
  };
  Conversation conversation(table.player, table.inbox, [&](const pb::PlayRequest& request) {
    table.said.push_back(request);
    if (request.answer().prompt_id() == "c") table.send(testing::match_over());
    return true;
  });
  EXPECT_TRUE(conversation.run());
  ASSERT_EQ(table.said.size(), 2);
  EXPECT_EQ(table.said[0].answer().prompt_id(), "a");  // late; for the referee to count
  EXPECT_EQ(table.said[1].answer().prompt_id(), "c");
  const auto events = testing::real_prompt("b").prompt().view().events_size();
  EXPECT_EQ(table.bot.lines.back(), "match_over");
  EXPECT_NE(std::ranges::find(table.bot.lines, "choose of " + std::to_string(2 * events)),
            table.bot.lines.end());
}

TEST(Conversation, NotesGoBeforeTheAnswerAndNotAfterTheEnd) {
  Table table;
  table.send(testing::welcome());
  table.send(testing::real_prompt("a"));
  table.bot.thinks = [&](const Prompt& prompt) {
    for (int number = 0; number < 5; ++number) table.bot.note("line " + std::to_string(number));
    return prompt.legal[0];
  };
  Conversation conversation(table.player, table.inbox, [&](const pb::PlayRequest& request) {
    table.said.push_back(request);
    if (request.has_answer()) table.send(testing::match_over());
    return true;
  });
  EXPECT_TRUE(conversation.run());
  ASSERT_EQ(table.said.size(), 4);
  EXPECT_EQ(table.said[0].note().text(), "line 0");
  EXPECT_TRUE(table.said[3].has_answer());
}

TEST(Conversation, OnlyPassIsAnsweredWithoutTheBot) {
  Table table;
  table.send(testing::real_prompt("a", Stage::RESPOND, false));
  Conversation conversation(table.player, table.inbox, [&](const pb::PlayRequest& request) {
    table.said.push_back(request);
    table.inbox.end();
    return true;
  });
  EXPECT_FALSE(conversation.run());
  ASSERT_EQ(table.said.size(), 1);
  EXPECT_TRUE(table.bot.lines.empty());
}

TEST(Conversation, ReadsOnWhenNobodyTakesItsAnswers) {
  Table table;
  table.is_gone = true;
  table.send(testing::real_prompt("a"));
  table.send(testing::real_prompt("b"));
  table.send(testing::match_over());
  EXPECT_TRUE(table.play());
  EXPECT_EQ(table.bot.lines.back(), "match_over");
}

TEST(Conversation, PassesOverAMessageOfANewKind) {
  Table table;
  table.send({});
  table.inbox.end();
  EXPECT_FALSE(table.play());
  EXPECT_TRUE(table.said.empty());
  ::testing::internal::CaptureStderr();
  table.player.report();
  EXPECT_EQ(
      ::testing::internal::GetCapturedStderr(),
      "arena_sdk: 1 message newer than this SDK passed over (last: a message of a new kind)\n");
}

}  // namespace
}  // namespace arena
