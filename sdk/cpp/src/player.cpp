#include "player.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <typeinfo>

#include "text.hpp"

namespace arena {

namespace {

// Standing orders, checked: whoever names a safety has misunderstood something.
Cards checked(Cards orders) {
  std::ranges::sort(orders);
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  for (const Card card : orders) {
    if (!is_hazard(card)) {
      throw std::invalid_argument("standing_orders returned " + std::string(name_of(card)) +
                                  ", which is no hazard");
    }
  }
  return orders;
}

}  // namespace

Player::Player(Bot& bot, bool strict) : bot_(bot), failures_(strict) { bot_.notes_ = &notes_; }

Player::~Player() { bot_.notes_ = nullptr; }

template <class Hook>
void Player::call(std::string_view name, Hook hook) {
  try {
    hook();
  } catch (...) {
    failures_.take(name);
  }
}

// -- questions ------------------------------------------------------------------------------------

Action Player::answer(Prompt prompt) {
  if (!prompt.has_choice()) {
    skip(std::move(prompt));
    return Action::pass();
  }
  add_unseen(prompt);
  enter({prompt.game, prompt.hand});
  show(prompt.view.history);
  return ask(prompt);
}

Cards Player::orders(const Prompt& prompt) {
  Cards orders;
  if (gives_orders_) {
    call("standing_orders", [&] { orders = checked(bot_.standing_orders(prompt)); });
  }
  return orders;
}

void Player::skip(Prompt prompt) {
  add_unseen(prompt);
  unseen_ =
      Unseen{{prompt.game, prompt.hand}, prompt.view.first_event, std::move(prompt.view.history)};
}

Action Player::ask(const Prompt& prompt) {
  Action action = prompt.default_action;
  if (prompt.view.stage != Stage::RESPOND) {
    call("choose", [&] { action = bot_.choose(prompt); });
    return action;
  }
  bot_.responds_by_choosing_ = false;
  try {
    action = bot_.respond(prompt);
  } catch (...) {
    failures_.take(bot_.responds_by_choosing_ ? "choose" : "respond");
  }
  return action;
}

// -- news -----------------------------------------------------------------------------------------

void Player::welcome(const Welcome& welcome) {
  show_unseen();
  notes_.allow(welcome.faults);
  gives_orders_ = welcome.window_mode == WindowMode::STANDING;
  call("game_started", [&] { bot_.game_started(welcome); });
}

void Player::rejected(const Rejection& rejection) {
  call("rejected", [&] { bot_.rejected(rejection); });
}

void Player::hand_over(const HandResult& result) {
  show_unseen();
  enter({result.game, result.hand});
  show(result.events);
  call("hand_over", [&] { bot_.hand_over(result); });
}

void Player::match_over(const MatchResult& result) {
  show_unseen();
  call("match_over", [&] { bot_.match_over(result); });
}

void Player::passed_over(std::string why) {
  ++newer_;
  last_newer_ = std::move(why);
}

void Player::report() {
  for (const std::string& note : notes_.take()) std::cerr << note << '\n';
  std::vector<std::string> phrases = failures_.summary();
  if (notes_.dropped() > 0) {
    phrases.push_back(so_many(notes_.dropped(), "note") + " dropped, " +
                      std::to_string(notes_.most()) + " fit an answer");
  }
  if (newer_ > 0) {
    phrases.push_back(so_many(newer_, "message") +
                      " newer than this SDK passed over (last: " + last_newer_ + ")");
  }
  std::string line;
  for (const std::string& phrase : phrases) line += (line.empty() ? "arena_sdk: " : "; ") + phrase;
  if (!line.empty()) std::cerr << line << '\n';
  std::cerr.flush();
}

std::string Player::bot_name() const {
  return bot_.name.empty() ? class_name(typeid(bot_)) : bot_.name;
}

// -- inside ---------------------------------------------------------------------------------------

// Tell the bot of a hand that it has not heard of.
void Player::enter(Place at) {
  if (at_ == at) return;
  at_ = at;
  call("hand_started", [&] { bot_.hand_started(at.first, at.second); });
}

void Player::show(const Events& events) {
  if (!events.empty()) call("saw", [&] { bot_.saw(events); });
}

// Put the events that the bot has missed in this hand before the prompt's own.
void Player::add_unseen(Prompt& prompt) {
  if (!unseen_) return;
  if (unseen_->at != Place{prompt.game, prompt.hand}) {
    show_unseen();
    return;
  }
  Events& events = unseen_->events;
  events.insert(events.end(), prompt.view.history.begin(), prompt.view.history.end());
  prompt.view.history = std::move(events);
  prompt.view.first_event = unseen_->first_event;
  unseen_.reset();
}

// Show what is left of a hand in which the bot was not asked again.
void Player::show_unseen() {
  if (!unseen_) return;
  const Unseen unseen = std::move(*unseen_);
  unseen_.reset();
  enter(unseen.at);
  show(unseen.events);
}

}  // namespace arena
