-- A bot in Lua: one JSON object a line in, one out.
local json = require("cjson")
local racer = require("racer")

io.stdout:setvbuf("line")

local function say(message)
    io.write(json.encode(message), "\n")
end

say({ join = { protocolVersion = 1, botName = "lua_racer", botVersion = "1.0" } })
for line in io.lines() do
    local prompt = json.decode(line).prompt
    if prompt then
        say({
            answer = {
                promptId = prompt.promptId,
                legalIndex = racer.choose(prompt) - 1,
                coupFourreOn = racer.orders(prompt),
            },
        })
    end
end
