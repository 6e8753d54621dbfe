#include "look.hpp"

#include <algorithm>

namespace tables = arena::tables;
using arena::Action;
using arena::Card;
using arena::Family;
using arena::has;
using arena::km;
using arena::safety_for;
using arena::TableView;
using arena::Verb;
using arena::View;

namespace {

// What the first copy of a card in hand is worth keeping; safeties are never thrown away.
using Worths = std::array<int, 15>;
// 25  50  75  100  200  red limit  gas tire crash green end  gas tire repairs
constexpr Worths KEEP_CLASSIC = {40,  80,  80,  110, 170, 220, 120, 260,
                                 260, 260, 220, 160, 180, 180, 180};
constexpr Worths KEEP_EXPRESS = {40, 80, 90,  130, 170, 130, 80, 90,
                                 90, 90, 170, 110, 130, 130, 130};
constexpr Worths KEEP_PLATEAU = {40,  80,  100, 130, 160, 160, 130, 260,
                                 260, 260, 200, 120, 180, 180, 180};

constexpr int ENDS = 100'000;      // the hand, won
constexpr int FREES = 1800;        // a safety against a hazard whose remedy is not in hand
constexpr int STARTS = 1500;       // Right of Way, where no Green Light is in hand to start
constexpr int LAST_CHANCE = 2400;  // a safety that will hardly see its attack any more
constexpr int DRAWS = 4000;        // Plateau: a coup fourré makes no points, better the card now
constexpr int HOLD = -900;         // a safety that waits: throw away anything but a safety first
constexpr int NEARLY_THERE = 200;  // km: a rival that rolls may end the hand before it is used
constexpr int MOST_AHEAD = 4;      // distance cards that are thought of together
constexpr int FEW_TURNS = 2;       // left to each seat before the draw pile is out

const Worths& keeps(Family family) {
  if (family == Family::EXPRESS) return KEEP_EXPRESS;
  return family == Family::PLATEAU ? KEEP_PLATEAU : KEEP_CLASSIC;
}

std::vector<TableView> tables_of_rivals(const View& view) {
  std::vector<TableView> found;
  for (const int team : tables::rivals(view)) found.push_back(view.tables[team]);
  return found;
}

// The hazard that a remedy is for.
Card hazard_of(Card remedy) {
  return *std::ranges::find(arena::HAZARDS, remedy, &arena::remedy_for);
}

// Whether some of the numbers from `from` on, `most` at the most, make exactly `total`.
bool can_make(const std::vector<int>& numbers, std::size_t from, int most, int total) {
  if (total == 0) return true;
  if (most == 0) return false;
  for (std::size_t at = from; at < numbers.size(); ++at) {
    if (can_make(numbers, at + 1, most - 1, total - numbers[at])) return true;
  }
  return false;
}

}  // namespace

Look::Look(const View& view)
    : view_(view),
      table_(view.table()),
      hand_(view.hand),
      unseen_(view.unseen()),
      rivals_(tables_of_rivals(view)),
      to_go_(tables::to_go(view)),
      turns_(view.draw_count / static_cast<int>(view.sizes.size())),
      replays_(view.draw_count > 0 || view.rules.exhausted_safety_replays),
      stands_(stands_without_remedy()),
      finishes_(can_finish()) {}

bool Look::stands_without_remedy() const {
  return !table_.moving && std::ranges::none_of(tables::needs(table_), [this](Card card) {
    return card != Card::END_OF_LIMIT && holds(card);
  });
}

bool Look::can_finish() const {
  return std::ranges::any_of(table_.accepts,
                             [this](Card card) { return holds(card) && km(card) == to_go_; });
}

int Look::worth(const Action& action) const {
  const Card card = *action.card;
  if (action.verb == Verb::DISCARD) return -use(card, hand_[card]) - gift(card);
  if (action.team) return attack(card, *action.team);
  if (is_safety(card)) return expose(card);
  if (card == Card::END_OF_LIMIT) {
    return hand_.total(Card::D75, Card::D200) > 0 ? 700 : 300;  // km that wait for it
  }
  return is_remedy(card) ? 600 : drive(card);
}

// Far is good; leaving a distance that the hand can drive exactly is better.
int Look::drive(Card card) const {
  const int left = to_go_ - km(card);
  if (left == 0) return ENDS;
  if (left <= 200 && can_total(left, card)) return 650 + 2 * km(card);
  return left > 50 ? 500 + 2 * km(card) : -60;  // few cards help then; as it is, more do
}

// Whether distance cards in hand, less the one played, make exactly that.
bool Look::can_total(int total, Card played) const {
  std::vector<int> rest;
  for (const Card card : view_.cards()) {
    if (is_distance(card)) rest.push_back(km(card));
  }
  rest.erase(std::ranges::find(rest, km(played)));
  return can_make(rest, 0, MOST_AHEAD, total);
}

// The leader first; an attack that nobody can answer rather than one that may backfire.
int Look::attack(Card hazard, int team) const {
  const TableView& victim = view_.tables[team];
  int worth = hazard != Card::SPEED_LIMIT ? 2500 : victim.moving ? 600 : 300;
  if (hazard > Card::SPEED_LIMIT) worth += 200;  // a breakdown has one remedy only
  if (victim.km == std::ranges::max(rivals_, {}, &TableView::km).km) worth += 300;
  worth += victim.km / 10;
  if (unseen_[safety_for(hazard)] == 0) return worth + 200;
  return worth - 6000 / unseen_.total();  // a hand of six may hold it
}

// A safety waits for its attack, unless it is needed now or the hand is about to end.
int Look::expose(Card safety) const {
  const auto is_its = [safety](Card hazard) { return safety_for(hazard) == safety; };
  if (view_.rules.safety_km == to_go_) return ENDS;
  if (finishes_) return replays_ && view_.rules.safety_km == 0 ? ENDS + 1 : 0;  // 100 points more
  if (replays_ && view_.rules.family == Family::PLATEAU) return DRAWS;
  const bool frees = std::ranges::any_of(tables::hazards(table_), [&](Card hazard) {
    return is_its(hazard) && !holds(arena::remedy_for(hazard));
  });
  if (frees) return FREES;
  const bool is_expected = std::ranges::any_of(
      arena::HAZARDS, [&](Card hazard) { return is_its(hazard) && unseen_[hazard] > 0; });
  const bool is_near = std::ranges::any_of(rivals_, [this](const TableView& table) {
    return table.moving && view_.target - table.km <= NEARLY_THERE;
  });
  if (!is_expected || is_near || turns_ < FEW_TURNS) return LAST_CHANCE;
  const bool starts = stands_ && !tables::stopped_by(table_) && safety == Card::RIGHT_OF_WAY;
  return starts ? STARTS : HOLD;
}

int Look::keep(Card card) const { return keeps(view_.rules.family).at(number_of(card)); }

// What the last of so many copies of a card in hand is worth, from 0 up.
int Look::use(Card card, int copies) const {
  if (is_safety(card)) return 1000;
  if (is_distance(card)) return use_of_distance(card, copies);
  return is_hazard(card) ? use_of_hazard(card) : use_of_remedy(card, copies);
}

// Worth less for each card in hand that would be driven before it.
int Look::use_of_distance(Card card, int copies) const {
  if (km(card) > to_go_) return 0;
  const auto laid = static_cast<int>(std::ranges::count(table_.distance, Card::D200));
  const bool is_longest = card == Card::D200;
  if (is_longest && view_.rules.max_200 && laid + copies > *view_.rules.max_200) return 0;
  const bool safe_trip = view_.rules.is_scored() && laid == 0;  // 300 points, still to be had
  const int worth = is_longest && !safe_trip ? 200 : keep(card);
  int before = copies - 1;
  for (const Card longer : view_.cards()) {
    if (card < longer && is_distance(longer) && km(longer) <= to_go_) ++before;
  }
  return std::max(0, worth - 25 * before);
}

// Worth less for each hazard in hand beyond two, and nothing if nobody can suffer it.
int Look::use_of_hazard(Card hazard) const {
  const bool is_vain = std::ranges::all_of(
      rivals_, [hazard](const TableView& table) { return tables::is_immune(table, hazard); });
  if (is_vain) return 0;
  const int hazards = hand_.total(Card::RED_LIGHT, Card::ACCIDENT);
  return std::max(0, keep(hazard) - 50 * std::max(0, hazards - 2));
}

// One is enough; none is needed if a safety does it or no hazard is left.
int Look::use_of_remedy(Card remedy, int copies) const {
  const Card hazard = hazard_of(remedy);
  const Card safety = safety_for(hazard);
  if (holds(safety)) return safety == Card::RIGHT_OF_WAY ? 30 : 0;
  if (tables::is_immune(table_, hazard)) return 0;
  if (copies > still_needed(remedy, hazard)) return 0;
  if (copies > 1) return remedy == Card::GREEN_LIGHT ? 120 / copies : 5;
  return keep(remedy) + (has(tables::hazards(table_), hazard) ? 100 : 0);
}

// How often a remedy may be of use in this hand.
int Look::still_needed(Card remedy, Card hazard) const {
  int uses = unseen_[hazard] + (has(tables::hazards(table_), hazard) ? 1 : 0);
  if (remedy != Card::GREEN_LIGHT) return uses;
  if (!table_.moving) ++uses;
  if (view_.rules.family == Family::CLASSIC) {  // every breakdown needs one as well
    uses += unseen_.total(Card::OUT_OF_GAS, Card::ACCIDENT);
  }
  return uses;
}

// Express: what it costs to leave an open card that the next seat could play at once.
int Look::gift(Card card) const {
  if (view_.rules.family != Family::EXPRESS) return 0;
  const int next = (*view_.seat + 1) % static_cast<int>(view_.sizes.size());
  const int team = view_.seating.team_of[next];
  return team != view_.team() && has(view_.tables[team].accepts, card) ? 150 : 0;
}

bool Look::takes_open_card() const {
  const std::optional<Card> card = view_.discard_pile.back();
  if (!card) return false;
  if (is_safety(*card)) return true;
  int worth = use(*card, hand_[*card] + 1);
  if (has(table_.accepts, *card) && !(is_distance(*card) && holds(*card))) worth += 250;
  return worth > 220;
}

bool Look::should_extend() const {
  return turns_ >= 15 && std::ranges::all_of(rivals_, [](const TableView& table) {
           return table.km <= 200 && !table.moving;
         });
}
