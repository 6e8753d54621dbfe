// __name__: gets the car going, drives as far as it can, else attacks.
package main

import "millearena.example/arena"

// __Class__ answers questions; what else it can be told stands at arena.Bot.
type __Class__ struct{ arena.Base }

// Choose answers one question with one of prompt.Legal.
func (b *__Class__) Choose(prompt *arena.Prompt) arena.Action {
	if coupFourre, ok := prompt.CoupFourre(); ok {
		return coupFourre // 300 points, and the turn
	}
	if remedies := prompt.Remedies(); len(remedies) > 0 {
		return remedies[0]
	}
	if drives := prompt.Drives(); len(drives) > 0 {
		return drives[len(drives)-1] // the longest
	}
	if attacks := prompt.Attacks(); len(attacks) > 0 {
		return attacks[0]
	}
	return prompt.Default // throws away the lowest card, but no safety
}

func main() { arena.Run(&__Class__{}) }
