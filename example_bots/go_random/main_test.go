package main

import (
	"slices"
	"testing"

	"millearena.example/arena"
)

func TestChoosesAmongTheLegalActions(t *testing.T) {
	prompt := &arena.Prompt{Legal: []arena.Action{
		arena.MustParseAction("play D25"), arena.MustParseAction("discard D25"),
	}}
	bot, again := &RandomBot{}, &RandomBot{}
	seen := map[arena.Action]bool{}
	for range 50 {
		action := bot.Choose(prompt)
		seen[action] = true
		if !slices.Contains(prompt.Legal, action) || again.Choose(prompt) != action {
			t.Fatalf("%v is not legal, or not what the same seed gave before", action)
		}
	}
	if len(seen) != len(prompt.Legal) {
		t.Errorf("only %v in 50 times", seen)
	}
}
