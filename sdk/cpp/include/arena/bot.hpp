// What an author writes: a `Bot` with `choose`, and whichever hooks it wants.
#pragma once

#include <arena/action.hpp>
#include <arena/news.hpp>
#include <arena/prompt.hpp>
#include <arena/view.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace arena {

class Notes;
class Player;

// A player. Derive from it, write `choose`, and hand an object to `run`.
//
// One process plays one stream of games, and is asked and told things one after the other, in one
// thread, in the order in which they happened:
//
//     game_started                    for each game
//         hand_started                for each hand
//             saw                     what has happened, before each question
//             choose, respond         a question
//             standing_orders         only where response windows are run so
//             rejected                what was played for you instead
//         hand_over
//     match_over
//
// `choose` is needed; the other methods are hooks. What a method throws does not end the match: it
// goes to standard error, which is your log, and for a question the default action is played. All
// of it runs on your own time.
class Bot {
 public:
  Bot() = default;
  Bot(const Bot&) = delete;  // the stream knows a bot by its address
  Bot& operator=(const Bot&) = delete;
  virtual ~Bot() = default;

  std::string name;     // what the bot calls itself in logs; by default the name of its class
  std::string version;  // its version, for logs

  // Answer a prompt with one of `prompt.legal`.
  virtual Action choose(const Prompt& prompt) = 0;

  // Answer an attack (`prompt.kind == Stage::RESPOND`): the coup fourré or `pass`. Asked only if
  // you hold the safety; otherwise the SDK passes, at once. By default `choose` is asked.
  virtual Action respond(const Prompt& prompt);

  // The hazards to answer with a coup fourré until the next answer. Asked after each answer where
  // `welcome.window_mode` is STANDING; `respond` is not asked there. By default every hazard whose
  // safety is in hand.
  virtual Cards standing_orders(const Prompt& prompt);

  // A game begins.
  virtual void game_started(const Welcome& /*welcome*/) {}

  // This is the first that you hear of a hand; others may have played in it already.
  virtual void hand_started(int /*game*/, int /*hand*/) {}

  // What has happened in this hand since the last time, oldest first: every event that you may
  // know, each once. What `choose` reads in `view.history` was seen here just before.
  virtual void saw(const Events& /*events*/) {}

  // The default action was played for you, because an answer was late or not legal.
  virtual void rejected(const Rejection& /*rejection*/) {}

  // A hand has ended.
  virtual void hand_over(const HandResult& /*result*/) {}

  // It is over; the program ends after this.
  virtual void match_over(const MatchResult& /*result*/) {}

  // Write a line to your log; no other seat sees it. It goes along with the next answer. A referee
  // takes so many notes with an answer, and so much of a note, as `welcome.faults` says: what is
  // longer is cut, further ones are dropped and counted.
  void note(std::string_view text);

  // Chance of your own: from ARENA_BOT_SEED, and a match can be repeated. Outside a match it is
  // always the same chance.
  std::mt19937_64& rng();

 private:
  friend class Player;

  Notes* notes_ = nullptr;
  bool responds_by_choosing_ = false;
  std::optional<std::mt19937_64> rng_;
};

}  // namespace arena
