package main

import (
	"testing"

	"millearena.example/arena"
)

// Whether it decides as the keeper in Python does, in thousands of positions, is for the arena's own
// tests. Here: one position of each kind.

// position is a view for seat 0 against one rival, both of which drive.
func position(stage arena.Stage, hand ...arena.Card) *arena.View {
	table := arena.Table{
		Battle: []arena.Card{arena.GreenLight}, Moving: true, Started: true,
		Accepts: []arena.Card{arena.D25, arena.D50, arena.D75, arena.D100, arena.D200},
	}
	view := &arena.View{
		Stage: stage, Cards: hand, Sizes: []int{len(hand), 6}, Target: 1000, DrawCount: 60,
		Tables: []arena.Table{table, table}, Teams: [][]int{{0}, {1}},
		Rules: arena.RuleSet{Family: arena.Classic, Max200: 2},
	}
	for _, card := range hand {
		view.Hand[card]++
	}
	return view
}

func ask(view *arena.View, legal ...string) string {
	prompt := &arena.Prompt{View: view}
	for _, text := range legal {
		prompt.Legal = append(prompt.Legal, arena.MustParseAction(text))
	}
	prompt.Default = prompt.Legal[0]
	return (&KeeperBot{}).Choose(prompt).String()
}

func TestChoose(t *testing.T) {
	last := position(arena.StagePlay, arena.D25, arena.D200, arena.RedLight)
	last.Tables[0].KM = 975
	ahead := position(arena.StageExtend)
	ahead.Tables[1].KM, ahead.Tables[1].Moving = 200, false
	for _, one := range []struct {
		name  string
		view  *arena.View
		legal []string
		want  string
	}{
		{"attacks rather than drives", position(arena.StagePlay, arena.D200, arena.RedLight),
			[]string{"play D200", "play RED_LIGHT on 1", "discard D200"}, "play RED_LIGHT on 1"},
		{"ends the hand rather than attack", last,
			[]string{"play D25", "play RED_LIGHT on 1", "discard D200"}, "play D25"},
		{"keeps a safety for its attack", position(arena.StagePlay, arena.D25, arena.ExtraTank),
			[]string{"play EXTRA_TANK", "discard D25"}, "discard D25"},
		{"answers an attack", position(arena.StageRespond, arena.ExtraTank),
			[]string{"pass", "coup_fourre EXTRA_TANK"}, "coup_fourre EXTRA_TANK"},
		{"extends far ahead", ahead, []string{"extend", "stop"}, "extend"},
		{"else stops", position(arena.StageExtend), []string{"extend", "stop"}, "stop"},
		{"leaves the remedy on top", position(arena.StageTop),
			[]string{"top GASOLINE", "top OUT_OF_GAS"}, "top GASOLINE"},
	} {
		if got := ask(one.view, one.legal...); got != one.want {
			t.Errorf("%s: %s, not %s", one.name, got, one.want)
		}
	}
}
