package main

import (
	"testing"

	"millearena.example/arena"
)

// ask is what the bot does when it can do just that; the last action is the default.
func ask(stage arena.Stage, legal ...string) string {
	prompt := &arena.Prompt{View: &arena.View{Stage: stage}}
	for _, text := range legal {
		prompt.Legal = append(prompt.Legal, arena.MustParseAction(text))
	}
	prompt.Default = prompt.Legal[len(legal)-1]
	return (&__Class__{}).Choose(prompt).String()
}

func TestChoose(t *testing.T) {
	for _, one := range []struct {
		name  string
		stage arena.Stage
		legal []string
		want  string
	}{
		{"answers an attack", arena.StageRespond,
			[]string{"coup_fourre EXTRA_TANK", "pass"}, "coup_fourre EXTRA_TANK"},
		{"gets going before all else", arena.StagePlay,
			[]string{"play GREEN_LIGHT", "play FLAT_TIRE on 1", "discard D25"}, "play GREEN_LIGHT"},
		{"drives as far as it can", arena.StagePlay,
			[]string{"play D25", "play D100", "play RED_LIGHT on 1", "discard D25"}, "play D100"},
		{"attacks when it cannot drive", arena.StagePlay,
			[]string{"play RED_LIGHT on 1", "discard RED_LIGHT"}, "play RED_LIGHT on 1"},
		{"else throws a card away", arena.StagePlay,
			[]string{"discard D200", "discard D25"}, "discard D25"},
	} {
		if got := ask(one.stage, one.legal...); got != one.want {
			t.Errorf("%s: %s, not %s", one.name, got, one.want)
		}
	}
}
