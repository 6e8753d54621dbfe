// What a bot says, as messages.

#include <algorithm>

#include "convert.hpp"
#include "text.hpp"

namespace arena {

namespace {

constexpr int PROTOCOL_VERSION = 1;
constexpr const char* SDK = "arena_sdk-cpp " ARENA_SDK_VERSION;

pb::Card wire(Card card) { return static_cast<pb::Card>(number_of(card) + 1); }

// What a bot has made up may lack its card: it is sent so, for the referee to refuse.
pb::Card wire(const std::optional<Card>& card) { return card ? wire(*card) : pb::CARD_UNSPECIFIED; }

pb::DrawSource source_of(const std::optional<Pile>& pile) {
  if (!pile) return pb::DRAW_SOURCE_UNSPECIFIED;
  return *pile == Pile::DRAW ? pb::DRAW_SOURCE_PILE : pb::DRAW_SOURCE_DISCARD;
}

void write(const Action& action, pb::Action& message) {
  switch (action.verb) {
    case Verb::DRAW:
      message.mutable_draw()->set_source(source_of(action.pile));
      break;
    case Verb::PLAY:
      message.mutable_play()->set_card(wire(action.card));
      if (action.team) message.mutable_play()->set_target_team(*action.team);
      break;
    case Verb::DISCARD:
      message.mutable_discard()->set_card(wire(action.card));
      break;
    case Verb::COUP_FOURRE:
      message.mutable_coup_fourre()->set_card(wire(action.card));
      break;
    case Verb::PASS:
      message.mutable_pass();
      break;
    case Verb::EXTEND:
      message.mutable_extend();
      break;
    case Verb::STOP:
      message.mutable_stop();
      break;
    case Verb::TOP:
      message.mutable_top()->set_card(wire(action.card));
      break;
  }
}

}  // namespace

pb::PlayRequest answer_to(const pb::Prompt& message, const Actions& legal, const Action& action,
                          const Cards& orders) {
  pb::PlayRequest request;
  pb::Answer& answer = *request.mutable_answer();
  answer.set_prompt_id(message.prompt_id());
  const auto found = std::ranges::find(legal, action);
  if (found != legal.end()) {
    answer.set_legal_index(static_cast<int>(found - legal.begin()));
  } else {
    write(action, *answer.mutable_action());
  }
  for (const Card hazard : orders) answer.add_coup_fourre_on(wire(hazard));
  return request;
}

pb::PlayRequest default_answer_to(const pb::Prompt& message) {
  pb::PlayRequest request;
  request.mutable_answer()->set_prompt_id(message.prompt_id());
  request.mutable_answer()->set_legal_index(message.default_index());
  return request;
}

pb::PlayRequest join_as(const std::string& name, const std::string& version) {
  pb::PlayRequest request;
  pb::Join& join = *request.mutable_join();
  join.set_protocol_version(PROTOCOL_VERSION);
  join.set_bot_name(clean(name));
  join.set_bot_version(clean(version));
  join.set_sdk(SDK);
  return request;
}

pb::PlayRequest note_of(const std::string& text) {
  pb::PlayRequest request;
  request.mutable_note()->set_text(text);
  return request;
}

}  // namespace arena
