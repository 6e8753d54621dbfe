// What lies on the tables, in words. Every function looks at a view or at one table of it.
#pragma once

#include <arena/view.hpp>
#include <optional>
#include <vector>

namespace arena::tables {

// The other teams.
std::vector<int> rivals(const View& view);

// Kilometres that a team has still to drive; without `team`, your own.
int to_go(const View& view);
int to_go(const View& view, int team);

// The hazard that keeps a car from driving, if one does. It may stand without: then it waits for a
// Green Light (see `needs`), and `table.moving` is false.
std::optional<Card> stopped_by(const TableView& table);

// The hazards in force: the one that stops the car, and a speed limit.
Cards hazards(const TableView& table);

// The remedies that would help now, in deck order; none if nothing is wrong.
Cards needs(const TableView& table);

// Every card that its own team could play on it now, if it had it.
inline const Cards& accepts(const TableView& table) { return table.accepts; }

// The hazards that other teams could lay on it now.
inline const Cards& suffers(const TableView& table) { return table.suffers; }

// The safeties exposed.
inline const Cards& safeties(const TableView& table) { return table.safeties; }

// Whether an exposed safety protects it from a hazard for the rest of the hand.
bool is_immune(const TableView& table, Card hazard);

// The top card of a pile, such as `table.speed`.
std::optional<Card> top(const Cards& pile);

}  // namespace arena::tables
