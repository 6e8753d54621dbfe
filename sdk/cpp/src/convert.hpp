// From protobuf to the SDK's values and back. Fields and arms that are newer than this SDK are
// passed over; where a card, a stage or the like is, the message is refused.
#pragma once

#include <arena/news.hpp>
#include <arena/prompt.hpp>
#include <stdexcept>
#include <string>

#include "millearena/v1/match_service.pb.h"

namespace arena {

namespace pb = ::millearena::v1;

// A message says something that this SDK has no word for.
class NewerMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// These throw NewerMessage.
Prompt prompt_from(const pb::Prompt& message, Clock::time_point arrived = Clock::now());
Welcome welcome_from(const pb::Welcome& message);
HandResult hand_result_from(const pb::HandOver& message);
Action action_from(const pb::Action& message);
RuleSet rules_from(const pb::RuleSet& message);
Seating seating_from(const google::protobuf::RepeatedPtrField<pb::Team>& teams);
Events events_from(const google::protobuf::RepeatedPtrField<pb::Event>& messages);

// In these an unknown word reads as UNKNOWN or none.
Rejection rejection_from(const pb::Rejection& message);
MatchResult match_result_from(const pb::MatchOver& message);

Seconds seconds_of(const google::protobuf::Duration& duration);

// The answer to a prompt: a legal action by its place, another one as it is, for the referee to
// refuse and count.
pb::PlayRequest answer_to(const pb::Prompt& message, const Actions& legal, const Action& action,
                          const Cards& orders = {});

// The default is the answer to what cannot be understood.
pb::PlayRequest default_answer_to(const pb::Prompt& message);

pb::PlayRequest join_as(const std::string& name, const std::string& version);
pb::PlayRequest note_of(const std::string& text);

}  // namespace arena
