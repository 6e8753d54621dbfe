#include "notes.hpp"

#include <algorithm>
#include <utility>

#include "text.hpp"

namespace arena {

void Notes::allow(const FaultBudget& budget) {
  most_ = std::max(0, budget.messages_per_prompt - 1);
  bytes_ = std::max(0, budget.note_bytes);
}

void Notes::add(std::string_view text) {
  if (static_cast<int>(waiting_.size()) >= most_) {
    ++dropped_;
    return;
  }
  waiting_.push_back(cut(clean(in_one_line(text)), bytes_));
}

std::vector<std::string> Notes::take() { return std::exchange(waiting_, {}); }

}  // namespace arena
