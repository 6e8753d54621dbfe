package arena

import (
	"slices"
	"time"
)

// Prompt is one question, with everything that the seat may know.
type Prompt struct {
	View      *View
	Legal     []Action      // at least one: plays in deck order, attacks, discards
	Default   Action        // what is played if no answer comes in time
	TimeLimit time.Duration // what the answer may take for free; for a response, at all
	BankLeft  time.Duration // from which comes what takes longer; a response has none
	Game      int           // number of this game, from 0
	Hand      int           // number of this hand in the game, from 0
	Arrived   time.Time     // when the prompt came
}

// Kind is what is asked: StageDraw, StagePlay, StageRespond, StageExtend or StageTop.
func (p *Prompt) Kind() Stage { return p.View.Stage }

// HasChoice tells whether the bot is asked: not if it can only pass.
func (p *Prompt) HasChoice() bool { return len(p.Legal) != 1 || p.Legal[0] != pass }

// TimeLeft is how long it is until the answer is late, by this machine's clock; 0 when it is. A
// courtesy: the referee's own clock decides, and it began a little earlier.
func (p *Prompt) TimeLeft() time.Duration {
	if p.Kind() == StageRespond {
		return p.FreeTimeLeft()
	}
	return p.left(p.TimeLimit + p.BankLeft)
}

// FreeTimeLeft is how long it is until the answer costs something.
func (p *Prompt) FreeTimeLeft() time.Duration { return p.left(p.TimeLimit) }

func (p *Prompt) left(limit time.Duration) time.Duration {
	return max(0, limit-time.Since(p.Arrived))
}

// Drives are the distance cards that can be played, shortest first.
func (p *Prompt) Drives() []Action { return p.playsOf(Card.IsDistance) }

// Remedies are the remedies that can be played.
func (p *Prompt) Remedies() []Action { return p.playsOf(Card.IsRemedy) }

// Safeties are the safeties that can be played.
func (p *Prompt) Safeties() []Action { return p.playsOf(Card.IsSafety) }

// Plays are the cards that can be laid on one's own table: the three above.
func (p *Prompt) Plays() []Action {
	return p.playsOf(func(card Card) bool { return !card.IsHazard() })
}

// Attacks are the hazards that can be laid on others; each says on which team.
func (p *Prompt) Attacks() []Action { return p.those(Action.IsAttack) }

// Discards are the cards that can be thrown away.
func (p *Prompt) Discards() []Action {
	return p.those(func(one Action) bool { return one.verb == VerbDiscard })
}

// CoupFourre is the coup fourré that answers the attack, if one can be played.
func (p *Prompt) CoupFourre() (Action, bool) {
	return p.first(func(one Action) bool { return one.verb == VerbCoupFourre })
}

// Find is the legal action of that text, such as "draw discard", if it is legal now.
func (p *Prompt) Find(text string) (Action, bool) {
	return p.first(func(one Action) bool { return one.String() == text })
}

func (p *Prompt) playsOf(kind func(Card) bool) []Action {
	return p.those(func(one Action) bool { return one.verb == VerbPlay && kind(one.card) })
}

func (p *Prompt) those(what func(Action) bool) []Action {
	var actions []Action
	for _, one := range p.Legal {
		if what(one) {
			actions = append(actions, one)
		}
	}
	return actions
}

func (p *Prompt) first(what func(Action) bool) (Action, bool) {
	if at := slices.IndexFunc(p.Legal, what); at >= 0 {
		return p.Legal[at], true
	}
	return Action{}, false
}
