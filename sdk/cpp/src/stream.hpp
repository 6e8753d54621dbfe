// A bot's stream: connect, join, play to the end.
#pragma once

#include <stdexcept>
#include <string>

#include "player.hpp"

namespace arena {

// The stream could not be opened, was refused, or ended early; the message says why.
class NoReferee : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Play one stream of games at the referee at `address`, to its end. Throws NoReferee,
// StrictFailure.
void play(Player& player, const std::string& address, const std::string& token);

}  // namespace arena
