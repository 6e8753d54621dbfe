// Keeps safeties for the coup fourré, counts cards, and knows what each card in hand is worth.
//
// Every action gets a whole number, and the highest is played; the first of equals in the order of
// prompt.Legal. There is no chance in it and no memory: the same view always gives the same answer.
// The scale: 100,000 ends the hand; 2,500 stops an opponent; 500 to 700 is an ordinary move; below 0
// are discards, the more useful the card the lower. The numbers come from playing many boards.
package main

import (
	"slices"

	"millearena.example/arena"
)

// KeeperBot plays by what it thinks of a view.
type KeeperBot struct{ arena.Base }

// Choose answers every kind of question.
func (b *KeeperBot) Choose(prompt *arena.Prompt) arena.Action {
	look := newLook(prompt.View)
	switch prompt.Kind() {
	case arena.StageRespond:
		if coupFourre, ok := prompt.CoupFourre(); ok {
			return coupFourre
		}
	case arena.StageDraw: // draw pile, draw discard
		return prompt.Legal[which(look.takesOpenCard())]
	case arena.StagePlay:
		return best(prompt.Legal, look.worth)
	case arena.StageExtend: // extend, stop
		return prompt.Legal[which(!look.shouldExtend())]
	}
	return prompt.Default // the remedy goes on top
}

func which(second bool) int {
	if second {
		return 1
	}
	return 0
}

func best(actions []arena.Action, worth func(arena.Action) int) arena.Action {
	chosen, most := actions[0], worth(actions[0])
	for _, action := range actions[1:] {
		if value := worth(action); value > most {
			chosen, most = action, value
		}
	}
	return chosen
}

// look is a view, and what this bot thinks of it.
type look struct {
	*arena.View
	table    *arena.Table
	unseen   arena.Counts // cards in other hands, in the pile, face down
	toGo     int
	rivals   []*arena.Table
	turns    int  // left to each seat before the draw pile is out
	replays  bool // a safety gives another play
	hazards  int  // in hand
	stands   bool // the car waits for a remedy that is not in hand
	finishes bool // a card in hand ends the hand
}

func newLook(view *arena.View) *look {
	l := &look{
		View:    view,
		table:   view.Table(),
		unseen:  view.Unseen(),
		toGo:    view.ToGo(),
		turns:   view.DrawCount / len(view.Sizes),
		replays: view.DrawCount > 0 || view.Rules.ExhaustedSafetyReplays,
		hazards: view.Hand.Total(arena.Hazards()...),
	}
	for _, team := range view.Rivals() {
		l.rivals = append(l.rivals, &view.Tables[team])
	}
	l.stands = !l.table.Moving && !slices.ContainsFunc(l.table.Needs(), func(card arena.Card) bool {
		return l.Hand[card] > 0 && card != arena.EndOfLimit
	})
	l.finishes = slices.ContainsFunc(l.table.Accepts, func(card arena.Card) bool {
		return l.Hand[card] > 0 && card.KM() == l.toGo
	})
	return l
}

func (l *look) worth(action arena.Action) int {
	card := action.Card()
	switch {
	case action.Verb() == arena.VerbDiscard:
		return -l.use(card, l.Hand[card]) - l.gift(card)
	case action.IsAttack():
		return l.attack(card, action.Team())
	case card.IsSafety():
		return l.expose(card)
	case card == arena.EndOfLimit:
		if l.Hand.Total(arena.D75, arena.D100, arena.D200) > 0 { // km that wait for it
			return 700
		}
		return 300
	case card.IsRemedy():
		return 600
	}
	return l.drive(card)
}

// drive: far is good; leaving a distance that the hand can drive exactly is better.
func (l *look) drive(card arena.Card) int {
	left := l.toGo - card.KM()
	switch {
	case left == 0:
		return 100_000
	case left <= 200 && l.canTotal(left, card):
		return 650 + 2*card.KM()
	case left > 50:
		return 500 + 2*card.KM()
	}
	return -60 // few cards help then; as it is, more do
}

// canTotal tells whether one to four distance cards in hand, less the one played, make exactly that.
func (l *look) canTotal(total int, played arena.Card) bool {
	var rest []int
	for _, card := range l.Cards {
		if card.IsDistance() {
			rest = append(rest, card.KM())
		}
	}
	at := slices.Index(rest, played.KM())
	return makes(total, slices.Delete(rest, at, at+1), 4)
}

func makes(total int, distances []int, most int) bool {
	if total == 0 {
		return true
	}
	if most == 0 {
		return false
	}
	for at, km := range distances {
		if km <= total && makes(total-km, distances[at+1:], most-1) {
			return true
		}
	}
	return false
}

// attack: the leader first; an attack that nobody can answer rather than one that may backfire.
func (l *look) attack(hazard arena.Card, team int) int {
	victim := &l.Tables[team]
	worth := 2500
	if hazard == arena.SpeedLimit {
		worth = 300
		if victim.Moving {
			worth = 600
		}
	}
	if hazard > arena.SpeedLimit {
		worth += 200 // a breakdown has one remedy only, a Red Light many
	}
	if !slices.ContainsFunc(l.rivals, func(rival *arena.Table) bool { return rival.KM > victim.KM }) {
		worth += 300
	}
	worth += victim.KM / 10
	if l.unseen[hazard.Safety()] > 0 {
		return worth - 6000/l.unseen.Total() // a hand of six may hold it
	}
	return worth + 200
}

const (
	frees      = 1800 // a safety against a hazard in force whose remedy is not in hand
	starts     = 1500 // Right of Way, where the car waits for a Green Light that is not in hand
	lastChance = 2400 // a safety that will hardly see its attack any more
	draws      = 4000 // Plateau, where a coup fourré makes no points: better the card drawn at once
	hold       = -900 // a safety that waits: better to throw away anything but a safety

	nearlyThere = 200 // km: a rival that rolls may end the hand before the safety is used
	fewTurns    = 2   // left to each seat before the draw pile is out
)

// expose: a safety waits for its attack, unless it is needed now or the hand is about to end.
func (l *look) expose(safety arena.Card) int {
	switch {
	case l.Rules.SafetyKM == l.toGo:
		return 100_000
	case l.finishes && l.replays && l.Rules.SafetyKM == 0:
		return 100_001 // 100 points more
	case l.finishes:
		return 0
	case l.replays && l.Rules.Family == arena.Plateau:
		return draws
	case l.freesUs(safety):
		return frees
	case l.attacksLeft(safety) == 0, l.rivalIsNear(), l.turns < fewTurns:
		return lastChance
	case l.stands && l.table.StoppedBy() == arena.NoCard && safety == arena.RightOfWay:
		return starts
	}
	return hold
}

// freesUs tells whether a safety undoes a hazard in force whose remedy is not in hand.
func (l *look) freesUs(safety arena.Card) bool {
	return slices.ContainsFunc(l.table.Hazards(), func(hazard arena.Card) bool {
		return hazard.Safety() == safety && l.Hand[hazard.Remedy()] == 0
	})
}

// attacksLeft is how many attacks that a safety answers may still come.
func (l *look) attacksLeft(safety arena.Card) int {
	left := 0
	for _, hazard := range arena.Hazards() {
		if hazard.Safety() == safety {
			left += l.unseen[hazard]
		}
	}
	return left
}

func (l *look) rivalIsNear() bool {
	return slices.ContainsFunc(l.rivals, func(rival *arena.Table) bool {
		return rival.Moving && l.Target-rival.KM <= nearlyThere
	})
}

// gift: Express: what it costs to leave an open card that the next seat could play at once.
func (l *look) gift(card arena.Card) int {
	team := l.TeamOf((l.Seat + 1) % len(l.Sizes))
	if l.Rules.Family == arena.Express && team != l.Team && l.Tables[team].CanTake(card) {
		return 150
	}
	return 0
}

// takesOpenCard tells whether the open card is better than an unknown one.
func (l *look) takesOpenCard() bool {
	card := arena.Top(l.DiscardPile)
	if card == arena.Hidden || card.IsSafety() {
		return card != arena.Hidden
	}
	worth := l.use(card, l.Hand[card]+1)
	if l.table.CanTake(card) && !(card.IsDistance() && l.Hand[card] > 0) {
		worth += 250
	}
	return worth > 220
}

// shouldExtend: 300 km more only far ahead, with half of the cards still to come.
func (l *look) shouldExtend() bool {
	return l.turns >= 15 && !slices.ContainsFunc(l.rivals, func(rival *arena.Table) bool {
		return rival.KM > 200 || rival.Moving
	})
}

func main() { arena.Run(&KeeperBot{}) }
