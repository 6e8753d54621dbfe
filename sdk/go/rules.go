package arena

// Family is which of the three games of the rule books is played.
type Family uint8

const (
	Classic Family = iota + 1 // points, hand after hand
	Express                   // four cards, two piles to draw from, a single hand
	Plateau                   // a board with cars, a single hand
)

var familyNames = [...]string{"UNKNOWN", "CLASSIC", "EXPRESS", "PLATEAU"}

// String is CLASSIC, EXPRESS or PLATEAU.
func (f Family) String() string { return nameOf(familyNames[:], f) }

// KeepsCardsOnTable tells whether played cards stay on the table; in Plateau only tokens do.
func (f Family) KeepsCardsOnTable() bool { return f != Plateau }

// Any is Max200 where any number of 200 km cards may be played, and FirstDealer where it is the last
// seat.
const Any = -1

// RuleSet is the rules of a match, every option as a field. `arena rules` explains them. An option
// that the family does not have holds the value that changes nothing there.
type RuleSet struct {
	Preset                   string
	Family                   Family
	Target                   int // km that end a hand
	Extension                bool
	FailedExtensionBonus     bool
	Max200                   int // 200 km cards that a team may play in a hand, or Any
	LateSafetyRestarts       bool
	ExhaustedSafetyReplays   bool
	DiscardVisible           bool
	ForcedPlay               bool
	Reshuffle                bool
	DelayedActionTrigger     string // pile_empty, empty_at_turn_start
	FourSafetiesBonus        int
	ShutoutRule              string // all, any, dujardin
	MatchPoints              int
	MatchTie                 string // extra_hand, draw
	MaxHands                 int
	Deck2PReduction          bool
	AllowIndividual4         bool
	FirstDealer              int // a seat, or Any
	FirstPlayer              int
	SafetyKM                 int
	CoupFourreKM             int
	BonusOverflow            string // forfeit, clamp, allow
	ExpressSafetyDraw        string // pile, choice
	ExpressExhaustedDraw     string // none, discard, reshuffle
	ExpressStallRounds       int
	TopChoice                bool
	PlateauGreenLightToStart bool
	PlateauExhaustion        string // play_out, reshuffle
}

// IsScored tells whether a hand makes points; the other games have a winner only.
func (r *RuleSet) IsScored() bool { return r.Family == Classic }

// HandSize is how many cards a seat holds between its turns.
func (r *RuleSet) HandSize() int {
	if r.Family == Express {
		return 4
	}
	return 6
}

// Deck is what a hand for so many players is dealt from.
func (r *RuleSet) Deck(players int) Counts {
	switch {
	case r.Family == Express:
		return expressDeck
	case r.Deck2PReduction && (players == 2 || players == 3):
		return shortDeck
	}
	return classicDeck
}
