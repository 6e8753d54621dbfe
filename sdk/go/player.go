package arena

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// player decides when a bot is asked and told what: the library without a wire.
//
// A prompt brings the events since the one before it. Those of prompts that the bot never sees are
// kept and put in front of the next prompt's, so that View.Events holds everything since the bot was
// last asked.
type player struct {
	bot         Bot
	notes       *notes
	failures    *failures
	log         io.Writer
	givesOrders bool
	heardOf     bool // of any hand, and then of this one:
	game, hand  int
	kept        *keptEvents
	newer       int
	lastNewer   string
}

// keptEvents are events of one hand that the bot has not been shown.
type keptEvents struct {
	game, hand, first int
	events            []Event
}

func newPlayer(bot Bot, log io.Writer, strict bool) *player {
	p := &player{bot: bot, notes: &notes{}, failures: newFailures(log, strict), log: log}
	bot.base().notes = p.notes // the other half of Base.Note
	return p
}

// -- questions ---------------------------------------------------------------------------------

// answer is what the bot does; pass, at once and without asking it, if that is all it can.
func (p *player) answer(prompt *Prompt) Action {
	if !prompt.HasChoice() {
		p.skip(prompt)
		return pass
	}
	p.bringKept(prompt)
	p.enter(prompt.Game, prompt.Hand)
	p.show(prompt.View.Events)
	return p.ask(prompt)
}

// skip leaves a prompt unasked, but keeps its events.
func (p *player) skip(prompt *Prompt) {
	p.bringKept(prompt)
	p.kept = &keptEvents{prompt.Game, prompt.Hand, prompt.View.FirstEvent, prompt.View.Events}
}

// orders are the hazards that the bot wants answered after its answer to a prompt: none where
// windows are not run so, or if it fails to say.
func (p *player) orders(prompt *Prompt) []Card {
	if !p.givesOrders {
		return nil
	}
	var orders []Card
	if !p.failures.guard("StandingOrders", func() { orders = p.bot.StandingOrders(prompt) }) {
		return nil
	}
	orders = slices.Clone(orders)
	slices.Sort(orders)
	for _, card := range orders {
		if !card.IsHazard() { // whoever names a safety has misunderstood something
			cause := fmt.Sprintf("StandingOrders returned %v, which is no hazard", card)
			p.failures.take("StandingOrders", cause, "")
			return nil
		}
	}
	return slices.Compact(orders)
}

func (p *player) ask(prompt *Prompt) Action {
	var action Action
	method := "Choose"
	if prompt.Kind() == StageRespond {
		if !p.failures.guard("Respond", func() { action = p.bot.Respond(prompt) }) {
			return prompt.Default
		}
	}
	if action.IsZero() {
		if !p.failures.guard(method, func() { action = p.bot.Choose(prompt) }) {
			return prompt.Default
		}
	}
	if action.IsZero() {
		p.failures.take(method, "Choose returned the zero Action, which is no action", "")
		return prompt.Default
	}
	return action
}

// -- news --------------------------------------------------------------------------------------

func (p *player) welcome(welcome *Welcome) {
	p.showKept()
	p.notes.allow(welcome.Faults)
	p.givesOrders = welcome.WindowMode == WindowStanding
	p.failures.guard("GameStarted", func() { p.bot.GameStarted(welcome) })
}

func (p *player) rejected(rejection *Rejection) {
	p.failures.guard("Rejected", func() { p.bot.Rejected(rejection) })
}

func (p *player) handOver(result *HandResult) {
	p.showKept()
	p.enter(result.Game, result.Hand)
	p.show(result.Events)
	p.failures.guard("HandOver", func() { p.bot.HandOver(result) })
}

func (p *player) matchOver(result *MatchResult) {
	p.showKept()
	p.failures.guard("MatchOver", func() { p.bot.MatchOver(result) })
}

// passedOver counts what is newer than this library; a prompt among it got the default.
func (p *player) passedOver(why string) {
	p.newer++
	p.lastNewer = why
}

// report says in one line what went wrong, if anything did. Before it stand the notes that no answer
// has taken along.
func (p *player) report() {
	for _, text := range p.notes.take() {
		fmt.Fprintln(p.log, text)
	}
	phrases := p.failures.summary()
	if dropped := p.notes.dropped; dropped > 0 {
		phrases = append(phrases,
			fmt.Sprintf("%s dropped, %d fit an answer", soMany(dropped, "note"), p.notes.most))
	}
	if p.newer > 0 {
		phrases = append(phrases, fmt.Sprintf("%s newer than this SDK passed over (last: %s)",
			soMany(p.newer, "message"), p.lastNewer))
	}
	if len(phrases) > 0 {
		fmt.Fprintf(p.log, "arena_sdk: %s\n", strings.Join(phrases, "; "))
	}
}

// -- inside ------------------------------------------------------------------------------------

// enter tells the bot of a hand that it has not heard of.
func (p *player) enter(game, hand int) {
	if p.heardOf && p.game == game && p.hand == hand {
		return
	}
	p.heardOf, p.game, p.hand = true, game, hand
	p.failures.guard("HandStarted", func() { p.bot.HandStarted(game, hand) })
}

func (p *player) show(events []Event) {
	if len(events) > 0 {
		p.failures.guard("Saw", func() { p.bot.Saw(events) })
	}
}

// bringKept puts the events that the bot has missed in this hand in front of the prompt's.
func (p *player) bringKept(prompt *Prompt) {
	kept := p.kept
	if kept == nil {
		return
	}
	if kept.game != prompt.Game || kept.hand != prompt.Hand {
		p.showKept()
		return
	}
	p.kept = nil
	prompt.View.FirstEvent = kept.first
	prompt.View.Events = slices.Concat(kept.events, prompt.View.Events)
}

// showKept shows what is left of a hand in which the bot was not asked again.
func (p *player) showKept() {
	kept := p.kept
	p.kept = nil
	if kept != nil {
		p.enter(kept.game, kept.hand)
		p.show(kept.events)
	}
}
