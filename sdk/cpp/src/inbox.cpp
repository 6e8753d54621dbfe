#include "inbox.hpp"

#include <algorithm>
#include <utility>

namespace arena {

namespace {

using Message = millearena::v1::PlayResponse;

constexpr std::chrono::milliseconds QUIET{5};  // after that nothing more is on its way

// What is sent only when the receiver's last prompt is closed. A rejection names its prompt.
bool closes_prompt(const Message& message, const std::string& prompt_id) {
  switch (message.message_case()) {
    case Message::kRejection:
      return message.rejection().prompt_id() == prompt_id;
    case Message::kPrompt:
    case Message::kHandOver:
    case Message::kWelcome:
    case Message::kMatchOver:
      return true;
    case Message::MESSAGE_NOT_SET:
      break;
  }
  return false;
}

}  // namespace

void Inbox::put(Mail mail) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(mail));
  }
  changed_.notify_one();
}

void Inbox::end() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  changed_.notify_one();
}

std::optional<Mail> Inbox::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_ended_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  Mail mail = std::move(waiting_.front());
  waiting_.pop_front();
  return mail;
}

void Inbox::settle() {
  std::unique_lock lock(mutex_);
  std::size_t seen = 0;
  do {
    seen = waiting_.size();
    changed_.wait_for(lock, QUIET, [&] { return has_ended_ || waiting_.size() > seen; });
  } while (!has_ended_ && waiting_.size() > seen);
}

bool Inbox::closes(const std::string& prompt_id) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      waiting_, [&](const Mail& mail) { return closes_prompt(mail.message, prompt_id); });
}

bool Inbox::is_over() const {
  const std::lock_guard lock(mutex_);
  return has_ended_ || (!waiting_.empty() && waiting_.back().message.has_match_over());
}

}  // namespace arena
