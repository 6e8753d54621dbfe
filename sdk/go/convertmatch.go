package arena

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	pb "millearena.example/arena/internal/millearenapb"
)

// What a bot is told besides prompts; see convert.go.

func welcomeFrom(message *pb.Welcome) (*Welcome, error) {
	rules, err := rulesFrom(message.GetRuleSet())
	if err != nil {
		return nil, err
	}
	teams := teamsFrom(message.GetTeams())
	team := teamOf(teams, int(message.GetSeat()))
	if team == NoTeam {
		return nil, newerf("seat %d is in no team", message.GetSeat())
	}
	time, faults, knowledge := message.GetTimeControl(), message.GetFaultBudget(), message.GetKnowledge()
	return &Welcome{
		Seat:  int(message.GetSeat()),
		Team:  team,
		Teams: teams,
		Rules: rules,
		Time: TimeControl{
			StartUp:        time.GetStartUp().AsDuration(),
			Turn:           time.GetTurn().AsDuration(),
			Bank:           time.GetBank().AsDuration(),
			ResponseWindow: time.GetResponseWindow().AsDuration(),
		},
		WindowMode: word[WindowMode](message.GetWindowMode(), windowNames[:]),
		Faults: FaultBudget{
			MaxStrikes:        int(faults.GetMaxStrikes()),
			MessagesPerPrompt: int(faults.GetMessagesPerPrompt()),
			SurplusMessages:   int(faults.GetSurplusMessages()),
			NoteBytes:         int(faults.GetNoteBytes()),
		},
		Knowledge: Knowledge{
			DiscardsFaceDown:     knowledge.GetDiscardsFaceDown(),
			StripedDraw:          knowledge.GetStripedDraw(),
			FrozenBetweenPrompts: knowledge.GetFrozenBetweenPrompts(),
		},
		Game:  int(message.GetGameNumber()),
		Games: int(message.GetGameCount()),
	}, nil
}

func rejectionFrom(message *pb.Rejection) *Rejection {
	played, _ := actionFrom(message.GetPlayed()) // one that is newer is the zero Action
	return &Rejection{
		Reason:  word[RejectionReason](message.GetReason(), rejectionNames[:]),
		Detail:  message.GetDetail(),
		Played:  played,
		Strikes: int(message.GetStrikes()),
	}
}

func handResultFrom(message *pb.HandOver) (*HandResult, error) {
	events, err := eventsFrom(message.GetEvents())
	if err != nil {
		return nil, err
	}
	result := &HandResult{
		Game:       int(message.GetGameNumber()),
		Hand:       int(message.GetHandNumber()),
		End:        word[HandEnd](message.GetEnd(), endNames[:]),
		Winner:     orElse(message.WinnerTeam, NoTeam),
		Scores:     ints(message.GetScores()),
		GameOver:   message.GetGameOver(),
		GameWinner: orElse(message.GameWinnerTeam, NoTeam),
		Events:     events,
	}
	hasPoints := false
	for _, team := range message.GetResults() {
		result.KM = append(result.KM, int(team.GetKm()))
		result.Points = append(result.Points, int(team.GetPoints()))
		result.Sheets = append(result.Sheets, sheetFrom(team.GetItems()))
		hasPoints = hasPoints || len(team.GetItems()) > 0
	}
	if !hasPoints {
		result.Points, result.Sheets = nil, nil
	}
	return result, nil
}

// sheetFrom reads a score sheet; a line that is newer is only in the sum.
func sheetFrom(items []*pb.ScoreItem) map[ScoreKind]int {
	sheet := make(map[ScoreKind]int, len(items))
	for _, item := range items {
		if kind := word[ScoreKind](item.GetKind(), scoreNames[:]); kind != 0 {
			sheet[kind] = int(item.GetPoints())
		}
	}
	return sheet
}

func matchResultFrom(message *pb.MatchOver) *MatchResult {
	return &MatchResult{
		Games:   int(message.GetGameCount()),
		Won:     int(message.GetGamesWon()),
		Drawn:   int(message.GetGamesDrawn()),
		Outcome: word[Outcome](message.GetOutcome(), outcomeNames[:]),
		Detail:  message.GetDetail(),
	}
}

// word reads an enumeration whose numbers are the wire's; one that is newer is 0.
func word[To ~uint8, From ~int32](number From, names []string) To {
	if number < 0 || int(number) >= len(names) {
		return 0
	}
	return To(number)
}

// -- rules -------------------------------------------------------------------------------------

func rulesFrom(message *pb.RuleSet) (RuleSet, error) {
	rules := RuleSet{
		Preset:                   message.GetPreset(),
		Family:                   word[Family](message.GetFamily(), familyNames[:]),
		Target:                   int(message.GetTarget()),
		Extension:                message.GetExtension(),
		FailedExtensionBonus:     message.GetFailedExtensionBonus(),
		Max200:                   orElse(message.Max_200, Any),
		LateSafetyRestarts:       message.GetLateSafetyRestarts(),
		ExhaustedSafetyReplays:   message.GetExhaustedSafetyReplays(),
		DiscardVisible:           message.GetDiscardVisible(),
		ForcedPlay:               message.GetForcedPlay(),
		Reshuffle:                message.GetReshuffle(),
		FourSafetiesBonus:        int(message.GetFourSafetiesBonus()),
		MatchPoints:              int(message.GetMatchPoints()),
		MaxHands:                 int(message.GetMaxHands()),
		Deck2PReduction:          message.GetDeck_2PReduction(),
		AllowIndividual4:         message.GetAllowIndividual_4(),
		FirstDealer:              orElse(message.FirstDealer, Any),
		FirstPlayer:              int(message.GetFirstPlayer()),
		SafetyKM:                 int(message.GetSafetyKm()),
		CoupFourreKM:             int(message.GetCoupFourreKm()),
		ExpressStallRounds:       int(message.GetExpressStallRounds()),
		TopChoice:                message.GetTopChoice(),
		PlateauGreenLightToStart: message.GetPlateauGreenLightToStart(),
	}
	if rules.Family == 0 {
		return rules, newerf("no family of rules has the number %d", message.GetFamily())
	}
	for _, option := range []struct {
		to     *string
		from   protoreflect.Enum
		prefix string
	}{
		{&rules.DelayedActionTrigger, message.GetDelayedActionTrigger(), "DELAYED_ACTION_TRIGGER_"},
		{&rules.ShutoutRule, message.GetShutoutRule(), "SHUTOUT_RULE_"},
		{&rules.MatchTie, message.GetMatchTie(), "MATCH_TIE_"},
		{&rules.BonusOverflow, message.GetBonusOverflow(), "BONUS_OVERFLOW_"},
		{&rules.ExpressSafetyDraw, message.GetExpressSafetyDraw(), "EXPRESS_SAFETY_DRAW_"},
		{&rules.ExpressExhaustedDraw, message.GetExpressExhaustedDraw(), "EXPRESS_EXHAUSTED_DRAW_"},
		{&rules.PlateauExhaustion, message.GetPlateauExhaustion(), "PLATEAU_EXHAUSTION_"},
	} {
		value := option.from.Descriptor().Values().ByNumber(option.from.Number())
		if value == nil || option.from.Number() == 0 {
			return rules, newerf("no %s has the number %d", option.from.Descriptor().Name(), option.from.Number())
		}
		*option.to = strings.ToLower(strings.TrimPrefix(string(value.Name()), option.prefix))
	}
	return rules, nil
}
