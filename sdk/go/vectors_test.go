package arena

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	pb "millearena.example/arena/internal/millearenapb"
)

// cases are those of a file of ../vectors, by name.
func cases[Case any](t *testing.T, file string) []Case {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	var found []Case
	if err := json.Unmarshal(content, &found); err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("%s has no case", file)
	}
	return found
}

func decode(t *testing.T, digits string, to proto.Message) {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err == nil {
		err = proto.Unmarshal(raw, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func encode(t *testing.T, message proto.Message) string {
	t.Helper()
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(raw)
}

func TestVectorsOfMessages(t *testing.T) {
	for _, one := range cases[struct {
		Name, Type, Hex string
		JSON            json.RawMessage
	}](t, "messages.json") {
		t.Run(one.Name, func(t *testing.T) {
			fresh := func() proto.Message {
				if one.Type == "PlayRequest" {
					return &pb.PlayRequest{}
				}
				return &pb.PlayResponse{}
			}
			message, said, again := fresh(), fresh(), fresh()
			decode(t, one.Hex, message)
			if err := protojson.Unmarshal(one.JSON, said); err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(message, said) {
				t.Errorf("decoded: %v, not %v", message, said)
			}
			decode(t, encode(t, said), again)
			if !proto.Equal(again, message) {
				t.Errorf("encoded and decoded: %v, not %v", again, message)
			}
		})
	}
}

func TestVectorsOfPrompts(t *testing.T) {
	for _, one := range cases[struct {
		Name, Hex string
		Expect    map[string]any
	}](t, "prompts.json") {
		t.Run(one.Name, func(t *testing.T) {
			prompt := promptOf(t, one.Hex)
			compare(t, "prompt", inWords(t, prompt), one.Expect)
		})
	}
}

func promptOf(t *testing.T, digits string) *Prompt {
	t.Helper()
	var message pb.PlayResponse
	decode(t, digits, &message)
	prompt, err := promptFrom(message.GetPrompt(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return prompt
}

// compare holds values against what is expected, each by itself.
func compare(t *testing.T, what string, got, want any) {
	t.Helper()
	expected, isMap := want.(map[string]any)
	if !isMap {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
		return
	}
	found := got.(map[string]any)
	if len(found) != len(expected) {
		t.Errorf("%s: %d values, not %d", what, len(found), len(expected))
	}
	for name, value := range expected {
		compare(t, what+"."+name, found[name], value)
	}
}

// inWords is a prompt as the vectors write it.
func inWords(t *testing.T, p *Prompt) map[string]any {
	v := p.View
	coupFourre, _ := p.CoupFourre()
	toGo := []int{}
	tables := []any{}
	for team := range v.Tables {
		toGo = append(toGo, v.ToGoOf(team))
		tables = append(tables, tableInWords(&v.Tables[team]))
	}
	if v.ToGo() != toGo[v.Team] {
		t.Errorf("ToGo: %d, not %d", v.ToGo(), toGo[v.Team])
	}
	history := []any{}
	for _, event := range v.Events {
		history = append(history, map[string]any{
			"kind": event.Kind.String(), "seat": event.Seat, "card": named(event.Card),
			"team": unless(event.Team == NoTeam, event.Team),
		})
	}
	return plain(t, map[string]any{
		"kind": p.Kind().String(), "has_choice": p.HasChoice(), "legal": texts(p.Legal),
		"default": p.Default.String(), "drives": texts(p.Drives()), "remedies": texts(p.Remedies()),
		"safeties": texts(p.Safeties()), "plays": texts(p.Plays()), "attacks": texts(p.Attacks()),
		"discards": texts(p.Discards()), "game": p.Game, "hand": p.Hand,
		"coup_fourre":   unless(coupFourre.IsZero(), coupFourre.String()),
		"time_limit_ms": p.TimeLimit.Milliseconds(), "bank_left_ms": p.BankLeft.Milliseconds(),
		"view": map[string]any{
			"seat": v.Seat, "team": v.Team, "family": v.Rules.Family.String(), "cards": names(v.Cards),
			"sizes": v.Sizes, "draw_count": v.DrawCount, "discard_pile": names(v.DiscardPile),
			"target": v.Target, "to_go": toGo, "rivals": v.Rivals(), "attack": named(v.Attack),
			"unseen": counted(v.Unseen()), "history": history, "tables": tables,
		},
	})
}

func tableInWords(table *Table) map[string]any {
	immune := []Card{}
	for _, hazard := range Hazards() {
		if table.IsImmune(hazard) {
			immune = append(immune, hazard)
		}
	}
	return map[string]any{
		"battle": names(table.Battle), "speed": names(table.Speed), "distance": names(table.Distance),
		"safeties": names(table.Safeties), "km": table.KM, "started": table.Started,
		"moving": table.Moving, "limited": table.Limited, "stopped_by": named(table.StoppedBy()),
		"hazards": names(table.Hazards()), "needs": names(table.Needs()),
		"accepts": names(table.Accepts), "suffers": names(table.Suffers), "immune_to": names(immune),
	}
}

// plain are values as JSON has them, so that they can be compared with what was read from it.
func plain(t *testing.T, values map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	var found map[string]any
	if err := json.Unmarshal(raw, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

func texts(actions []Action) []string {
	found := []string{}
	for _, one := range actions {
		found = append(found, one.String())
	}
	return found
}

func names(cards []Card) []any {
	found := []any{}
	for _, card := range cards {
		found = append(found, named(card))
	}
	return found
}

func named(card Card) any { return unless(card == NoCard || card == Hidden, card.String()) }

func counted(counts Counts) []int { return counts[D25:] }

func unless(is bool, value any) any {
	if is {
		return nil
	}
	return value
}

func TestVectorsOfAnswers(t *testing.T) {
	for _, one := range cases[struct {
		Name, Action, Hex string
		PromptHex         string `json:"prompt_hex"`
	}](t, "answers.json") {
		t.Run(one.Name+": "+one.Action, func(t *testing.T) {
			wire := &scripted{told: []*pb.PlayResponse{response(t, one.PromptHex)}}
			play1(t, &obedient{action: MustParseAction(one.Action)}, wire)
			if len(wire.heard) != 1 || encode(t, wire.heard[0]) != one.Hex {
				t.Errorf("sent: %v, not %s", wire.heard, one.Hex)
			}
		})
	}
}

func TestVectorsOfNewerMessages(t *testing.T) {
	for _, one := range cases[struct {
		Name, Hex, Then string
		AnswerHex       string `json:"answer_hex"`
	}](t, "newer.json") {
		t.Run(one.Name, func(t *testing.T) {
			wire := &scripted{told: []*pb.PlayResponse{response(t, one.Hex)}}
			bot := &obedient{}
			player := play1(t, bot, wire)
			if isNew := one.Then != "read"; (player.newer == 1) != isNew || (bot.called == 0) != isNew {
				t.Errorf("%s: passed over %d, called %d times", one.Then, player.newer, bot.called)
			}
			switch {
			case one.Then == "default" && (len(wire.heard) != 1 || encode(t, wire.heard[0]) != one.AnswerHex):
				t.Errorf("sent: %v, not %s", wire.heard, one.AnswerHex)
			case one.Then == "pass over" && len(wire.heard) != 0:
				t.Errorf("sent: %v", wire.heard)
			}
		})
	}
}

func response(t *testing.T, digits string) *pb.PlayResponse {
	t.Helper()
	message := &pb.PlayResponse{}
	decode(t, digits, message)
	return message
}
