#include <algorithm>
#include <arena/run.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "player.hpp"
#include "stream.hpp"

namespace arena {

namespace {

// The environment cannot be played with; the message says what is wrong.
class BadEnvironment : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
}

// `unix:PATH` or `HOST:PORT`
bool is_target(std::string_view address) {
  if (address.starts_with("unix:")) return address.size() > std::string_view("unix:").size();
  const std::size_t colon = address.rfind(':');
  return colon != std::string_view::npos && colon > 0 && is_port(address.substr(colon + 1));
}

std::string address() {
  const std::string address = variable("ARENA_ADDRESS");
  if (address.empty()) {
    throw BadEnvironment("ARENA_ADDRESS is not set; start the bot with `arena match`");
  }
  if (!is_target(address)) {
    throw BadEnvironment("ARENA_ADDRESS '" + address + "': must be unix:PATH or HOST:PORT");
  }
  return address;
}

// The token for the referee; it is never shown.
std::string token() {
  const std::string token = variable("ARENA_TOKEN");
  if (!std::ranges::all_of(token, [](char c) { return ' ' <= c && c <= '~'; })) {
    throw BadEnvironment("ARENA_TOKEN: must be printable ASCII");
  }
  return token;
}

bool is_strict() {
  const std::string strict = variable("ARENA_STRICT");
  return !strict.empty() && strict != "0";
}

void play_all(Bot& bot) {
  const std::string where = address();
  const std::string secret = token();
  Player player(bot, is_strict());
  try {
    play(player, where, secret);
  } catch (...) {
    player.report();
    throw;
  }
  player.report();
}

}  // namespace

int run(Bot& bot) {
  // Without it every connection that ends is a line in the log.
  setenv("GRPC_VERBOSITY", "ERROR", 0);
  try {
    play_all(bot);
    return EXIT_SUCCESS;
  } catch (const StrictFailure& failure) {
    std::cerr << "arena_sdk: strict play ends here: " << failure.what() << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "arena_sdk: " << error.what() << std::endl;
  }
  return EXIT_FAILURE;
}

}  // namespace arena
