// What a seat can do.
#pragma once

#include <arena/card.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

enum class Verb : std::uint8_t { DRAW, PLAY, DISCARD, COUP_FOURRE, PASS, EXTEND, STOP, TOP };

// Where a card is drawn from.
enum class Pile : std::uint8_t { DRAW, DISCARD };

// One action. It says nothing of who does it. Made by the functions below or by `parse`.
struct Action {
  Verb verb = Verb::PASS;
  std::optional<Card> card;  // none for draw, pass, extend and stop
  std::optional<int> team;   // only for a hazard: the team that it is laid on
  std::optional<Pile> pile;  // only for draw

  static Action draw(Pile pile) { return {Verb::DRAW, {}, {}, pile}; }
  static Action play(Card card) { return {Verb::PLAY, card, {}, {}}; }
  static Action play(Card hazard, int team) { return {Verb::PLAY, hazard, team, {}}; }
  static Action discard(Card card) { return {Verb::DISCARD, card, {}, {}}; }
  static Action coup_fourre(Card safety) { return {Verb::COUP_FOURRE, safety, {}, {}}; }
  static Action pass() { return {}; }
  static Action extend() { return {Verb::EXTEND, {}, {}, {}}; }
  static Action stop() { return {Verb::STOP, {}, {}, {}}; }
  static Action top(Card card) { return {Verb::TOP, card, {}, {}}; }

  // The action of that text, for example `play RED_LIGHT on 1`. Throws std::invalid_argument if
  // no action is written so.
  static Action parse(std::string_view text);

  // `draw pile`, `draw discard`, `play D25`, `play RED_LIGHT on 1`, `discard D25`,
  // `coup_fourre EXTRA_TANK`, `pass`, `extend`, `stop`, `top GASOLINE`.
  std::string text() const;

  friend bool operator==(const Action&, const Action&) = default;
};

using Actions = std::vector<Action>;

// Every action that any rules have.
const Actions& all_actions();

}  // namespace arena
