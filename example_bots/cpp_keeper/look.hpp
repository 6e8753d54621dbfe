// A view, and what the keeper thinks of it.
#pragma once

#include <arena/sdk.hpp>

class Look {
 public:
  explicit Look(const arena::View& view);

  // What a card that is played, laid or thrown away is worth.
  int worth(const arena::Action& action) const;

  // Whether the open card is better than an unknown one.
  bool takes_open_card() const;

  // 300 km more only far ahead, with half of the cards still to come.
  bool should_extend() const;

 private:
  bool holds(arena::Card card) const { return hand_[card] > 0; }
  bool can_finish() const;
  bool stands_without_remedy() const;
  bool can_total(int total, arena::Card played) const;
  int drive(arena::Card card) const;
  int attack(arena::Card hazard, int team) const;
  int expose(arena::Card safety) const;
  int keep(arena::Card card) const;
  int use(arena::Card card, int copies) const;
  int use_of_distance(arena::Card card, int copies) const;
  int use_of_hazard(arena::Card hazard) const;
  int use_of_remedy(arena::Card remedy, int copies) const;
  int still_needed(arena::Card remedy, arena::Card hazard) const;
  int gift(arena::Card card) const;

  const arena::View& view_;
  const arena::TableView& table_;
  const arena::CardCounts& hand_;
  arena::CardCounts unseen_;  // in other hands, in the pile, face down
  std::vector<arena::TableView> rivals_;
  int to_go_;
  int turns_;     // left to each seat before the draw pile is out
  bool replays_;  // a safety gives another play
  bool stands_;
  bool finishes_;
};
