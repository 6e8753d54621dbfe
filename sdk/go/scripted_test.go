package arena

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "millearena.example/arena/internal/millearenapb"
)

// scripted is a referee on the other side of a stream. It says one thing after the other, and after a
// prompt waits for the answer; `meanwhile` is what it says without waiting, once the bot thinks.
type scripted struct {
	told      []*pb.PlayResponse
	meanwhile []*pb.PlayResponse
	thinking  chan struct{} // closed when the bot does
	end       error         // instead of io.EOF
	isGone    bool          // nobody takes what is sent

	heard    []*pb.PlayRequest
	answered chan string // the prompts that were
	asked    string      // the prompt that waits for an answer
}

func (s *scripted) Recv() (*pb.PlayResponse, error) {
	if s.asked != "" && len(s.meanwhile) > 0 {
		<-s.thinking
		return s.say(&s.meanwhile), nil
	}
	for s.asked != "" {
		if <-s.answered == s.asked {
			s.asked = ""
		}
	}
	if len(s.told) > 0 {
		return s.say(&s.told), nil
	}
	if s.end != nil {
		return nil, s.end
	}
	return nil, io.EOF
}

func (s *scripted) say(messages *[]*pb.PlayResponse) *pb.PlayResponse {
	message := (*messages)[0]
	*messages = (*messages)[1:]
	if prompt := message.GetPrompt(); prompt != nil && !s.isGone {
		s.asked = prompt.GetPromptId()
	}
	return message
}

func (s *scripted) Send(request *pb.PlayRequest) error {
	if s.isGone {
		return io.EOF
	}
	s.heard = append(s.heard, request)
	if answer := request.GetAnswer(); answer != nil {
		s.answered <- answer.GetPromptId()
	}
	return nil
}

// answers are those that were heard, each with the prompt that it is to.
func (s *scripted) answers() []string {
	var found []string
	for _, one := range s.heard {
		if answer := one.GetAnswer(); answer != nil {
			found = append(found, fmt.Sprintf("%s: %d", answer.GetPromptId(), answer.GetLegalIndex()))
		}
	}
	return found
}

func (s *scripted) notes() []string {
	var found []string
	for _, one := range s.heard {
		if note := one.GetNote(); note != nil {
			found = append(found, note.GetText())
		}
	}
	return found
}

// outcome is what came of a conversation.
type outcome struct {
	*player
	err error
	log string
}

// converse lets a bot play to the end of a script.
func converse(bot Bot, wire *scripted) outcome {
	var log strings.Builder
	wire.answered = make(chan string, 64)
	player := newPlayer(bot, &log, false)
	err := newConversation(player, wire).run()
	player.report()
	return outcome{player, err, log.String()}
}

// play1 plays a script that is only part of a match.
func play1(t *testing.T, bot Bot, wire *scripted) *player {
	t.Helper()
	done := converse(bot, wire)
	if done.err != errEndedEarly {
		t.Fatal(done.err)
	}
	if phrases := done.failures.summary(); len(phrases) > 0 {
		t.Fatal(phrases)
	}
	return done.player
}

// obedient does what it is told, or the default, and counts how often it was called.
type obedient struct {
	Base
	action Action
	called int
}

func (b *obedient) Choose(prompt *Prompt) Action {
	b.called++
	if b.action.IsZero() {
		return prompt.Default
	}
	return b.action
}

func (b *obedient) GameStarted(*Welcome) { b.called++ }
func (b *obedient) Rejected(*Rejection)  { b.called++ }

// -- messages ----------------------------------------------------------------------------------

var rules = &pb.RuleSet{
	Preset: "classic", Family: pb.Family_FAMILY_CLASSIC, Target: 1000,
	DelayedActionTrigger: pb.DelayedActionTrigger_DELAYED_ACTION_TRIGGER_PILE_EMPTY,
	ShutoutRule:          pb.ShutoutRule_SHUTOUT_RULE_ALL,
	MatchTie:             pb.MatchTie_MATCH_TIE_EXTRA_HAND,
	BonusOverflow:        pb.BonusOverflow_BONUS_OVERFLOW_FORFEIT,
	ExpressSafetyDraw:    pb.ExpressSafetyDraw_EXPRESS_SAFETY_DRAW_PILE,
	ExpressExhaustedDraw: pb.ExpressExhaustedDraw_EXPRESS_EXHAUSTED_DRAW_NONE,
	PlateauExhaustion:    pb.PlateauExhaustion_PLATEAU_EXHAUSTION_PLAY_OUT,
}

var teams = []*pb.Team{{Seats: []int32{0}}, {Seats: []int32{1}}}

func welcomed(mode pb.WindowMode) *pb.PlayResponse {
	return &pb.PlayResponse{Message: &pb.PlayResponse_Welcome{Welcome: &pb.Welcome{
		Teams: teams, RuleSet: rules, WindowMode: mode, GameCount: 1,
		FaultBudget: &pb.FaultBudget{MessagesPerPrompt: 3, NoteBytes: 10},
	}}}
}

// asked is a prompt of a hand. Its one event is numbered by `event`: a D25 or so, drawn by seat 1.
func asked(id string, hand int, stage pb.Stage, event int, legal ...string) *pb.PlayResponse {
	prompt := &pb.Prompt{
		PromptId: id, Kind: stage, HandNumber: int32(hand), TimeLimit: durationpb.New(time.Second),
		View: &pb.View{
			Seat: new(int32), Stage: stage, HandSizes: []int32{6, 6}, RuleSet: rules, Teams: teams,
			Hand:   []pb.Card{pb.Card_CARD_D25, pb.Card_CARD_EXTRA_TANK},
			Tables: []*pb.Table{{}, {}}, FirstEvent: int32(event), EventCount: int32(event + 1),
			Events: []*pb.Event{drawn(event)},
		},
	}
	for _, text := range legal {
		prompt.LegalActions = append(prompt.LegalActions, actionMessage(MustParseAction(text)))
	}
	return &pb.PlayResponse{Message: &pb.PlayResponse_Prompt{Prompt: prompt}}
}

func drawn(event int) *pb.Event {
	card := &pb.CardDrawn{Card: pb.Card(event + 1)}
	return &pb.Event{Seat: 1, Kind: &pb.Event_CardDrawn{CardDrawn: card}}
}

func playing(id string, event int) *pb.PlayResponse {
	return asked(id, 0, pb.Stage_STAGE_PLAY, event, "discard D25", "discard EXTRA_TANK")
}

func mustPass(id string, event int) *pb.PlayResponse {
	return asked(id, 0, pb.Stage_STAGE_RESPOND, event, "pass")
}

func rejectedAs(id string) *pb.PlayResponse {
	return &pb.PlayResponse{Message: &pb.PlayResponse_Rejection{Rejection: &pb.Rejection{
		PromptId: id, Reason: pb.RejectionReason_REJECTION_REASON_TIMED_OUT, Strikes: 1,
	}}}
}

func handOver(hand int, events ...*pb.Event) *pb.PlayResponse {
	return &pb.PlayResponse{Message: &pb.PlayResponse_HandOver{HandOver: &pb.HandOver{
		HandNumber: int32(hand), Events: events, Results: []*pb.TeamResult{{Km: 700}, {Km: 25}},
	}}}
}

func matchOver() *pb.PlayResponse {
	return &pb.PlayResponse{Message: &pb.PlayResponse_MatchOver{MatchOver: &pb.MatchOver{
		GameCount: 3, GamesWon: 1, GamesDrawn: 1, Outcome: pb.Outcome_OUTCOME_COMPLETED,
	}}}
}
