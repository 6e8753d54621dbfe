// The messages that have come from the referee, and when: one thread reads them off the stream and
// puts them in, the bot's thread takes them out.
#pragma once

#include <arena/prompt.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "millearena/v1/match_service.pb.h"

namespace arena {

// A message, and when it came.
struct Mail {
  millearena::v1::PlayResponse message;
  Clock::time_point came;
};

class Inbox {
 public:
  void put(Mail mail);

  // Nothing comes any more.
  void end();

  // The next message, for which it waits; none when the stream has ended.
  std::optional<Mail> next();

  // Wait until nothing more comes for a moment. After a thought that was longer than its prompt
  // allows, what closes the prompt may have come and not been read yet: a program that was held
  // still begins to read when it begins to think.
  void settle();

  // Whether a message that has come closes the prompt of that id.
  bool closes(const std::string& prompt_id) const;

  // Whether what has come ends the match or the stream.
  bool is_over() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Mail> waiting_;
  bool has_ended_ = false;
};

}  // namespace arena
