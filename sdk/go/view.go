package arena

// Stage is what a hand waits for.
type Stage uint8

const (
	StageDraw    Stage = iota + 1 // from which pile to draw (Express)
	StagePlay                     // which card to play or discard
	StageRespond                  // whether to answer an attack with a coup fourré
	StageExtend                   // whether to go on to 1000 km
	StageTop                      // which card comes to lie on top of the discard pile (Express)
	StageOver                     // nothing: the hand has ended
)

var stageNames = [...]string{"UNKNOWN", "DRAW", "PLAY", "RESPOND", "EXTEND", "TOP", "OVER"}

// String is DRAW, PLAY, RESPOND, EXTEND, TOP or OVER.
func (s Stage) String() string { return nameOf(stageNames[:], s) }

// View is everything that one seat may know about a hand, and nothing else. Seats and teams are
// numbered from 0; seat s + 1 sits left of seat s.
type View struct {
	Seat        int    // yours
	Team        int    // yours
	Stage       Stage  // what is asked
	Asked       []int  // the seats that are asked
	Cards       []Card // your hand, in deck order
	Hand        Counts // the same: view.Hand[D100] is how many you have
	Sizes       []int  // cards in hand, by seat
	Tables      []Table
	DrawCount   int    // cards in the draw pile
	DiscardPile []Card // top last; Hidden for a card that you have not seen
	Target      int    // km that end the hand
	Turn        int    // whose turn it is; in a response window still the attacker's
	Attack      Card   // the hazard to respond to, or covered by a remedy (StageTop); else NoCard
	Attacked    int    // the team under attack, else NoTeam

	Known  []Counts // Express: by seat, cards that everybody knows to be in that hand; else empty
	Rules  RuleSet
	Teams  [][]int // the seats of each team
	Scores []int   // match points before this hand by team; hands won, where there are no points
	Dealer int

	// What happened in this hand since you were last asked, oldest first.
	Events     []Event
	FirstEvent int // the number of the first of Events; a hand's are numbered from 0
	EventCount int // how many the hand has had

	// What completes the state of the game, for programs that search. The protocol's views.proto
	// says of each what it means.
	DiscardKnownTo []int // empty: everybody has seen the pile; else by card the seat, or -1
	Stripes        []int
	DrawsDue       int
	Resume         int
	ExtendedBy     int // a team, or NoTeam
	RanOut         bool
	DryStart       bool
	IdleTurns      int
	CirclingTurns  int
	Fresh          bool
	Reshuffled     int
}

// Table is your own table.
func (v *View) Table() *Table { return &v.Tables[v.Team] }

// TeamOf is the team that a seat belongs to.
func (v *View) TeamOf(seat int) int { return teamOf(v.Teams, seat) }

// Rivals are the other teams.
func (v *View) Rivals() []int {
	var teams []int
	for team := range v.Tables {
		if team != v.Team {
			teams = append(teams, team)
		}
	}
	return teams
}

// ToGo is how many km you have still to drive.
func (v *View) ToGo() int { return v.ToGoOf(v.Team) }

// ToGoOf is how many km a team has still to drive.
func (v *View) ToGoOf(team int) int { return v.Target - v.Tables[team].KM }

// Unseen says how many of each card you cannot place: they are in other hands, in the draw pile and
// face down on the discard pile.
func (v *View) Unseen() Counts {
	left := v.Rules.Deck(len(v.Sizes))
	for card, count := range v.Hand {
		left[card] -= count
	}
	left.take(v.DiscardPile)
	if v.Rules.Family.KeepsCardsOnTable() {
		for _, table := range v.Tables {
			left.take(table.Battle)
			left.take(table.Speed)
			left.take(table.Distance)
			left.take(table.Safeties)
		}
	}
	for seat, known := range v.Known {
		if seat == v.Seat {
			continue
		}
		for card, count := range known {
			left[card] -= count
		}
	}
	return left
}

func (c *Counts) take(cards []Card) {
	for _, card := range cards {
		if card != Hidden {
			c[card]--
		}
	}
}

func teamOf(teams [][]int, seat int) int {
	for team, seats := range teams {
		for _, one := range seats {
			if one == seat {
				return team
			}
		}
	}
	return NoTeam
}

// EventKind is what happened.
type EventKind uint8

const (
	EventDrawn      EventKind = iota + 1 // a card from the draw pile; only the drawer knows which
	EventTaken                           // the top card of the discard pile
	EventPlayed                          // a distance, remedy or safety on the seat's own table
	EventLaid                            // a hazard on another team's table
	EventDiscarded                       // face down in the classic game
	EventCoupFourre                      // an attack was answered with its safety
	EventExtended                        // the hand goes on to 1000 km
	EventStopped                         // the hand ends at 700 km
	EventTopped                          // a card was chosen to lie on top of the discard pile
	EventReshuffled                      // the discard pile became the draw pile
)

var eventNames = [...]string{
	"UNKNOWN", "DRAWN", "TAKEN", "PLAYED", "LAID", "DISCARDED", "COUP_FOURRE", "EXTENDED", "STOPPED",
	"TOPPED", "RESHUFFLED",
}

// String is the kind's name, such as COUP_FOURRE.
func (k EventKind) String() string { return nameOf(eventNames[:], k) }

// Event is one thing that happened, as you may know it.
type Event struct {
	Kind EventKind
	Seat int  // who did it
	Card Card // Hidden if you may not know it, NoCard if there is none
	Team int  // the team that a hazard was laid on, else NoTeam
}
