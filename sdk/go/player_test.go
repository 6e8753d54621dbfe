package arena

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "millearena.example/arena/internal/millearenapb"
)

// witness writes down what it is asked and told.
type witness struct {
	Base
	diary    []string
	thinks   func(prompt *Prompt) Action
	responds func(prompt *Prompt) Action
	orders   []Card
}

func (b *witness) write(format string, values ...any) {
	b.diary = append(b.diary, fmt.Sprintf(format, values...))
}

func (b *witness) Choose(prompt *Prompt) Action {
	b.write("choose after %d of %d", len(prompt.View.Events), prompt.View.FirstEvent)
	if b.thinks != nil {
		return b.thinks(prompt)
	}
	return prompt.Legal[1]
}

func (b *witness) Respond(prompt *Prompt) Action {
	if b.responds == nil {
		return b.Base.Respond(prompt)
	}
	b.write("respond")
	return b.responds(prompt)
}

func (b *witness) StandingOrders(prompt *Prompt) []Card {
	if b.orders == nil {
		return b.Base.StandingOrders(prompt)
	}
	return b.orders
}

func (b *witness) GameStarted(welcome *Welcome)  { b.write("game of %d", welcome.Games) }
func (b *witness) HandStarted(game, hand int)    { b.write("hand %d.%d", game, hand) }
func (b *witness) Rejected(rejection *Rejection) { b.write("rejected: %v", rejection.Reason) }
func (b *witness) HandOver(result *HandResult)   { b.write("hand over: %v", result.KM) }
func (b *witness) MatchOver(result *MatchResult) { b.write("match over: %v", result.Outcome) }
func (b *witness) Saw(events []Event) {
	for _, event := range events {
		b.write("saw %v", event.Card)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n  %q, not\n  %q", what, got, want)
	}
}

func TestAMatchIsToldInOrder(t *testing.T) {
	bot := &witness{}
	wire := &scripted{told: []*pb.PlayResponse{
		welcomed(pb.WindowMode_WINDOW_MODE_PROMPT), playing("a", 0), handOver(0, drawn(1)), matchOver(),
	}}
	done := converse(bot, wire)
	if done.err != nil || done.log != "" {
		t.Errorf("ended with %v, log %q", done.err, done.log)
	}
	same(t, "diary", bot.diary, []string{
		"game of 1", "hand 0.0", "saw D25", "choose after 1 of 0", "saw D50", "hand over: [700 25]",
		"match over: COMPLETED",
	})
	same(t, "answers", wire.answers(), []string{"a: 1"})
}

func TestWhoCanOnlyPassIsNotAsked(t *testing.T) {
	bot := &witness{}
	wire := &scripted{told: []*pb.PlayResponse{mustPass("a", 0), mustPass("b", 1), playing("c", 2)}}
	converse(bot, wire)
	same(t, "diary", bot.diary, []string{
		"hand 0.0", "saw D25", "saw D50", "saw D75", "choose after 3 of 0",
	})
	same(t, "answers", wire.answers(), []string{"a: 0", "b: 0", "c: 1"})
}

func TestEventsOfAHandWithoutAQuestionAreShownAtItsEnd(t *testing.T) {
	bot := &witness{}
	wire := &scripted{told: []*pb.PlayResponse{
		mustPass("a", 0), handOver(0, drawn(1)), asked("b", 1, pb.Stage_STAGE_PLAY, 0, "stop", "extend"),
	}}
	converse(bot, wire)
	same(t, "diary", bot.diary, []string{
		"hand 0.0", "saw D25", "saw D50", "hand over: [700 25]", "hand 0.1", "saw D25",
		"choose after 1 of 0",
	})
}

func TestABotThatPanicsPlaysTheDefault(t *testing.T) {
	var table []int
	bot := &witness{thinks: func(*Prompt) Action { return Action{card: Card(table[5])} }}
	wire := &scripted{told: []*pb.PlayResponse{playing("a", 0), playing("b", 1), matchOver()}}
	done := converse(bot, wire)
	same(t, "answers", wire.answers(), []string{"a: 0", "b: 0"})
	last := "arena_sdk: Choose raised 2 times (last: panic: runtime error: index out of range [5] " +
		"with length 0); default actions were played\n"
	if done.err != nil || !strings.HasSuffix(done.log, last) {
		t.Errorf("ended with %v, log %s", done.err, done.log)
	}
	if !strings.Contains(done.log, "player_test.go:") || strings.Contains(done.log, "failures.go:") {
		t.Errorf("a trace that is not the author's own: %s", done.log)
	}
	// What validation looks for.
	if !regexp.MustCompile(`(?m)^arena_sdk: .*\braised \d+ times? \(last: .*$`).MatchString(done.log) {
		t.Errorf("no summary: %s", done.log)
	}
}

func TestNoActionIsAFailure(t *testing.T) {
	bot := &witness{thinks: func(*Prompt) Action { return Action{} }}
	wire := &scripted{told: []*pb.PlayResponse{playing("a", 0)}}
	done := converse(bot, wire)
	same(t, "answers", wire.answers(), []string{"a: 0"})
	if !strings.Contains(done.log, "Choose raised 1 time (last: Choose returned the zero Action") {
		t.Error(done.log)
	}
}

func TestAnAttackIsAnsweredByRespondElseByChoose(t *testing.T) {
	attack := asked("a", 0, pb.Stage_STAGE_RESPOND, 0, "pass", "coup_fourre EXTRA_TANK")
	for _, one := range []struct {
		responds func(*Prompt) Action
		diary    string
	}{
		{nil, "choose after 1 of 0"},
		{func(prompt *Prompt) Action { return prompt.Legal[1] }, "respond"},
	} {
		bot := &witness{responds: one.responds}
		wire := &scripted{told: []*pb.PlayResponse{attack}}
		converse(bot, wire)
		same(t, "diary", bot.diary[2:], []string{one.diary})
		same(t, "answers", wire.answers(), []string{"a: 1"})
	}
}

func TestOneSlipCostsOneDecision(t *testing.T) {
	thinking := make(chan struct{})
	limit := 20 * time.Millisecond
	bot := &witness{}
	bot.thinks = func(prompt *Prompt) Action {
		if prompt.Legal[0].Verb() == VerbDiscard && len(bot.diary) < 4 { // the first one
			close(thinking)
			for prompt.FreeTimeLeft() > 0 {
				time.Sleep(time.Millisecond) // a thought, until it is too long
			}
		}
		return prompt.Legal[1]
	}
	slow := playing("slow", 0)
	slow.GetPrompt().TimeLimit.Nanos, slow.GetPrompt().TimeLimit.Seconds = int32(limit), 0
	wire := &scripted{
		thinking: thinking,
		told:     []*pb.PlayResponse{slow},
		meanwhile: []*pb.PlayResponse{
			rejectedAs("slow"), mustPass("closed", 1), playing("open", 2),
		},
	}
	converse(bot, wire)
	same(t, "diary", bot.diary, []string{
		"hand 0.0", "saw D25", "choose after 1 of 0", "rejected: TIMED_OUT", "saw D50", "saw D75",
		"choose after 2 of 1",
	})
	same(t, "answers", wire.answers(), []string{"slow: 1", "open: 1"})
}

func TestNotesGoWithAnswersAsFarAsTheyMay(t *testing.T) {
	bot := &witness{}
	bot.thinks = func(prompt *Prompt) Action {
		bot.Notef("one\ntwo é %d", 12345)
		bot.Note("100 % \xff")
		bot.Note("too many")
		return prompt.Legal[0]
	}
	wire := &scripted{told: []*pb.PlayResponse{
		welcomed(pb.WindowMode_WINDOW_MODE_PROMPT), mustPass("a", 0), playing("b", 1),
	}}
	done := converse(bot, wire)
	same(t, "notes", wire.notes(), []string{"one two é", "100 % ?"})
	same(t, "log", done.log, "arena_sdk: 1 note dropped, 2 fit an answer\n")
	if _, isAnswer := wire.heard[len(wire.heard)-1].Message.(*pb.PlayRequest_Answer); !isAnswer {
		t.Error("a note came after the answer that it belongs to")
	}
}

func TestNotesThatNoAnswerTakesGoToTheLog(t *testing.T) {
	bot := &witness{}
	bot.thinks = func(prompt *Prompt) Action { return prompt.Legal[0] }
	noting := &noter{witness: bot}
	wire := &scripted{told: []*pb.PlayResponse{welcomed(pb.WindowMode_WINDOW_MODE_PROMPT), matchOver()}}
	same(t, "log", converse(noting, wire).log, "at the end\n")
}

// noter notes something when no answer follows.
type noter struct{ *witness }

func (b *noter) MatchOver(*MatchResult) { b.Note("at the end") }

func TestStandingOrders(t *testing.T) {
	for _, one := range []struct {
		name   string
		mode   pb.WindowMode
		orders []Card
		want   []pb.Card
		log    string
	}{
		{"by default of what is in hand", pb.WindowMode_WINDOW_MODE_STANDING, nil,
			[]pb.Card{pb.Card_CARD_OUT_OF_GAS}, ""},
		{"in deck order, each once", pb.WindowMode_WINDOW_MODE_STANDING,
			[]Card{Accident, RedLight, Accident},
			[]pb.Card{pb.Card_CARD_RED_LIGHT, pb.Card_CARD_ACCIDENT}, ""},
		{"hazards only", pb.WindowMode_WINDOW_MODE_STANDING, []Card{ExtraTank}, nil,
			"StandingOrders raised 1 time (last: StandingOrders returned EXTRA_TANK, which is no hazard)"},
		{"in other modes none", pb.WindowMode_WINDOW_MODE_SEALED, nil, nil, ""},
	} {
		wire := &scripted{told: []*pb.PlayResponse{welcomed(one.mode), playing("a", 0)}}
		done := converse(&witness{orders: one.orders}, wire)
		same(t, one.name, wire.heard[0].GetAnswer().GetCoupFourreOn(), one.want)
		if !strings.Contains(done.log, one.log) || (one.log == "") != (done.log == "") {
			t.Errorf("%s: log %q", one.name, done.log)
		}
	}
}

func TestAnActionThatIsNotLegalIsSentAsItIs(t *testing.T) {
	bot := &witness{thinks: func(*Prompt) Action { return MustParseAction("play RED_LIGHT on 0") }}
	wire := &scripted{told: []*pb.PlayResponse{playing("a", 0)}}
	converse(bot, wire)
	action, err := actionFrom(wire.heard[0].GetAnswer().GetAction())
	if err != nil || action.String() != "play RED_LIGHT on 0" {
		t.Errorf("sent: %v", wire.heard)
	}
}

func TestAStreamThatEndsEarly(t *testing.T) {
	for _, one := range []struct {
		end  error
		want string
	}{
		{nil, "the referee ended the stream before the match was over"},
		{status.Error(codes.ResourceExhausted, "this seat is taken"),
			"RESOURCE_EXHAUSTED: this seat is taken"},
	} {
		done := converse(&witness{}, &scripted{end: one.end, told: []*pb.PlayResponse{playing("a", 0)}})
		if done.err == nil || done.err.Error() != one.want {
			t.Errorf("%v, not %s", done.err, one.want)
		}
	}
}

func TestWhatHasComeIsReadWhenNobodyTakesAnswersAnyMore(t *testing.T) {
	bot := &witness{}
	done := converse(bot, &scripted{isGone: true, told: []*pb.PlayResponse{handOver(0), matchOver()}})
	same(t, "diary", bot.diary, []string{"hand 0.0", "hand over: [700 25]", "match over: COMPLETED"})
	if done.err != nil {
		t.Error(done.err)
	}
}

func TestChanceFollowsFromTheSeed(t *testing.T) {
	t.Setenv("ARENA_BOT_SEED", "12")
	first, second := (&witness{}).Rand().Uint64(), (&witness{}).Rand().Uint64()
	t.Setenv("ARENA_BOT_SEED", "13")
	third := (&witness{}).Rand().Uint64()
	if first != second || first == third {
		t.Errorf("seeds 12, 12 and 13 made %d, %d and %d", first, second, third)
	}
}

func TestActionsAndTheirTexts(t *testing.T) {
	for _, text := range []string{
		"draw pile", "draw discard", "play D25", "play RED_LIGHT on 3", "discard DRIVING_ACE",
		"coup_fourre RIGHT_OF_WAY", "pass", "extend", "stop", "top GASOLINE", "top FLAT_TIRE",
	} {
		action, err := ParseAction(text)
		if err != nil || action.String() != text {
			t.Errorf("%s: %v, %v", text, action, err)
		}
	}
	for _, text := range []string{
		"", "none", "draw", "draw table", "draw pile D25", "play", "play D26", "play RED_LIGHT",
		"play D25 on 1", "play RED_LIGHT on 4", "play RED_LIGHT on -1", "play RED_LIGHT at 1",
		"discard HIDDEN", "discard NO_CARD", "coup_fourre D25", "pass D25", "top D25", "PASS", "pass ",
	} {
		if action, err := ParseAction(text); err == nil || !action.IsZero() {
			t.Errorf("%q is read as %v", text, action)
		} else if !strings.Contains(err.Error(), fmt.Sprintf("unknown action %q", text)) {
			t.Error(err)
		}
	}
}
