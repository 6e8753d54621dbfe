package main

import "millearena.example/arena"

// keep is what the first copy of a card in hand is worth keeping; safeties are never thrown away.
var keep = map[arena.Family]arena.Counts{
	//                25, 50, 75, 100, 200, red, limit, gas, tire, crash, green, end, gas, tire, repairs
	arena.Classic: {arena.D25: 40, 80, 80, 110, 170, 220, 120, 260, 260, 260, 220, 160, 180, 180, 180},
	arena.Express: {arena.D25: 40, 80, 90, 130, 170, 130, 80, 90, 90, 90, 170, 110, 130, 130, 130},
	arena.Plateau: {arena.D25: 40, 80, 100, 130, 160, 160, 130, 260, 260, 260, 200, 120, 180, 180, 180},
}

// use is what the last of so many copies of a card in hand is worth, from 0 up.
func (l *look) use(card arena.Card, copies int) int {
	switch {
	case card.IsSafety():
		return 1000
	case card.IsDistance():
		return l.useOfDistance(card, copies)
	case card.IsHazard():
		return l.useOfHazard(card)
	}
	return l.useOfRemedy(card, copies)
}

// useOfHazard: nothing if all are immune, and less for each beyond two in hand.
func (l *look) useOfHazard(hazard arena.Card) int {
	for _, rival := range l.rivals {
		if !rival.IsImmune(hazard) {
			return max(0, keep[l.Rules.Family][hazard]-50*max(0, l.hazards-2))
		}
	}
	return 0
}

// useOfDistance: worth less for each card in hand that would be driven before it.
func (l *look) useOfDistance(card arena.Card, copies int) int {
	if card.KM() > l.toGo {
		return 0
	}
	laid := count(l.table.Distance, arena.D200)
	if most := l.Rules.Max200; card == arena.D200 && most != arena.Any && laid+copies > most {
		return 0
	}
	worth := keep[l.Rules.Family][card]
	safeTrip := l.Rules.IsScored() && laid == 0 // 300 points, still to be had
	if card == arena.D200 && !safeTrip {
		worth = 200
	}
	before := copies - 1
	for _, longer := range l.Cards {
		if longer.IsDistance() && longer > card && longer.KM() <= l.toGo {
			before++
		}
	}
	return max(0, worth-25*before)
}

// useOfRemedy: one is enough; none is needed if a safety does it or no hazard is left.
func (l *look) useOfRemedy(remedy arena.Card, copies int) int {
	hazard := remedy.Hazard()
	safety := hazard.Safety()
	if l.table.IsImmune(hazard) || l.Hand[safety] > 0 {
		if l.Hand[safety] > 0 && safety == arena.RightOfWay {
			return 30
		}
		return 0
	}
	inForce := count(l.table.Hazards(), hazard)
	uses := l.unseen[hazard] + inForce
	if remedy == arena.GreenLight {
		uses += l.greenLightsNeeded()
	}
	switch {
	case copies > uses:
		return 0
	case copies > 1 && remedy == arena.GreenLight:
		return 120 / copies
	case copies > 1:
		return 5
	}
	return keep[l.Rules.Family][remedy] + 100*inForce
}

// greenLightsNeeded: to start, and in the classic game after every breakdown that may come.
func (l *look) greenLightsNeeded() int {
	needed := 0
	if !l.table.Moving {
		needed++
	}
	if l.Rules.Family == arena.Classic {
		needed += l.unseen.Total(arena.OutOfGas, arena.FlatTire, arena.Accident)
	}
	return needed
}

func count(cards []arena.Card, kind arena.Card) int {
	found := 0
	for _, card := range cards {
		if card == kind {
			found++
		}
	}
	return found
}
