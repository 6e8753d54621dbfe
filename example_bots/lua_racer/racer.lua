-- Distance first, whatever happens: drives as far as it can, mends the car, and hurts nobody else.

local racer = {}

local KM = { CARD_D25 = 25, CARD_D50 = 50, CARD_D75 = 75, CARD_D100 = 100, CARD_D200 = 200 }

local HAZARDS = { -- and the safety that answers each
    { "CARD_RED_LIGHT", "CARD_RIGHT_OF_WAY" },
    { "CARD_SPEED_LIMIT", "CARD_RIGHT_OF_WAY" },
    { "CARD_OUT_OF_GAS", "CARD_EXTRA_TANK" },
    { "CARD_FLAT_TIRE", "CARD_PUNCTURE_PROOF" },
    { "CARD_ACCIDENT", "CARD_DRIVING_ACE" },
}

local KIND = {}
for card in pairs(KM) do
    KIND[card] = "distance"
end
for _, pair in ipairs(HAZARDS) do
    KIND[pair[1]], KIND[pair[2]] = "hazard", "safety"
end
for _, name in ipairs({ "GREEN_LIGHT", "END_OF_LIMIT", "GASOLINE", "SPARE_TIRE", "REPAIRS" }) do
    KIND["CARD_" .. name] = "remedy"
end

local function contains(list, wanted)
    for _, one in ipairs(list) do
        if one == wanted then
            return true
        end
    end
    return false
end

local function count(list, wanted)
    local number = 0
    for _, one in ipairs(list) do
        number = number + (one == wanted and 1 or 0)
    end
    return number
end

local function own_table(view)
    for team, one in ipairs(view.teams) do
        if contains(one.seats, view.seat) then
            return view.tables[team]
        end
    end
end

-- What a card is still good for.
local function use(card, view)
    if KIND[card] == "hazard" then
        return 0
    elseif KIND[card] == "distance" then
        return KM[card] <= view.targetKm - own_table(view).km and KM[card] or 1
    elseif KIND[card] == "remedy" and count(view.hand, card) > 1 and card ~= "CARD_GREEN_LIGHT" then
        return 10 -- one of a kind is enough
    end
    return 90
end

-- Drive far, else get the car ready to drive, else throw away what drives least.
local function play(prompt)
    local drive, safety, remedy, least
    local worth = math.huge
    for place, action in ipairs(prompt.legalActions) do
        local kind = action.play and KIND[action.play.card]
        if kind == "distance" then
            drive = place -- the longest comes last
        elseif kind == "safety" then
            safety = safety or place -- and one plays again
        elseif kind == "remedy" then
            remedy = remedy or place
        elseif action.discard and use(action.discard.card, prompt.view) < worth then
            least, worth = place, use(action.discard.card, prompt.view)
        end
    end
    return drive or safety or remedy or least or 1 -- forced play: nothing is left but an attack
end

-- Take the open card if the car needs it now.
local function draw(prompt)
    local view = prompt.view
    local top = view.discardPile[#view.discardPile]
    if contains(own_table(view).acceptedCards, top) and not contains(view.hand, top) then
        for place, action in ipairs(prompt.legalActions) do
            if action.draw.source == "DRAW_SOURCE_DISCARD" then
                return place
            end
        end
    end
    return prompt.defaultIndex + 1
end

local function respond(prompt)
    for place, action in ipairs(prompt.legalActions) do
        if action.coupFourre then
            return place
        end
    end
    return prompt.defaultIndex + 1
end

local function extend()
    return 1 -- 300 km more: who would stop here?
end

local ANSWERS = {
    STAGE_PLAY = play,
    STAGE_DRAW = draw,
    STAGE_RESPOND = respond,
    STAGE_EXTEND = extend,
}

-- The place of what is played in `legalActions`, which Lua counts from 1.
function racer.choose(prompt)
    local answer = ANSWERS[prompt.kind]
    return answer and answer(prompt) or prompt.defaultIndex + 1
end

-- The hazards to answer where nobody is asked: those whose safety is in hand; nil if there are
-- none, because an empty table would be written as an object.
function racer.orders(prompt)
    local orders = {}
    for _, pair in ipairs(HAZARDS) do
        if contains(prompt.view.hand, pair[2]) then
            orders[#orders + 1] = pair[1]
        end
    end
    return #orders > 0 and orders or nil
end

return racer
