# Distance first, whatever happens: drives as far as it can, mends the car, and hurts nobody else.

BEGIN {
    split("D25 25 D50 50 D75 75 D100 100 D200 200", pairs, " ")
    for (i = 1; i < 10; i += 2) KM["CARD_" pairs[i]] = pairs[i + 1]
    split("RED_LIGHT SPEED_LIMIT OUT_OF_GAS FLAT_TIRE ACCIDENT", names, " ")
    for (i in names) HAZARD["CARD_" names[i]]
    split("GREEN_LIGHT END_OF_LIMIT GASOLINE SPARE_TIRE REPAIRS", names, " ")
    for (i in names) REMEDY["CARD_" names[i]]
    split("RIGHT_OF_WAY EXTRA_TANK PUNCTURE_PROOF DRIVING_ACE", names, " ")
    for (i in names) SAFETY["CARD_" names[i]]
    print "{\"join\":{\"protocolVersion\":1,\"botName\":\"awk_racer\",\"botVersion\":\"1.0\"}}"
    fflush()
}

/^{"prompt":/ {
    flatten($0)
    read_view()
    printf "{\"answer\":{\"promptId\":\"%s\",\"legalIndex\":%d,\"coupFourreOn\":[%s]}}\n", \
        J["prompt.promptId"], choice(J["prompt.kind"]), orders()
    fflush() # else it would be kept back until there is more
}

function read_view(    i, k, team) {
    split("", HELD)
    for (i = 0; i < J["prompt.view.hand.#"]; i++) HELD[J["prompt.view.hand." i]]++
    for (i = 0; i < J["prompt.view.teams.#"]; i++) {
        team = "prompt.view.teams." i ".seats."
        for (k = 0; k < J[team "#"]; k++) {
            if (J[team k] == J["prompt.view.seat"]) OWN = "prompt.view.tables." i "."
        }
    }
    TO_GO = J["prompt.view.targetKm"] - J[OWN "km"]
}

# The place of what is played in `legalActions`.
function choice(kind) {
    if (kind == "STAGE_PLAY") return play()
    if (kind == "STAGE_RESPOND") return found("coupFourre")
    if (kind == "STAGE_EXTEND") return 0 # 300 km more: who would stop here?
    if (kind == "STAGE_DRAW" && is_wanted(top_of_discards())) return drawn("DRAW_SOURCE_DISCARD")
    return J["prompt.defaultIndex"]
}

# Drive far, else get the car ready to drive, else throw away what drives least.
function play(    i, card, at, drive, safety, remedy, least, worth) {
    drive = safety = remedy = least = -1
    for (i = 0; i < J["prompt.legalActions.#"]; i++) {
        at = "prompt.legalActions." i "."
        card = J[at "play.card"]
        if (card in KM) drive = i # the longest comes last
        if (card in SAFETY && safety < 0) safety = i
        if (card in REMEDY && remedy < 0) remedy = i
        if (!(at "discard" in J)) continue
        card = J[at "discard.card"]
        if (least < 0 || use(card) < worth) {
            least = i
            worth = use(card)
        }
    }
    if (drive >= 0) return drive
    if (safety >= 0) return safety # and one plays again
    if (remedy >= 0) return remedy
    return least >= 0 ? least : 0 # forced play: nothing is left but an attack
}

# What a card is still good for.
function use(card) {
    if (card in HAZARD) return 0
    if (card in KM) return KM[card] <= TO_GO ? KM[card] : 1
    if (card in REMEDY && HELD[card] > 1 && card != "CARD_GREEN_LIGHT") return 10
    return 90
}

function found(name,    i) {
    for (i = 0; i < J["prompt.legalActions.#"]; i++) {
        if (("prompt.legalActions." i "." name) in J) return i
    }
    return J["prompt.defaultIndex"]
}

function drawn(source,    i) {
    for (i = 0; i < J["prompt.legalActions.#"]; i++) {
        if (J["prompt.legalActions." i ".draw.source"] == source) return i
    }
    return J["prompt.defaultIndex"]
}

function top_of_discards(    count) {
    count = J["prompt.view.discardPile.#"]
    return J["prompt.view.discardPile." (count - 1)]
}

# Whether the car needs a card now, and the hand has none.
function is_wanted(card,    i) {
    for (i = 0; i < J[OWN "acceptedCards.#"]; i++) {
        if (J[OWN "acceptedCards." i] == card) return !(card in HELD)
    }
    return 0
}

# The hazards to answer where nobody is asked: those whose safety is in hand.
function orders(    cards) {
    cards = ""
    if ("CARD_RIGHT_OF_WAY" in HELD) cards = cards ",\"CARD_RED_LIGHT\",\"CARD_SPEED_LIMIT\""
    if ("CARD_EXTRA_TANK" in HELD) cards = cards ",\"CARD_OUT_OF_GAS\""
    if ("CARD_PUNCTURE_PROOF" in HELD) cards = cards ",\"CARD_FLAT_TIRE\""
    if ("CARD_DRIVING_ACE" in HELD) cards = cards ",\"CARD_ACCIDENT\""
    return substr(cards, 2)
}
