package arena

import "slices"

// Table is what lies before one team. Piles have their top card last.
type Table struct {
	Battle       []Card // in Plateau the token, if any
	Speed        []Card // in Plateau the token, if any
	Distance     []Card // in the order in which they were played
	Safeties     []Card // those exposed
	CoupsFourres []Card // those of them that were exposed as a coup fourré
	KM           int    // bonus included
	BonusKM      int    // gained by safeties (Express)
	Started      bool
	Moving       bool   // the team may play a distance card now, limits aside
	Limited      bool   // nothing above 50 km
	Accepts      []Card // what its own team could lay on it now, if it had it
	Suffers      []Card // the hazards that other teams could lay on it now
}

// StoppedBy is the hazard that keeps the car from driving, NoCard if none does. A car may stand
// without: it waits for a Green Light then (see Needs), and Moving is false.
func (t *Table) StoppedBy() Card {
	if top := Top(t.Battle); top.IsHazard() && !t.IsImmune(top) {
		return top
	}
	return NoCard
}

// Hazards are the hazards in force: the one that stops the car, and a speed limit.
func (t *Table) Hazards() []Card {
	var hazards []Card
	if stop := t.StoppedBy(); stop != NoCard {
		hazards = append(hazards, stop)
	}
	if t.Limited {
		hazards = append(hazards, SpeedLimit)
	}
	return hazards
}

// Needs are the remedies that would help now, in deck order; none if nothing is wrong.
func (t *Table) Needs() []Card {
	var remedies []Card
	for _, card := range t.Accepts {
		if card.IsRemedy() {
			remedies = append(remedies, card)
		}
	}
	return remedies
}

// CanTake tells whether its own team could lay a card on it now, if it had it.
func (t *Table) CanTake(card Card) bool { return slices.Contains(t.Accepts, card) }

// IsImmune tells whether an exposed safety protects it from a hazard for the rest of the hand.
func (t *Table) IsImmune(hazard Card) bool {
	return hazard.IsHazard() && slices.Contains(t.Safeties, hazard.Safety())
}

// Top is the top card of a pile, NoCard of an empty one.
func Top(pile []Card) Card {
	if len(pile) == 0 {
		return NoCard
	}
	return pile[len(pile)-1]
}
