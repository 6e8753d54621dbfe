#include "inbox.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "fakes.hpp"

namespace arena {
namespace {

Mail mail(const pb::PlayResponse& message) { return {message, Clock::now()}; }

TEST(Inbox, GivesInOrderWhatCameAndThenTheEnd) {
  Inbox inbox;
  std::thread reader([&inbox] {
    inbox.put(mail(testing::welcome()));
    inbox.put(mail(testing::match_over()));
    inbox.end();
  });
  EXPECT_TRUE(inbox.next()->message.has_welcome());
  EXPECT_TRUE(inbox.next()->message.has_match_over());
  EXPECT_FALSE(inbox.next());
  EXPECT_FALSE(inbox.next());
  reader.join();
}

TEST(Inbox, KnowsWhatClosesAPrompt) {
  Inbox inbox;
  EXPECT_FALSE(inbox.closes("a"));
  inbox.put(mail(testing::rejection("b")));
  EXPECT_FALSE(inbox.closes("a"));
  EXPECT_TRUE(inbox.closes("b"));
  inbox.put(mail(testing::hand_over()));
  EXPECT_TRUE(inbox.closes("a"));
}

TEST(Inbox, IsOverAfterTheMatchOrTheStream) {
  Inbox inbox;
  EXPECT_FALSE(inbox.is_over());
  inbox.put(mail(testing::match_over()));
  EXPECT_TRUE(inbox.is_over());
  inbox.next();
  EXPECT_FALSE(inbox.is_over());
  inbox.end();
  EXPECT_TRUE(inbox.is_over());
}

TEST(Inbox, SettlesWhenNothingMoreComes) {
  Inbox inbox;
  inbox.put(mail(testing::welcome()));
  inbox.settle();
  EXPECT_TRUE(inbox.next());
  inbox.end();
  inbox.settle();
  EXPECT_FALSE(inbox.next());
}

}  // namespace
}  // namespace arena
