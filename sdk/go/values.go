package arena

import "time"

// WindowMode is how it is found out whether an attack is answered with a coup fourré. A mode that is
// newer than this library is 0, as are the other words below.
type WindowMode uint8

const (
	WindowPrompt   WindowMode = iota + 1 // the attacked team is asked, until all have answered
	WindowSealed                         // the same, but for its full time
	WindowStanding                       // nobody is asked: standing orders decide at once
)

// String is PROMPT, SEALED, STANDING or UNKNOWN.
func (m WindowMode) String() string { return nameOf(windowNames[:], m) }

var windowNames = [...]string{"UNKNOWN", "PROMPT", "SEALED", "STANDING"}

// RejectionReason is why the default action was played for a seat.
type RejectionReason uint8

const (
	TimedOut  RejectionReason = iota + 1 // no answer came in time
	Illegal                              // the action is not among the legal ones
	Malformed                            // the answer held no action that could be read
)

// String is TIMED_OUT, ILLEGAL, MALFORMED or UNKNOWN.
func (r RejectionReason) String() string { return nameOf(rejectionNames[:], r) }

var rejectionNames = [...]string{"UNKNOWN", "TIMED_OUT", "ILLEGAL", "MALFORMED"}

// Outcome is how it ended.
type Outcome uint8

const (
	Completed Outcome = iota + 1 // all games were played out
	Forfeit                      // a bot has forfeited
	Void                         // the host has failed: it does not count and is played again
)

// String is COMPLETED, FORFEIT, VOID or UNKNOWN.
func (o Outcome) String() string { return nameOf(outcomeNames[:], o) }

var outcomeNames = [...]string{"UNKNOWN", "COMPLETED", "FORFEIT", "VOID"}

// HandEnd is why a hand is over.
type HandEnd uint8

const (
	EndTarget    HandEnd = iota + 1 // a team reached the target
	EndExhausted                    // nobody has a card any more
	EndBlocked                      // the draw pile is out and nobody can play a card
)

// String is TARGET, EXHAUSTED, BLOCKED or UNKNOWN.
func (e HandEnd) String() string { return nameOf(endNames[:], e) }

var endNames = [...]string{"UNKNOWN", "TARGET", "EXHAUSTED", "BLOCKED"}

// ScoreKind is what points are for.
type ScoreKind uint8

const (
	ScoreDistance ScoreKind = iota + 1
	ScoreSafeties
	ScoreAllSafeties
	ScoreCoupsFourres
	ScoreCompleted
	ScoreExtension
	ScoreSafeTrip
	ScoreDelayedAction
	ScoreShutout
)

// String is the line of the score sheet, such as SAFE_TRIP.
func (k ScoreKind) String() string { return nameOf(scoreNames[:], k) }

var scoreNames = [...]string{
	"UNKNOWN", "DISTANCE", "SAFETIES", "ALL_SAFETIES", "COUPS_FOURRES", "COMPLETED", "EXTENSION",
	"SAFE_TRIP", "DELAYED_ACTION", "SHUTOUT",
}

// TimeControl is how long answers may take.
type TimeControl struct {
	StartUp        time.Duration // from the start of the process until it has joined
	Turn           time.Duration // free for each prompt but those of a response window
	Bank           time.Duration // for what prompts take beyond Turn; one for each game
	ResponseWindow time.Duration // for a response, never charged to the bank
}

// FaultBudget is what a bot may do wrong in a match before it forfeits.
type FaultBudget struct {
	MaxStrikes        int // so many of them are a forfeit; 1 in strict play
	MessagesPerPrompt int // the answer and notes together
	SurplusMessages   int // messages beyond that, and answers that nobody waits for; more: a forfeit
	NoteBytes         int // bytes of a note that are kept
}

// Knowledge is who knows what at the table.
type Knowledge struct {
	DiscardsFaceDown     bool // only who discarded a card knows it
	StripedDraw          bool // the draw pile is dealt into one stripe for each seat
	FrozenBetweenPrompts bool // a bot stands still while it has no open prompt
}

// Welcome begins a game.
type Welcome struct {
	Seat       int     // yours in this game; it changes from one seating to the next
	Team       int     // yours
	Teams      [][]int // the seats of each team
	Rules      RuleSet
	Time       TimeControl
	WindowMode WindowMode
	Faults     FaultBudget
	Knowledge  Knowledge
	Game       int // number of this game, from 0
	Games      int // how many will be played on this stream
}

// Rejection says that the default action was played for you.
type Rejection struct {
	Reason  RejectionReason
	Detail  string // the same in words, with limits and values
	Played  Action // the zero Action if it is newer than this library
	Strikes int    // yours so far; a missed response window is none
}

// HandResult is the end of a hand.
type HandResult struct {
	Game, Hand int // their numbers, as in prompts
	End        HandEnd
	Winner     int                 // the team that finished or, without points, was ahead; or NoTeam
	KM         []int               // by team, bonus included
	Points     []int               // by team; empty where the game has none
	Sheets     []map[ScoreKind]int // by team, where they come from; empty where the game has none
	Scores     []int               // match points after this hand; hands won, where there are none
	GameOver   bool
	GameWinner int     // NoTeam while the game goes on, and for a draw
	Events     []Event // what happened since you were last asked
}

// MatchResult is the end of it all, for this process.
type MatchResult struct {
	Games, Won, Drawn int
	Outcome           Outcome
	Detail            string // what broke it off; empty if nothing did
}

// Lost is how many games another team won.
func (r MatchResult) Lost() int { return r.Games - r.Won - r.Drawn }
