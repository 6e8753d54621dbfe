#include "convert.hpp"

#include <algorithm>

namespace arena {

namespace {

using google::protobuf::RepeatedField;
using google::protobuf::RepeatedPtrField;

[[noreturn]] void newer(const std::string& what, int number) {
  throw NewerMessage(what + " " + std::to_string(number));
}

Card card_from(int number) {
  if (number < pb::CARD_D25 || number > pb::CARD_DRIVING_ACE) newer("card", number);
  return static_cast<Card>(number - 1);
}

std::optional<Card> card_or_hidden(int number) {
  if (number == pb::CARD_HIDDEN) return std::nullopt;
  return card_from(number);
}

Cards cards_from(const RepeatedField<int>& numbers) {
  Cards cards;
  cards.reserve(numbers.size());
  std::ranges::transform(numbers, std::back_inserter(cards), card_from);
  return cards;
}

Cards sorted(Cards cards) {
  std::ranges::sort(cards);
  return cards;
}

// A word whose numbers on the wire begin at 1, as 0 means unset there.
template <class Word>
Word word_from(const char* what, int number, Word last) {
  if (number < 1 || number > static_cast<int>(last) + 1) newer(what, number);
  return static_cast<Word>(number - 1);
}

TableView table_from(const pb::Table& message) {
  TableView table;
  table.battle = cards_from(message.battle_pile());
  table.speed = cards_from(message.speed_pile());
  table.distance = cards_from(message.distance_cards());
  table.safeties = sorted(cards_from(message.safeties()));
  table.coups_fourres = sorted(cards_from(message.coups_fourres()));
  table.km = message.km();
  table.bonus_km = message.bonus_km();
  table.started = message.started();
  table.moving = message.moving();
  table.limited = message.limited();
  table.accepts = sorted(cards_from(message.accepted_cards()));
  table.suffers = sorted(cards_from(message.suffered_hazards()));
  return table;
}

std::vector<std::optional<Card>> discard_pile_from(const pb::View& message) {
  const auto& pile = message.discard_pile();
  const auto& knowers = message.discard_known_to_seats();
  if (!knowers.empty() && knowers.size() != pile.size()) newer("discards known", knowers.size());
  std::vector<std::optional<Card>> cards;
  for (int place = 0; place < pile.size(); ++place) {
    const bool is_open = knowers.empty() || knowers[place] < 0;
    cards.push_back(is_open ? card_from(pile[place]) : card_or_hidden(pile[place]));
  }
  return cards;
}

void check_seat(const View& view) {
  const int players = view.seating.players();
  if (view.seat && (*view.seat < 0 || *view.seat >= players)) newer("seat", *view.seat);
  if (view.tables.size() != view.seating.teams.size()) newer("tables", view.tables.size());
}

// What was agreed, and what lies open.
void read_public(View& view, const pb::View& message) {
  view.rules = rules_from(message.rule_set());
  view.seating = seating_from(message.teams());
  view.dealer = message.dealer_seat();
  view.scores.assign(message.scores().begin(), message.scores().end());
  std::ranges::transform(message.tables(), std::back_inserter(view.tables), table_from);
  view.sizes.assign(message.hand_sizes().begin(), message.hand_sizes().end());
  view.draw_count = message.draw_count();
  view.discard_pile = discard_pile_from(message);
  view.target = message.target_km();
  view.stripes.assign(message.stripe_sizes().begin(), message.stripe_sizes().end());
  for (const auto& known : message.known_cards()) {
    view.known.push_back(counts_of(cards_from(known.cards())));
  }
}

// Where the hand stands.
void read_turn(View& view, const pb::View& message) {
  view.stage = word_from("stage", message.stage(), Stage::OVER);
  view.asked.assign(message.asked_seats().begin(), message.asked_seats().end());
  view.turn = message.turn_seat();
  if (message.has_attack()) view.attack = card_from(message.attack());
  if (message.has_attacked_team()) view.attacked = message.attacked_team();
  view.due = message.draws_due();
  if (message.resume() != pb::RESUME_UNSPECIFIED) {
    view.resume = word_from("resume", message.resume(), Resume::AFTER_COUP_FOURRE);
  }
  if (message.has_extended_by_team()) view.extended_by = message.extended_by_team();
  view.ran_out = message.ran_out();
  view.dry_start = message.dry_start();
  view.idle = message.idle_turns();
  view.circling = message.circling_turns();
  view.fresh = message.fresh();
  view.reshuffled = message.reshuffle_count();
  if (message.has_end()) view.reason = word_from("hand end", message.end(), HandEnd::BLOCKED);
  if (message.has_winner_team()) view.winner = message.winner_team();
}

View view_from(const pb::View& message) {
  View view;
  read_public(view, message);
  read_turn(view, message);
  if (message.has_seat()) view.seat = message.seat();
  view.hand = counts_of(cards_from(message.hand()));
  view.history = events_from(message.events());
  view.first_event = message.first_event();
  view.event_count = message.event_count();
  check_seat(view);
  return view;
}

// The event of a message; none if it is of a newer kind.
std::optional<Event> event_from(const pb::Event& message) {
  const int seat = message.seat();
  switch (message.kind_case()) {
    case pb::Event::kCardDrawn:
      return Event{EventKind::DRAWN, seat, card_or_hidden(message.card_drawn().card()), {}};
    case pb::Event::kCardTaken: {
      const int card = message.card_taken().card();
      // It lay face down.
      if (card == pb::CARD_UNSPECIFIED) return Event{EventKind::TAKEN, seat, {}, {}};
      return Event{EventKind::TAKEN, seat, card_or_hidden(card), {}};
    }
    case pb::Event::kCardPlayed:
      return Event{EventKind::PLAYED, seat, card_or_hidden(message.card_played().card()), {}};
    case pb::Event::kHazardLaid:
      return Event{EventKind::LAID, seat, card_from(message.hazard_laid().card()),
                   message.hazard_laid().target_team()};
    case pb::Event::kCardDiscarded:
      return Event{EventKind::DISCARDED, seat, card_or_hidden(message.card_discarded().card()), {}};
    case pb::Event::kCoupFourreDeclared:
      return Event{
          EventKind::COUP_FOURRE, seat, card_or_hidden(message.coup_fourre_declared().card()), {}};
    case pb::Event::kHandExtended:
      return Event{EventKind::EXTENDED, seat, {}, {}};
    case pb::Event::kHandStopped:
      return Event{EventKind::STOPPED, seat, {}, {}};
    case pb::Event::kTopChosen:
      return Event{EventKind::TOPPED, seat, card_or_hidden(message.top_chosen().card()), {}};
    case pb::Event::kPileReshuffled:
      return Event{EventKind::RESHUFFLED, seat, {}, {}};
    case pb::Event::KIND_NOT_SET:
      break;
  }
  return std::nullopt;
}

Action draw_from(const pb::Draw& message) {
  if (message.source() == pb::DRAW_SOURCE_PILE) return Action::draw(Pile::DRAW);
  if (message.source() == pb::DRAW_SOURCE_DISCARD) return Action::draw(Pile::DISCARD);
  newer("draw source", message.source());
}

Action raw_action_from(const pb::Action& message) {
  switch (message.kind_case()) {
    case pb::Action::kDraw:
      return draw_from(message.draw());
    case pb::Action::kPlay: {
      const Card card = card_from(message.play().card());
      if (!message.play().has_target_team()) return Action::play(card);
      return Action::play(card, message.play().target_team());
    }
    case pb::Action::kDiscard:
      return Action::discard(card_from(message.discard().card()));
    case pb::Action::kCoupFourre:
      return Action::coup_fourre(card_from(message.coup_fourre().card()));
    case pb::Action::kPass:
      return Action::pass();
    case pb::Action::kExtend:
      return Action::extend();
    case pb::Action::kStop:
      return Action::stop();
    case pb::Action::kTop:
      return Action::top(card_from(message.top().card()));
    case pb::Action::KIND_NOT_SET:
      break;
  }
  throw NewerMessage("an action of a new kind");
}

}  // namespace

Prompt prompt_from(const pb::Prompt& message, Clock::time_point arrived) {
  if (message.kind() != message.view().stage()) newer("asked is", message.kind());
  const int place = message.default_index();
  if (place < 0 || place >= message.legal_actions_size()) newer("default index", place);
  Prompt prompt;
  prompt.view = view_from(message.view());
  prompt.kind = prompt.view.stage;
  std::ranges::transform(message.legal_actions(), std::back_inserter(prompt.legal), action_from);
  prompt.default_action = prompt.legal[place];
  prompt.time_limit = seconds_of(message.time_limit());
  prompt.bank_left = seconds_of(message.bank_left());
  prompt.game = message.game_number();
  prompt.hand = message.hand_number();
  prompt.arrived = arrived;
  return prompt;
}

Action action_from(const pb::Action& message) {
  const Action action = raw_action_from(message);
  if (std::ranges::find(all_actions(), action) == all_actions().end())
    throw NewerMessage("action " + action.text());
  return action;
}

Events events_from(const RepeatedPtrField<pb::Event>& messages) {
  Events events;
  for (const pb::Event& message : messages) {
    if (auto event = event_from(message)) events.push_back(*event);
  }
  return events;
}

Seconds seconds_of(const google::protobuf::Duration& duration) {
  return Seconds(static_cast<double>(duration.seconds()) + duration.nanos() / 1e9);
}

}  // namespace arena
