package arena

import (
	"fmt"
	"strconv"
	"strings"
)

// Verb is what kind of thing an action does.
type Verb uint8

const (
	VerbDraw       Verb = iota + 1 // take a card: from the draw pile, or the open one (Express)
	VerbPlay                       // lay a card on a table
	VerbDiscard                    // put a card on the discard pile
	VerbCoupFourre                 // answer an attack with its safety
	VerbPass                       // let the attack stand
	VerbExtend                     // go on to 1000 km
	VerbStop                       // end the hand at 700 km
	VerbTop                        // choose the card on top of the discard pile (Express)
)

var verbNames = [...]string{
	"none", "draw", "play", "discard", "coup_fourre", "pass", "extend", "stop", "top",
}

// String is the first word of the action in the notation, such as coup_fourre.
func (v Verb) String() string { return nameOf(verbNames[:], v) }

const (
	maxTeams = 4
	// NoTeam stands where there is no team: of an action that is no attack, of a hand without a
	// winner.
	NoTeam = -1
)

// Action is something that a seat can do. Actions are values: equal ones can be compared with ==
// and used as keys of maps. They come from Prompt.Legal and from ParseAction; the zero value is no
// action.
type Action struct {
	verb Verb
	card Card
	on   uint8 // the team that a hazard is laid on, plus 1
	open bool  // draw: the open card
}

var (
	drawPile = Action{verb: VerbDraw}
	drawOpen = Action{verb: VerbDraw, open: true}
	pass     = Action{verb: VerbPass}
)

// Verb is what the action does.
func (a Action) Verb() Verb { return a.verb }

// Card is the card that it does it with; NoCard for draw, pass, extend and stop.
func (a Action) Card() Card { return a.card }

// Team is the team that a hazard is laid on, else NoTeam.
func (a Action) Team() int { return int(a.on) - 1 }

// IsAttack tells whether the action lays a hazard on another team's table.
func (a Action) IsAttack() bool { return a.on > 0 }

// IsZero tells whether this is no action at all.
func (a Action) IsZero() bool { return a == Action{} }

// String is the action in the notation, such as "play RED_LIGHT on 1" or "draw pile".
func (a Action) String() string {
	switch {
	case a.IsZero():
		return "no action"
	case a == drawPile:
		return "draw pile"
	case a == drawOpen:
		return "draw discard"
	case a.on > 0:
		return fmt.Sprintf("%v %v on %d", a.verb, a.card, a.Team())
	case a.card != NoCard:
		return fmt.Sprintf("%v %v", a.verb, a.card)
	}
	return a.verb.String()
}

// exists tells whether the action is one of some rules; all others are nonsense.
func (a Action) exists() bool {
	if a.open && a.verb != VerbDraw || a.on > maxTeams {
		return false
	}
	if isAttack := a.verb == VerbPlay && a.card.IsHazard(); isAttack != a.IsAttack() {
		return false
	}
	switch a.verb {
	case VerbPlay, VerbDiscard:
		return D25 <= a.card && a.card <= DrivingAce
	case VerbCoupFourre:
		return a.card.IsSafety()
	case VerbTop:
		return a.card.IsHazard() || a.card.IsRemedy()
	case VerbDraw, VerbPass, VerbExtend, VerbStop:
		return a.card == NoCard
	}
	return false
}

// ParseAction returns the action that a text names in the notation.
func ParseAction(text string) (Action, error) {
	action := parse(strings.Split(text, " "))
	if action.String() != text || !action.exists() {
		return Action{}, fmt.Errorf(
			"unknown action %q; actions are written like \"discard D25\" or \"play RED_LIGHT on 1\"",
			text)
	}
	return action, nil
}

// MustParseAction is ParseAction for texts that are known to be right; for others it panics.
func MustParseAction(text string) Action {
	action, err := ParseAction(text)
	if err != nil {
		panic("arena: " + err.Error())
	}
	return action
}

// parse reads what there is to read; whether it was all of the words, String tells.
func parse(words []string) Action {
	action := Action{verb: Verb(indexOf(verbNames[:], words[0]))}
	if len(words) < 2 {
		return action
	}
	if action.verb == VerbDraw {
		action.open = words[1] == "discard"
		return action
	}
	action.card = Card(indexOf(cardNames[:], words[1]))
	if len(words) == 4 {
		if team, err := strconv.Atoi(words[3]); err == nil && 0 <= team && team < maxTeams {
			action.on = uint8(team + 1)
		}
	}
	return action
}

// indexOf is the place of a name, 0 if it is not there: in closed sets that is nothing.
func indexOf(names []string, name string) int {
	for at, one := range names {
		if one == name {
			return at
		}
	}
	return 0
}

func itoa(number int) string { return strconv.Itoa(number) }
