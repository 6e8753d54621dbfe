// Everything that one seat may know about a hand.
#pragma once

#include <arena/card.hpp>
#include <arena/rules.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace arena {

// What a hand waits for.
enum class Stage : std::uint8_t { DRAW, PLAY, RESPOND, EXTEND, TOP, OVER };

// What goes on after an extension.
enum class Resume : std::uint8_t { END_TURN, AFTER_SAFETY, AFTER_COUP_FOURRE };

// Why a hand is over: a team reached the target; nobody has a card any more, or all distance cards
// have been played; nobody who has cards can play one.
enum class HandEnd : std::uint8_t { TARGET, EXHAUSTED, BLOCKED };

enum class EventKind : std::uint8_t {
  DRAWN,  // a card from the draw pile; only the drawer knows which
  TAKEN,  // the top card of the discard pile
  PLAYED,
  LAID,       // a hazard, on the table of `team`
  DISCARDED,  // face down in the classic game
  COUP_FOURRE,
  EXTENDED,
  STOPPED,
  TOPPED,      // the card put on top of the discard pile
  RESHUFFLED,  // the discard pile became the draw pile, because this seat had to draw
};

// One thing that happened.
struct Event {
  EventKind kind = EventKind::DRAWN;
  int seat = 0;              // who did it
  std::optional<Card> card;  // none if you may not know it, or if there is none
  std::optional<int> team;   // the team that a hazard was laid on

  // `seat 1: laid RED_LIGHT on 0`
  std::string text() const;

  friend bool operator==(const Event&, const Event&) = default;
};

using Events = std::vector<Event>;

// What lies before one team. Everybody sees it.
struct TableView {
  Cards battle;         // top last; in Plateau the token, if any
  Cards speed;          // likewise
  Cards distance;       // in the order in which they were played
  Cards safeties;       // exposed
  Cards coups_fourres;  // those of them that were exposed as a coup fourré
  int km = 0;           // travelled, `bonus_km` included
  int bonus_km = 0;     // gained by safeties (Express)
  bool started = false;
  bool moving = false;   // a distance card may be played now, limits aside
  bool limited = false;  // nothing above 50 km may be played
  Cards accepts;         // what the team may lay on it now, whatever it has in hand
  Cards suffers;         // the hazards that other teams may lay on it now

  friend bool operator==(const TableView&, const TableView&) = default;
};

// Everything that you may know about a hand. Seats and teams are numbered from 0.
struct View {
  std::optional<int> seat;  // yours; none in the view of the public
  Stage stage = Stage::PLAY;
  std::vector<int> asked;         // the seats that are asked, as far as you may know
  CardCounts hand;                // yours
  std::vector<int> sizes;         // cards in hand, by seat
  std::vector<TableView> tables;  // by team
  int draw_count = 0;             // cards in the draw pile
  // Top last; none where you may not know the card.
  std::vector<std::optional<Card>> discard_pile;
  int target = 1000;              // km that end the hand
  int turn = 0;                   // whose turn it is; in a response window still the attacker's
  std::optional<Card> attack;     // the hazard under response, or covered by a remedy (Stage::TOP)
  std::optional<int> attacked;    // the team under attack
  std::vector<CardCounts> known;  // Express: by seat, what everybody knows of each hand
  Events history;                 // since you were last asked, in this hand; oldest first
  int first_event = 0;            // the number of the first of them
  int event_count = 0;            // the number that the next one gets
  RuleSet rules;
  Seating seating;
  int dealer = 0;
  std::vector<int> scores;   // match points before this hand, by team
  std::vector<int> stripes;  // striped draw: cards left in each seat's own stripe
  int due = 0;               // Stage::DRAW: cards still to be drawn, this one included
  std::optional<Resume> resume;
  std::optional<int> extended_by;  // the team that extended the hand
  bool ran_out = false;            // the draw pile has run out at some time
  bool dry_start = false;          // it was empty when this turn began
  int idle = 0;                    // Express: turns without progress; -1 within such a turn
  int circling = 0;                // likewise, where only cards laid for good are progress
  bool fresh = false;              // after a reshuffle another one may come
  int reshuffled = 0;              // how often the discard pile has become the draw pile
  std::optional<HandEnd> reason;   // once it is over
  std::optional<int> winner;       // once it is over

  // Your cards, in deck order.
  Cards cards() const;

  // Your team; -1 for the public.
  int team() const { return seat ? seating.team_of.at(*seat) : -1; }

  // Your own table.
  const TableView& table() const { return tables.at(team()); }

  // How many of each card you cannot place: in other hands, in the draw pile, face down.
  CardCounts unseen() const;

  friend bool operator==(const View&, const View&) = default;
};

}  // namespace arena
