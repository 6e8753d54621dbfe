#include "conversation.hpp"

namespace arena {

namespace {

using Message = pb::PlayResponse;

std::string_view word_of(Message::MessageCase arm) {
  switch (arm) {
    case Message::kWelcome:
      return "welcome";
    case Message::kHandOver:
      return "hand_over";
    default:
      return "message";
  }
}

}  // namespace

bool Conversation::run() {
  while (const auto mail = inbox_.next()) {
    if (mail->message.has_prompt()) {
      take_prompt(mail->message.prompt(), mail->came);
    } else {
      take_news(mail->message);
    }
    if (mail->message.has_match_over()) return true;
  }
  return false;
}

void Conversation::take_prompt(const pb::Prompt& message, Clock::time_point came) {
  const Seconds limit = seconds_of(message.time_limit());
  if (Clock::now() - came >= limit) inbox_.settle();  // hooks took too long
  Prompt prompt;
  try {
    prompt = prompt_from(message, came);
  } catch (const NewerMessage& error) {
    player_.passed_over(std::string("prompt: ") + error.what());
    send(default_answer_to(message));
    return;
  }
  if (inbox_.closes(message.prompt_id())) {
    player_.skip(std::move(prompt));
  } else {
    answer(message, prompt);
  }
}

void Conversation::answer(const pb::Prompt& message, const Prompt& prompt) {
  const Action action = player_.answer(prompt);
  const auto request = answer_to(message, prompt.legal, action, player_.orders(prompt));
  if (Clock::now() - prompt.arrived >= prompt.time_limit) inbox_.settle();
  // A late answer is sent too, for the referee to count, but not after the end.
  if (prompt.has_choice() && !inbox_.closes(message.prompt_id())) {
    for (const std::string& note : player_.take_notes()) send(note_of(note));
  }
  if (!inbox_.is_over()) send(request);
}

void Conversation::take_news(const pb::PlayResponse& message) {
  try {
    read_news(message);
  } catch (const NewerMessage& error) {
    player_.passed_over(std::string(word_of(message.message_case())) + ": " + error.what());
  }
}

void Conversation::read_news(const pb::PlayResponse& message) {
  switch (message.message_case()) {
    case Message::kWelcome:
      player_.welcome(welcome_from(message.welcome()));
      break;
    case Message::kRejection:
      player_.rejected(rejection_from(message.rejection()));
      break;
    case Message::kHandOver:
      player_.hand_over(hand_result_from(message.hand_over()));
      break;
    case Message::kMatchOver:
      player_.match_over(match_result_from(message.match_over()));
      break;
    default:
      player_.passed_over("a message of a new kind");
  }
}

// As long as somebody is there: what has come is still to be read.
void Conversation::send(const pb::PlayRequest& request) {
  if (!is_cut_) is_cut_ = !write_(request);
}

}  // namespace arena
