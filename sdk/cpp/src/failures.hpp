// What a bot throws: it goes to the bot's log, and is counted for a line at its end.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arena {

// In strict play a bot has thrown. It ends the run; the message says what, in one line.
class StrictFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Failures {
 public:
  explicit Failures(bool strict = false) : is_strict_(strict) {}

  // Write and count what `method` has thrown; to be called while it is caught. Throws
  // StrictFailure in strict play.
  void take(std::string_view method);

  // What there was, a phrase for each method.
  std::vector<std::string> summary() const;

 private:
  struct Count {
    std::string method;
    int times = 0;
    std::string last;
  };

  bool is_strict_;
  std::vector<Count> counts_;
};

// The readable name of a type, without its namespaces.
std::string class_name(const std::type_info& type);

}  // namespace arena
