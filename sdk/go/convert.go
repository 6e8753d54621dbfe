package arena

import (
	"fmt"
	"slices"
	"time"

	pb "millearena.example/arena/internal/millearenapb"
)

// From protobuf to this library's values and back. Its numbers are those of the wire. Fields that are
// newer than this library are passed over; where a card, a stage or the like is, the message is
// refused with a newer.

// newer says what a message has that this library has no word for.
type newer string

func (n newer) Error() string { return string(n) }

func newerf(format string, values ...any) error { return newer(fmt.Sprintf(format, values...)) }

func promptFrom(message *pb.Prompt, came time.Time) (*Prompt, error) {
	if message.GetKind() != message.GetView().GetStage() {
		return nil, newerf("%v is asked in %v", message.GetKind(), message.GetView().GetStage())
	}
	view, err := viewFrom(message.GetView())
	if err != nil {
		return nil, err
	}
	legal := make([]Action, len(message.GetLegalActions()))
	for at, one := range message.GetLegalActions() {
		if legal[at], err = actionFrom(one); err != nil {
			return nil, err
		}
	}
	at := int(message.GetDefaultIndex())
	if at < 0 || at >= len(legal) {
		return nil, newerf("default_index %d of %d legal actions", at, len(legal))
	}
	return &Prompt{
		View:      view,
		Legal:     legal,
		Default:   legal[at],
		TimeLimit: message.GetTimeLimit().AsDuration(),
		BankLeft:  message.GetBankLeft().AsDuration(),
		Game:      int(message.GetGameNumber()),
		Hand:      int(message.GetHandNumber()),
		Arrived:   came,
	}, nil
}

// answerMessage writes the answer to a prompt, with standing orders where there are some.
func answerMessage(id string, prompt *Prompt, action Action, orders []Card) *pb.Answer {
	answer := &pb.Answer{PromptId: id}
	if at := slices.Index(prompt.Legal, action); at >= 0 {
		answer.Choice = &pb.Answer_LegalIndex{LegalIndex: int32(at)}
	} else { // for the referee to refuse: it says so, and counts
		answer.Choice = &pb.Answer_Action{Action: actionMessage(action)}
	}
	for _, card := range orders {
		answer.CoupFourreOn = append(answer.CoupFourreOn, pb.Card(card))
	}
	return answer
}

// -- actions -----------------------------------------------------------------------------------

func actionMessage(action Action) *pb.Action {
	card := pb.Card(action.card)
	switch action.verb {
	case VerbDraw:
		source := pb.DrawSource_DRAW_SOURCE_PILE
		if action.open {
			source = pb.DrawSource_DRAW_SOURCE_DISCARD
		}
		return &pb.Action{Kind: &pb.Action_Draw{Draw: &pb.Draw{Source: source}}}
	case VerbPlay:
		play := &pb.Play{Card: card}
		if action.IsAttack() {
			team := int32(action.Team())
			play.TargetTeam = &team
		}
		return &pb.Action{Kind: &pb.Action_Play{Play: play}}
	case VerbDiscard:
		return &pb.Action{Kind: &pb.Action_Discard{Discard: &pb.Discard{Card: card}}}
	case VerbCoupFourre:
		return &pb.Action{Kind: &pb.Action_CoupFourre{CoupFourre: &pb.CoupFourre{Card: card}}}
	case VerbPass:
		return &pb.Action{Kind: &pb.Action_Pass{Pass: &pb.Pass{}}}
	case VerbExtend:
		return &pb.Action{Kind: &pb.Action_Extend{Extend: &pb.Extend{}}}
	case VerbStop:
		return &pb.Action{Kind: &pb.Action_Stop{Stop: &pb.Stop{}}}
	case VerbTop:
		return &pb.Action{Kind: &pb.Action_Top{Top: &pb.Top{Card: card}}}
	}
	return &pb.Action{}
}

func actionFrom(message *pb.Action) (Action, error) {
	action := read(message)
	if !action.exists() {
		return Action{}, newerf("no action is {%v}", message)
	}
	return action, nil
}

func read(message *pb.Action) Action {
	switch arm := message.GetKind().(type) {
	case *pb.Action_Draw:
		return drawFrom(arm.Draw.GetSource())
	case *pb.Action_Play:
		action := Action{verb: VerbPlay, card: kind(arm.Play.GetCard())}
		if team := arm.Play.GetTargetTeam(); arm.Play.TargetTeam != nil {
			if team < 0 || team >= maxTeams {
				return Action{}
			}
			action.on = uint8(team + 1)
		}
		return action
	case *pb.Action_Discard:
		return Action{verb: VerbDiscard, card: kind(arm.Discard.GetCard())}
	case *pb.Action_CoupFourre:
		return Action{verb: VerbCoupFourre, card: kind(arm.CoupFourre.GetCard())}
	case *pb.Action_Pass:
		return pass
	case *pb.Action_Extend:
		return Action{verb: VerbExtend}
	case *pb.Action_Stop:
		return Action{verb: VerbStop}
	case *pb.Action_Top:
		return Action{verb: VerbTop, card: kind(arm.Top.GetCard())}
	}
	return Action{}
}

func drawFrom(source pb.DrawSource) Action {
	switch source {
	case pb.DrawSource_DRAW_SOURCE_PILE:
		return drawPile
	case pb.DrawSource_DRAW_SOURCE_DISCARD:
		return drawOpen
	}
	return Action{}
}

// -- cards -------------------------------------------------------------------------------------

// kind is a card of the wire; NoCard if it is none that has a name here.
func kind(card pb.Card) Card {
	if card < 0 || card > pb.Card(DrivingAce) {
		return NoCard
	}
	return Card(card)
}

// kinds reads a pile in which every card has a name.
func kinds(cards []pb.Card) ([]Card, error) {
	pile := make([]Card, len(cards))
	for at, card := range cards {
		if pile[at] = kind(card); pile[at] == NoCard {
			return nil, newerf("no card has the number %d", card)
		}
	}
	return pile, nil
}

// secret reads a card that may be hidden.
func secret(card pb.Card) (Card, error) {
	if card == pb.Card_CARD_HIDDEN {
		return Hidden, nil
	}
	if kind(card) == NoCard {
		return NoCard, newerf("no card has the number %d", card)
	}
	return kind(card), nil
}

func ints(numbers []int32) []int {
	found := make([]int, len(numbers))
	for at, number := range numbers {
		found[at] = int(number)
	}
	return found
}

// orElse is an optional number of the wire.
func orElse(number *int32, none int) int {
	if number == nil {
		return none
	}
	return int(*number)
}
