# Tests of the bot: sh test_racer.sh
set -eu
cd "$(dirname "$0")"
tests=0

# A prompt of a kind, with a hand, legal actions and perhaps more of the view, leads to an answer.
check() {
    view="{\"seat\":1,\"hand\":[$2],\"teams\":[{\"seats\":[0]},{\"seats\":[1]}],\"targetKm\":1000$5"
    view="$view,\"tables\":[{\"km\":0},{\"km\":900,\"acceptedCards\":[\"CARD_D25\"]}]}"
    prompt="{\"prompt\":{\"promptId\":\"p\",\"kind\":\"$1\",\"view\":$view"
    prompt="$prompt,\"legalActions\":[$3],\"defaultIndex\":0}}"
    said=$(printf '%s\n' "$prompt" | sh awk_racer.sh | tail -n 1)
    if [ "$said" != "{\"answer\":{\"promptId\":\"p\",$4}}" ]; then
        printf 'to %s\nit said %s\nand not %s\n' "$prompt" "$said" "$4" >&2
        exit 1
    fi
    tests=$((tests + 1))
}

play() { printf '{"play":{"card":"CARD_%s"}}' "$1"; }
discard() { printf '{"discard":{"card":"CARD_%s"}}' "$1"; }

# The longest distance, before a remedy and a safety.
check STAGE_PLAY '' "$(play D25),$(play D100),$(play REPAIRS),$(discard D25)" \
    '"legalIndex":1,"coupFourreOn":[]' ''
# Of cards to throw away the one that is too long for what is left to drive.
check STAGE_PLAY '' "$(discard D25),$(discard D200),$(discard REPAIRS)" \
    '"legalIndex":1,"coupFourreOn":[]' ''
# The coup fourre, wherever it stands; and standing orders for the safety in hand.
check STAGE_RESPOND '"CARD_EXTRA_TANK"' '{"pass":{}},{"coupFourre":{"card":"CARD_EXTRA_TANK"}}' \
    '"legalIndex":1,"coupFourreOn":["CARD_OUT_OF_GAS"]' ''
check STAGE_RESPOND '' '{"pass":{}}' '"legalIndex":0,"coupFourreOn":[]' ''
# The open card if the car takes it, and not if there is one in hand.
sources='{"draw":{"source":"DRAW_SOURCE_PILE"}},{"draw":{"source":"DRAW_SOURCE_DISCARD"}}'
check STAGE_DRAW '' "$sources" '"legalIndex":1,"coupFourreOn":[]' ',"discardPile":["CARD_D25"]'
check STAGE_DRAW '"CARD_D25"' "$sources" '"legalIndex":0,"coupFourreOn":[]' \
    ',"discardPile":["CARD_D25"]'
echo "$tests tests passed"
