package arena

import (
	pb "millearena.example/arena/internal/millearenapb"
)

func viewFrom(message *pb.View) (*View, error) {
	view := &View{
		Seat:           int(message.GetSeat()),
		Stage:          Stage(message.GetStage()),
		Asked:          ints(message.GetAskedSeats()),
		Sizes:          ints(message.GetHandSizes()),
		DrawCount:      int(message.GetDrawCount()),
		Target:         int(message.GetTargetKm()),
		Turn:           int(message.GetTurnSeat()),
		Attacked:       orElse(message.AttackedTeam, NoTeam),
		Teams:          teamsFrom(message.GetTeams()),
		Scores:         ints(message.GetScores()),
		Dealer:         int(message.GetDealerSeat()),
		FirstEvent:     int(message.GetFirstEvent()),
		EventCount:     int(message.GetEventCount()),
		DiscardKnownTo: ints(message.GetDiscardKnownToSeats()),
		Stripes:        ints(message.GetStripeSizes()),
		DrawsDue:       int(message.GetDrawsDue()),
		Resume:         int(message.GetResume()),
		ExtendedBy:     orElse(message.ExtendedByTeam, NoTeam),
		RanOut:         message.GetRanOut(),
		DryStart:       message.GetDryStart(),
		IdleTurns:      int(message.GetIdleTurns()),
		CirclingTurns:  int(message.GetCirclingTurns()),
		Fresh:          message.GetFresh(),
		Reshuffled:     int(message.GetReshuffleCount()),
	}
	if number := message.GetStage(); number <= 0 || int(number) >= len(stageNames) {
		return nil, newerf("no stage has the number %d", number)
	}
	view.Team = view.TeamOf(view.Seat)
	if view.Team == NoTeam || view.Team >= len(message.GetTables()) {
		return nil, newerf("seat %d is in no team that has a table", view.Seat)
	}
	return view, fill(view, message)
}

// fill reads what is not only numbers.
func fill(view *View, message *pb.View) (err error) {
	if view.Rules, err = rulesFrom(message.GetRuleSet()); err != nil {
		return err
	}
	if view.Cards, err = kinds(message.GetHand()); err != nil {
		return err
	}
	view.Hand = countsOf(view.Cards)
	for _, one := range message.GetTables() {
		table, err := tableFrom(one)
		if err != nil {
			return err
		}
		view.Tables = append(view.Tables, table)
	}
	if view.DiscardPile, err = discardFrom(message); err != nil {
		return err
	}
	for _, known := range message.GetKnownCards() {
		cards, err := kinds(known.GetCards())
		if err != nil {
			return err
		}
		view.Known = append(view.Known, countsOf(cards))
	}
	if message.Attack != nil {
		if view.Attack = kind(message.GetAttack()); view.Attack == NoCard {
			return newerf("no card has the number %d", message.GetAttack())
		}
	}
	view.Events, err = eventsFrom(message.GetEvents())
	return err
}

// discardFrom reads the discard pile, in which a card that one seat alone knows may be hidden.
func discardFrom(message *pb.View) ([]Card, error) {
	cards, knowers := message.GetDiscardPile(), message.GetDiscardKnownToSeats()
	if len(knowers) == 0 {
		return kinds(cards)
	}
	if len(knowers) != len(cards) {
		return nil, newerf("%d discards, but %d who know them", len(cards), len(knowers))
	}
	pile := make([]Card, len(cards))
	for at, card := range cards {
		found, err := secret(card)
		if err != nil {
			return nil, err
		}
		pile[at] = found
	}
	return pile, nil
}

func tableFrom(message *pb.Table) (Table, error) {
	table := Table{
		KM:      int(message.GetKm()),
		BonusKM: int(message.GetBonusKm()),
		Started: message.GetStarted(),
		Moving:  message.GetMoving(),
		Limited: message.GetLimited(),
	}
	piles := []struct {
		to   *[]Card
		from []pb.Card
	}{
		{&table.Battle, message.GetBattlePile()},
		{&table.Speed, message.GetSpeedPile()},
		{&table.Distance, message.GetDistanceCards()},
		{&table.Safeties, message.GetSafeties()},
		{&table.CoupsFourres, message.GetCoupsFourres()},
		{&table.Accepts, message.GetAcceptedCards()},
		{&table.Suffers, message.GetSufferedHazards()},
	}
	for _, pile := range piles {
		cards, err := kinds(pile.from)
		if err != nil {
			return Table{}, err
		}
		*pile.to = cards
	}
	return table, nil
}

func teamsFrom(messages []*pb.Team) [][]int {
	teams := make([][]int, len(messages))
	for at, team := range messages {
		teams[at] = ints(team.GetSeats())
	}
	return teams
}

// -- events ------------------------------------------------------------------------------------

// eventsFrom reads events; one of a newer kind is left out.
func eventsFrom(messages []*pb.Event) ([]Event, error) {
	events := make([]Event, 0, len(messages))
	for _, message := range messages {
		event, card, found := eventFrom(message)
		if !found {
			continue
		}
		if card != nil {
			named, err := secret(*card)
			if err != nil {
				return nil, err
			}
			event.Card = named
		}
		events = append(events, event)
	}
	return events, nil
}

// eventFrom reads an event but for its card, which is nil if it has none.
func eventFrom(message *pb.Event) (event Event, card *pb.Card, found bool) {
	event = Event{Seat: int(message.GetSeat()), Team: NoTeam}
	var it pb.Card
	card, found = &it, true
	switch arm := message.GetKind().(type) {
	case *pb.Event_CardDrawn:
		event.Kind, it = EventDrawn, arm.CardDrawn.GetCard()
	case *pb.Event_CardTaken:
		event.Kind, it = EventTaken, arm.CardTaken.GetCard()
		if it == pb.Card_CARD_UNSPECIFIED { // it lay face down
			it = pb.Card_CARD_HIDDEN
		}
	case *pb.Event_CardPlayed:
		event.Kind, it = EventPlayed, arm.CardPlayed.GetCard()
	case *pb.Event_HazardLaid:
		event.Kind, it = EventLaid, arm.HazardLaid.GetCard()
		event.Team = int(arm.HazardLaid.GetTargetTeam())
	case *pb.Event_CardDiscarded:
		event.Kind, it = EventDiscarded, arm.CardDiscarded.GetCard()
	case *pb.Event_CoupFourreDeclared:
		event.Kind, it = EventCoupFourre, arm.CoupFourreDeclared.GetCard()
	case *pb.Event_TopChosen:
		event.Kind, it = EventTopped, arm.TopChosen.GetCard()
	case *pb.Event_HandExtended:
		event.Kind, card = EventExtended, nil
	case *pb.Event_HandStopped:
		event.Kind, card = EventStopped, nil
	case *pb.Event_PileReshuffled:
		event.Kind, card = EventReshuffled, nil
	default:
		found = false
	}
	return event, card, found
}
