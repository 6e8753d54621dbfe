package arena

// Card is one kind of card, numbered in deck order from D25 = 1 to DrivingAce = 19, as in the
// protocol. Cards of one kind are all alike. The zero value is NoCard.
type Card uint8

const (
	NoCard        Card = iota // no card at all
	D25                       // 25 km
	D50                       // 50 km
	D75                       // 75 km
	D100                      // 100 km
	D200                      // 200 km
	RedLight                  // hazard: the car stops
	SpeedLimit                // hazard: no distance above 50 km
	OutOfGas                  // hazard: the car stops
	FlatTire                  // hazard: the car stops
	Accident                  // hazard: the car stops
	GreenLight                // remedy for a red light; starts the car
	EndOfLimit                // remedy for a speed limit
	Gasoline                  // remedy for being out of gas
	SpareTire                 // remedy for a flat tire
	Repairs                   // remedy for an accident
	RightOfWay                // safety against red lights and speed limits
	ExtraTank                 // safety against running out of gas
	PunctureProof             // safety against flat tires
	DrivingAce                // safety against accidents
	Hidden                    // some card: you may not know which
)

var cardNames = [...]string{
	"NO_CARD", "D25", "D50", "D75", "D100", "D200",
	"RED_LIGHT", "SPEED_LIMIT", "OUT_OF_GAS", "FLAT_TIRE", "ACCIDENT",
	"GREEN_LIGHT", "END_OF_LIMIT", "GASOLINE", "SPARE_TIRE", "REPAIRS",
	"RIGHT_OF_WAY", "EXTRA_TANK", "PUNCTURE_PROOF", "DRIVING_ACE", "HIDDEN",
}

// String is the card's name in the notation, such as RED_LIGHT.
func (c Card) String() string { return nameOf(cardNames[:], c) }

// IsDistance tells whether the card is one of D25 to D200.
func (c Card) IsDistance() bool { return D25 <= c && c <= D200 }

// IsHazard tells whether the card is an attack on another team.
func (c Card) IsHazard() bool { return RedLight <= c && c <= Accident }

// IsRemedy tells whether the card undoes a hazard.
func (c Card) IsRemedy() bool { return GreenLight <= c && c <= Repairs }

// IsSafety tells whether the card protects from a hazard for the rest of the hand.
func (c Card) IsSafety() bool { return RightOfWay <= c && c <= DrivingAce }

// KM is how far the card drives; 0 if it is no distance.
func (c Card) KM() int {
	if !c.IsDistance() {
		return 0
	}
	return [...]int{25, 50, 75, 100, 200}[c-D25]
}

// Remedy is what undoes a hazard; NoCard for a card that is none.
func (c Card) Remedy() Card {
	if !c.IsHazard() {
		return NoCard
	}
	return c - RedLight + GreenLight
}

// Hazard is what a remedy undoes; NoCard for a card that is none.
func (c Card) Hazard() Card {
	if !c.IsRemedy() {
		return NoCard
	}
	return c - GreenLight + RedLight
}

// Safety is what answers a hazard; NoCard for a card that is none.
func (c Card) Safety() Card {
	if !c.IsHazard() {
		return NoCard
	}
	return [...]Card{RightOfWay, RightOfWay, ExtraTank, PunctureProof, DrivingAce}[c-RedLight]
}

// Cards are the 19 kinds, in deck order.
func Cards() []Card { return between(D25, DrivingAce) }

// Hazards are the five kinds of attack, in deck order.
func Hazards() []Card { return between(RedLight, Accident) }

func between(first, last Card) []Card {
	cards := make([]Card, 0, last-first+1)
	for card := first; card <= last; card++ {
		cards = append(cards, card)
	}
	return cards
}

// Counts says how many there are of each kind: counts[D100]. Element 0 is always 0.
type Counts [DrivingAce + 1]int

// Total is how many cards there are of the given kinds; without any, of all.
func (c Counts) Total(kinds ...Card) int {
	total := 0
	if len(kinds) == 0 {
		kinds = Cards()
	}
	for _, kind := range kinds {
		total += c[kind]
	}
	return total
}

func countsOf(cards []Card) Counts {
	var counts Counts
	for _, card := range cards {
		counts[card]++
	}
	return counts
}

// The decks that hands are dealt from.
var (
	classicDeck = Counts{D25: 10, 10, 10, 12, 4, 5, 4, 3, 3, 3, 14, 6, 6, 6, 6, 1, 1, 1, 1}
	shortDeck   = Counts{D25: 10, 10, 10, 12, 4, 4, 3, 2, 2, 2, 14, 6, 6, 6, 6, 1, 1, 1, 1}
	expressDeck = Counts{D25: 6, 6, 6, 10, 3, 2, 2, 2, 2, 2, 5, 4, 4, 4, 4, 1, 1, 1, 1}
)

// nameOf is the name of a number in a closed set; a number that is outside of it shows itself.
func nameOf[N ~uint8](names []string, number N) string {
	if int(number) < len(names) {
		return names[number]
	}
	return "UNKNOWN_" + itoa(int(number))
}
