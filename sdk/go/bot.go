// Package arena is for bots that play Mille Bornes in a Mille Arena.
//
// A bot is a struct that embeds Base and has a method Choose, which answers a question with one of
// prompt.Legal. Run is its whole life as a program:
//
//	type HastyBot struct{ arena.Base }
//
//	func (b *HastyBot) Choose(prompt *arena.Prompt) arena.Action {
//		if drives := prompt.Drives(); len(drives) > 0 {
//			return drives[len(drives)-1]
//		}
//		return prompt.Default
//	}
//
//	func main() { arena.Run(&HastyBot{}) }
package arena

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
)

// Bot is a player. Embed Base, write Choose, and hand a pointer to Run.
//
// One process plays one stream of games, and is asked and told things one after the other, in one
// goroutine, in the order in which they happened:
//
//	GameStarted                    for each game
//	    HandStarted                for each hand
//	        Saw                    what has happened, before each question
//	        Choose, Respond        a question
//	        StandingOrders         only where response windows are run so
//	        Rejected               what was played for you instead
//	    HandOver
//	MatchOver
//
// All but Choose have defaults in Base. A method that panics does not end the match: the trace goes
// to standard error, which is your log, and for a question prompt.Default is played. That does not
// hold for goroutines of your own, nor for what Go itself cannot recover from. All of it runs on
// your own time.
type Bot interface {
	// Choose answers a prompt with one of prompt.Legal.
	Choose(prompt *Prompt) Action

	// Respond answers an attack: with the coup fourré, or pass. Asked only if this seat holds the
	// safety; otherwise the library passes, at once. The zero Action lets Choose be asked.
	Respond(prompt *Prompt) Action

	// StandingOrders are the hazards to answer with a coup fourré until the next answer, where
	// nobody is asked (welcome.WindowMode is WindowStanding). By default all those whose safety is
	// in hand.
	StandingOrders(prompt *Prompt) []Card

	// GameStarted: a game begins.
	GameStarted(welcome *Welcome)

	// HandStarted: the first that you hear of a hand; others may have played in it already.
	HandStarted(game, hand int)

	// Saw tells what has happened in this hand since the last time, oldest first: every event that
	// your seat may know, each once, those of windows in which you were not asked included.
	Saw(events []Event)

	// Rejected: the default action was played for you, as an answer was late or not legal.
	Rejected(rejection *Rejection)

	// HandOver: a hand has ended.
	HandOver(result *HandResult)

	// MatchOver: it is over; the process ends after this.
	MatchOver(result *MatchResult)

	base() *Base
}

// Base is what every bot embeds: the default of each method but Choose, notes, and chance.
type Base struct {
	Name    string // what the bot calls itself in logs; by default the name of its type
	Version string // for logs

	notes *notes
	rng   *rand.Rand
}

func (b *Base) base() *Base { return b }

// Respond leaves it to Choose.
func (*Base) Respond(*Prompt) Action { return Action{} }

// StandingOrders are the hazards whose safety is in hand.
func (*Base) StandingOrders(prompt *Prompt) []Card {
	var orders []Card
	for _, hazard := range Hazards() {
		if prompt.View.Hand[hazard.Safety()] > 0 {
			orders = append(orders, hazard)
		}
	}
	return orders
}

// GameStarted does nothing.
func (*Base) GameStarted(*Welcome) {}

// HandStarted does nothing.
func (*Base) HandStarted(int, int) {}

// Saw does nothing.
func (*Base) Saw([]Event) {}

// Rejected does nothing.
func (*Base) Rejected(*Rejection) {}

// HandOver does nothing.
func (*Base) HandOver(*HandResult) {}

// MatchOver does nothing.
func (*Base) MatchOver(*MatchResult) {}

// Note writes a line to your log; no other seat sees it. It goes along with the next answer.
//
// A referee takes welcome.Faults.NoteBytes of a note, and with each answer one note less than
// welcome.Faults.MessagesPerPrompt; what is longer is cut, further ones are dropped and counted.
func (b *Base) Note(text string) {
	if b.notes == nil { // nobody plays with this bot; where a note would go in the end
		fmt.Fprintln(os.Stderr, text)
		return
	}
	b.notes.add(text)
}

// Notef notes what fmt.Sprintf makes of a format.
func (b *Base) Notef(format string, values ...any) { b.Note(fmt.Sprintf(format, values...)) }

// Rand is chance of your own: from ARENA_BOT_SEED, so that a match can be repeated. Outside a match
// there is no such seed: it is always the same chance then, so that a test repeats itself.
func (b *Base) Rand() *rand.Rand {
	if b.rng == nil {
		seed, ok := os.LookupEnv("ARENA_BOT_SEED")
		if !ok {
			seed = "arena_sdk"
		}
		b.rng = rand.New(rand.NewChaCha8(sha256.Sum256([]byte(seed))))
	}
	return b.rng
}
