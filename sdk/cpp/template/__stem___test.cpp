// Run with `cmake -P sdk/build.cmake check`.

#include <arena/testing.hpp>
#include <initializer_list>
#include <iostream>
#include <string_view>

#include "__stem___bot.hpp"

using arena::Stage;
using arena::testing::prompt;

static int failures = 0;

static void expect(const arena::Prompt& asked, std::string_view answer) {
  __Class__ bot;
  const std::string chosen = bot.choose(asked).text();
  if (chosen == answer) return;
  ++failures;
  std::cerr << "expected `" << answer << "`, not `" << chosen << "`\n";
}

int main() {
  expect(prompt({"coup_fourre EXTRA_TANK", "pass"}, Stage::RESPOND), "coup_fourre EXTRA_TANK");
  expect(prompt({"pass"}, Stage::RESPOND), "pass");
  expect(prompt({"play GREEN_LIGHT", "play RED_LIGHT on 1", "discard D25"}), "play GREEN_LIGHT");
  expect(prompt({"play D25", "play D100", "play RED_LIGHT on 1", "discard D25"}), "play D100");
  expect(prompt({"play RED_LIGHT on 1", "discard D25"}), "play RED_LIGHT on 1");
  expect(prompt({"discard D50", "discard D25"}), "discard D25");
  return failures == 0 ? 0 : 1;
}
