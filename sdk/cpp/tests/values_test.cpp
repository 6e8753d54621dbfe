// Cards, actions, text, and what the testing header makes.

#include <gtest/gtest.h>

#include <arena/sdk.hpp>
#include <arena/testing.hpp>
#include <set>

#include "failures.hpp"
#include "notes.hpp"
#include "text.hpp"

namespace arena {
namespace {

TEST(Cards, HaveNamesInDeckOrder) {
  EXPECT_EQ(name_of(Card::D25), "D25");
  EXPECT_EQ(name_of(Card::DRIVING_ACE), "DRIVING_ACE");
  for (const Card card : CARDS) EXPECT_EQ(card_named(name_of(card)), card);
  EXPECT_FALSE(card_named("D26"));
}

TEST(Cards, HazardsHaveRemediesAndSafeties) {
  EXPECT_EQ(remedy_for(Card::SPEED_LIMIT), Card::END_OF_LIMIT);
  EXPECT_EQ(safety_for(Card::RED_LIGHT), Card::RIGHT_OF_WAY);
  EXPECT_EQ(safety_for(Card::SPEED_LIMIT), Card::RIGHT_OF_WAY);
  EXPECT_EQ(safety_for(Card::OUT_OF_GAS), Card::EXTRA_TANK);
  EXPECT_EQ(safety_for(Card::ACCIDENT), Card::DRIVING_ACE);
  EXPECT_THROW(safety_for(Card::D25), std::invalid_argument);
}

TEST(Cards, AreCounted) {
  const CardCounts counts = counts_of({Card::D25, Card::D200, Card::D25, Card::ACCIDENT});
  EXPECT_EQ(counts[Card::D25], 2);
  EXPECT_EQ(counts.total(), 4);
  EXPECT_EQ(counts.total(Card::D25, Card::D200), 3);
  EXPECT_EQ(counts.total(Card::D200, Card::ACCIDENT), 2);
}

TEST(Decks, AreThoseOfTheRules) {
  RuleSet rules;
  EXPECT_EQ(rules.deck(2).total(), 106);
  rules.deck_2p_reduction = true;
  EXPECT_EQ(rules.deck(3).total(), 101);
  EXPECT_EQ(rules.deck(4).total(), 106);
  rules.family = Family::EXPRESS;
  EXPECT_EQ(rules.deck(2).total(), 66);
}

TEST(Actions, HaveTextsThatAreReadAgain) {
  EXPECT_EQ(Action::play(Card::RED_LIGHT, 1).text(), "play RED_LIGHT on 1");
  EXPECT_EQ(Action::draw(Pile::DISCARD).text(), "draw discard");
  std::set<std::string> texts;
  for (const Action& action : all_actions()) {
    EXPECT_EQ(Action::parse(action.text()), action);
    texts.insert(action.text());
  }
  EXPECT_EQ(texts.size(), 2 + 14 + 20 + 19 + 4 + 3 + 10);
  EXPECT_THROW(Action::parse("play D25 on 1"), std::invalid_argument);
}

TEST(Text, IsOneLineOfUtf8) {
  EXPECT_EQ(in_one_line("a\r\nb\nc\u2028d\n"), "a b c d");
  EXPECT_EQ(in_one_line("\n\na"), "  a");
  EXPECT_EQ(clean("caf\xC3\xA9 \xF0\x9F\x9A\x97"), "caf\xC3\xA9 \xF0\x9F\x9A\x97");
  EXPECT_EQ(clean("a\xFF\xC3"), "a??");
  EXPECT_EQ(clean("\xED\xA0\x80\xC0\x80"), "?????");
  EXPECT_EQ(cut("caf\xC3\xA9", 4), "caf");
  EXPECT_EQ(cut("\xF0\x9F\x9A\x97", 3), "");
  EXPECT_EQ(cut("abc", 3), "abc");
}

TEST(Notes, AreSoManyAndSoLong) {
  Notes notes;
  notes.add("before anything is allowed");
  notes.allow({3, 3, 64, 5});
  notes.add("123456789");
  notes.add("a\nb");
  notes.add("too many");
  EXPECT_EQ(notes.take(), (std::vector<std::string>{"12345", "a b"}));
  EXPECT_EQ(notes.dropped(), 2);
  EXPECT_TRUE(notes.take().empty());
}

TEST(Prompts, SortTheirActions) {
  const Prompt prompt = testing::prompt(
      {"play D25", "play REPAIRS", "play EXTRA_TANK", "play RED_LIGHT on 1", "discard D25"});
  EXPECT_EQ(prompt.drives(), Actions{Action::play(Card::D25)});
  EXPECT_EQ(prompt.remedies(), Actions{Action::play(Card::REPAIRS)});
  EXPECT_EQ(prompt.safeties(), Actions{Action::play(Card::EXTRA_TANK)});
  EXPECT_EQ(prompt.plays().size(), 3);
  EXPECT_EQ(prompt.attacks(), Actions{Action::play(Card::RED_LIGHT, 1)});
  EXPECT_EQ(prompt.discards(), Actions{prompt.default_action});
  EXPECT_FALSE(prompt.coup_fourre());
  EXPECT_TRUE(prompt.find("play D25"));
  EXPECT_FALSE(prompt.find("play D50"));
  EXPECT_EQ(prompt.view.cards().size(), 4);
  EXPECT_THROW(testing::prompt({}), std::invalid_argument);
  EXPECT_THROW(testing::prompt({"play"}), std::invalid_argument);
}

TEST(Prompts, KnowTheTimeLeft) {
  Prompt prompt = testing::prompt({"pass", "coup_fourre EXTRA_TANK"}, Stage::RESPOND);
  prompt.time_limit = Seconds(5);
  prompt.bank_left = Seconds(100);
  EXPECT_LE(prompt.time_left(), Seconds(5));
  prompt.kind = Stage::PLAY;
  EXPECT_GT(prompt.time_left(), Seconds(50));
  EXPECT_LE(prompt.time_left(false), Seconds(5));
  prompt.arrived -= std::chrono::hours(1);
  EXPECT_EQ(prompt.time_left(), Seconds(0));
}

class Chooser : public Bot {
 public:
  Action choose(const Prompt& prompt) override { return prompt.legal[0]; }
};

TEST(Bots, HaveTheSameChanceOutsideAMatch) {
  unsetenv("ARENA_BOT_SEED");
  Chooser one;
  Chooser other;
  EXPECT_EQ(one.rng()(), other.rng()());
  EXPECT_NE(one.rng()(), one.rng()());
}

TEST(Bots, HaveTheChanceOfTheirSeed) {
  setenv("ARENA_BOT_SEED", "18446744073709551615", 1);
  Chooser bot;
  EXPECT_EQ(bot.rng()(), std::mt19937_64(18446744073709551615ULL)());
  unsetenv("ARENA_BOT_SEED");
}

TEST(Bots, OrderACoupFourreForEverySafetyInHand) {
  Chooser bot;
  const Prompt prompt = testing::prompt({"play RIGHT_OF_WAY", "discard D25"});
  EXPECT_EQ(bot.standing_orders(prompt), (Cards{Card::RED_LIGHT, Card::SPEED_LIMIT}));
}

}  // namespace
}  // namespace arena
