// Plays any legal action. The same ARENA_BOT_SEED makes the same choices.
package main

import "millearena.example/arena"

// RandomBot is the weakest bot that there is: a measure for others.
type RandomBot struct{ arena.Base }

// Choose takes one of the legal actions, each as likely as the others.
func (b *RandomBot) Choose(prompt *arena.Prompt) arena.Action {
	return prompt.Legal[b.Rand().IntN(len(prompt.Legal))]
}

func main() { arena.Run(&RandomBot{}) }
