// Lines for the author's log that wait for the next answer to take them along. A referee counts
// the messages that a bot sends for each prompt, so what is too much is not sent at all.
#pragma once

#include <arena/news.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

class Notes {
 public:
  // From now on this much is taken; one of the messages for a prompt is the answer.
  void allow(const FaultBudget& budget);

  // Note a text, as one line that is no longer than allowed.
  void add(std::string_view text);

  // The notes that wait, which are sent now.
  std::vector<std::string> take();

  int dropped() const { return dropped_; }

  // How many may go with an answer; none before the first welcome.
  int most() const { return most_; }

 private:
  int dropped_ = 0;
  int most_ = 0;
  std::size_t bytes_ = 0;
  std::vector<std::string> waiting_;
};

}  // namespace arena
