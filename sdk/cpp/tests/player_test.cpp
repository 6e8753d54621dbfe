// When a bot is asked and told what, and what becomes of what it throws.

#include "player.hpp"

#include <gtest/gtest.h>

#include "fakes.hpp"

namespace arena {
namespace {

using testing::Diary;
using Lines = std::vector<std::string>;

Prompt prompt_with_events(int events, int game = 0, int hand = 0) {
  Prompt prompt = testing::prompt({"play D25", "discard D25"});
  prompt.view.history.resize(events);
  prompt.game = game;
  prompt.hand = hand;
  return prompt;
}

Prompt only_pass(int events) {
  Prompt prompt = testing::prompt({"pass"}, Stage::RESPOND);
  prompt.view.history.resize(events);
  return prompt;
}

std::string report_of(Player& player) {
  ::testing::internal::CaptureStderr();
  player.report();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Player, TellsOfHandsAndEventsBeforeItAsks) {
  Diary bot;
  Player player(bot);
  EXPECT_EQ(player.answer(prompt_with_events(2)).text(), "play D25");
  player.answer(prompt_with_events(0));
  EXPECT_EQ(bot.lines, (Lines{"hand_started 0 0", "saw 2", "choose of 2", "choose of 0"}));
}

TEST(Player, PassesAtOnceAndKeepsTheEvents) {
  Diary bot;
  Player player(bot);
  EXPECT_EQ(player.answer(only_pass(2)), Action::pass());
  EXPECT_EQ(player.answer(only_pass(1)), Action::pass());
  EXPECT_TRUE(bot.lines.empty());
  player.answer(prompt_with_events(3));
  EXPECT_EQ(bot.lines, (Lines{"hand_started 0 0", "saw 6", "choose of 6"}));
}

TEST(Player, ShowsWhatIsLeftOfAHandBeforeTheNext) {
  Diary bot;
  Player player(bot);
  player.answer(only_pass(2));
  player.answer(prompt_with_events(1, 0, 1));
  EXPECT_EQ(bot.lines,
            (Lines{"hand_started 0 0", "saw 2", "hand_started 0 1", "saw 1", "choose of 1"}));
}

TEST(Player, ShowsWhatIsLeftBeforeTheEnd) {
  Diary bot;
  Player player(bot);
  player.answer(only_pass(2));
  HandResult result;
  result.events.resize(1);
  player.hand_over(result);
  player.match_over({});
  EXPECT_EQ(bot.lines, (Lines{"hand_started 0 0", "saw 2", "saw 1", "hand_over", "match_over"}));
}

TEST(Player, PlaysTheDefaultForABotThatThrows) {
  Diary bot;
  bot.thinks = [](const Prompt&) -> Action { throw std::runtime_error("no idea\nat all"); };
  Player player(bot);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(player.answer(prompt_with_events(0)).text(), "discard D25");
  EXPECT_EQ(player.answer(prompt_with_events(0)).text(), "discard D25");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "choose raised std::runtime_error: no idea\nat all\n"
            "choose raised std::runtime_error: no idea\nat all\n");
  EXPECT_EQ(report_of(player),
            "arena_sdk: choose raised 2 times (last: std::runtime_error: no idea at all); default "
            "actions were played\n");
}

TEST(Player, SurvivesWhatIsNoException) {
  Diary bot;
  bot.thinks = [](const Prompt&) -> Action { throw 42; };
  Player player(bot);
  ::testing::internal::CaptureStderr();
  player.answer(prompt_with_events(0));
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(report_of(player),
            "arena_sdk: choose raised 1 time (last: int); default actions were played\n");
}

TEST(Player, SaysThatChooseHasThrownWhereItStandsForRespond) {
  Diary bot;
  bot.thinks = [](const Prompt&) -> Action { throw std::logic_error("x"); };
  Player player(bot);
  ::testing::internal::CaptureStderr();
  const Prompt attack = testing::prompt({"coup_fourre EXTRA_TANK", "pass"}, Stage::RESPOND);
  EXPECT_EQ(player.answer(attack), Action::pass());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "choose raised std::logic_error: x\n");
}

TEST(Player, EndsAStrictRun) {
  Diary bot;
  bot.thinks = [](const Prompt&) -> Action { throw std::logic_error("x"); };
  Player player(bot, true);
  ::testing::internal::CaptureStderr();
  EXPECT_THROW(player.answer(prompt_with_events(0)), StrictFailure);
  ::testing::internal::GetCapturedStderr();
}

TEST(Player, CutsLongMessagesInItsReport) {
  Diary bot;
  bot.thinks = [](const Prompt&) -> Action { throw std::runtime_error(std::string(500, 'x')); };
  Player player(bot);
  ::testing::internal::CaptureStderr();
  player.answer(prompt_with_events(0));
  ::testing::internal::GetCapturedStderr();
  const std::string report = report_of(player);
  EXPECT_LT(report.size(), 300);
  EXPECT_NE(report.find("xxx...)"), std::string::npos);
}

class Orderer : public Diary {
 public:
  Cards standing_orders(const Prompt& /*prompt*/) override { return orders; }
  Cards orders;
};

TEST(Player, AsksForStandingOrdersOnlyWhereTheyCount) {
  Orderer bot;
  bot.orders = {Card::ACCIDENT, Card::RED_LIGHT, Card::ACCIDENT};
  Player player(bot);
  EXPECT_TRUE(player.orders(prompt_with_events(0)).empty());
  Welcome welcome;
  welcome.window_mode = WindowMode::STANDING;
  player.welcome(welcome);
  EXPECT_EQ(player.orders(prompt_with_events(0)), (Cards{Card::RED_LIGHT, Card::ACCIDENT}));
}

TEST(Player, RefusesOrdersThatNameNoHazard) {
  Orderer bot;
  bot.orders = {Card::EXTRA_TANK};
  Player player(bot);
  Welcome welcome;
  welcome.window_mode = WindowMode::STANDING;
  player.welcome(welcome);
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(player.orders(prompt_with_events(0)).empty());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "standing_orders raised std::invalid_argument: standing_orders returned EXTRA_TANK, "
            "which is no hazard\n");
}

TEST(Player, ReportsNotesThatAreLeftAndDropped) {
  Diary bot;
  Player player(bot);
  player.welcome({});
  for (int number = 1; number <= 5; ++number) bot.note("note " + std::to_string(number));
  player.passed_over("a message of a new kind");
  EXPECT_EQ(report_of(player),
            "note 1\nnote 2\nnote 3\narena_sdk: 2 notes dropped, 3 fit an answer; 1 message newer "
            "than this SDK passed over (last: a message of a new kind)\n");
}

TEST(Player, SaysNothingIfThereIsNothing) {
  Diary bot;
  Player player(bot);
  EXPECT_EQ(report_of(player), "");
  EXPECT_EQ(player.bot_name(), "Diary");
}

}  // namespace
}  // namespace arena
