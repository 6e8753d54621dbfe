// When a bot is asked and told what: the SDK without a wire.
//
// A prompt brings the events since the one before it. Those of prompts that the bot never sees are
// kept and put in front of the next prompt's, so that `view.history` holds everything since the bot
// was last asked.
#pragma once

#include <arena/bot.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "failures.hpp"
#include "notes.hpp"

namespace arena {

class Player {
 public:
  explicit Player(Bot& bot, bool strict = false);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // What the bot does; `pass`, at once and without asking it, if that is all it can.
  Action answer(Prompt prompt);

  // The hazards that the bot wants answered, after its answer to `prompt`; none where windows are
  // not run so, or if it fails to say.
  Cards orders(const Prompt& prompt);

  // Leave a prompt unasked, but keep its events.
  void skip(Prompt prompt);

  void welcome(const Welcome& welcome);
  void rejected(const Rejection& rejection);
  void hand_over(const HandResult& result);
  void match_over(const MatchResult& result);

  // Something came that is newer than this SDK; a prompt among it got the default.
  void passed_over(std::string why);

  // Say in one line on standard error what went wrong, if anything did. Before it stand the notes
  // that no answer has taken along.
  void report();

  // To be sent with an answer that is in time.
  std::vector<std::string> take_notes() { return notes_.take(); }

  std::string bot_name() const;
  std::string bot_version() const { return bot_.version; }

 private:
  using Place = std::pair<int, int>;  // game and hand

  // Events of one hand that the bot has not been shown.
  struct Unseen {
    Place at;
    int first_event;
    Events events;
  };

  Action ask(const Prompt& prompt);
  void enter(Place at);
  void show(const Events& events);
  void add_unseen(Prompt& prompt);
  void show_unseen();

  template <class Hook>
  void call(std::string_view name, Hook hook);

  Bot& bot_;
  Failures failures_;
  Notes notes_;
  bool gives_orders_ = false;
  Place at_{-1, -1};  // what the bot has heard of
  std::optional<Unseen> unseen_;
  int newer_ = 0;
  std::string last_newer_;
};

}  // namespace arena
