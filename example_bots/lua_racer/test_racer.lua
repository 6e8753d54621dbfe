-- Tests of the bot: lua5.4 test_racer.lua
local racer = require("racer")

local tests = 0

-- A prompt of a kind, with legal actions and perhaps more of the view, leads to a place, from 1.
local function check(what, kind, actions, wanted, more)
    local view = {
        seat = 1,
        hand = {},
        teams = { { seats = { 0 } }, { seats = { 1 } } },
        tables = { { km = 0 }, { km = 900, acceptedCards = { "CARD_D25" } } },
        targetKm = 1000,
    }
    for name, value in pairs(more or {}) do
        view[name] = value
    end
    local prompt = { kind = kind, view = view, legalActions = actions, defaultIndex = 0 }
    local chosen = racer.choose(prompt)
    assert(chosen == wanted, ("%s: chose %d, not %d"):format(what, chosen, wanted))
    tests = tests + 1
    return prompt
end

local function play(name)
    return { play = { card = "CARD_" .. name } }
end

local function discard(name)
    return { discard = { card = "CARD_" .. name } }
end

local moves = { play("D25"), play("D100"), play("REPAIRS"), discard("D25") }
check("the longest distance", "STAGE_PLAY", moves, 2)

local discards = { discard("D25"), discard("D200"), discard("REPAIRS") }
check("what is too long for the way that is left", "STAGE_PLAY", discards, 2)

local answers = { { pass = {} }, { coupFourre = { card = "CARD_EXTRA_TANK" } } }
local prompt = check("the coup fourre", "STAGE_RESPOND", answers, 2, { hand = { "CARD_EXTRA_TANK" } })
local orders = racer.orders(prompt)
assert(#orders == 1 and orders[1] == "CARD_OUT_OF_GAS", "it orders what it holds the safety for")

prompt = check("nothing but to pass", "STAGE_RESPOND", { { pass = {} } }, 1)
assert(racer.orders(prompt) == nil, "it orders nothing without a safety")

local draws = {
    { draw = { source = "DRAW_SOURCE_PILE" } },
    { draw = { source = "DRAW_SOURCE_DISCARD" } },
}
local open = { "CARD_D25" }
check("the open card, if the car takes it", "STAGE_DRAW", draws, 2, { discardPile = open })
check("not if there is one in hand", "STAGE_DRAW", draws, 1, { discardPile = open, hand = open })

print(tests .. " tests passed")
