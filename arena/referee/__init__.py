"""One match between bots: who is asked what, until when, and what follows from what they do.

The referee owns time, the engine owns the rules, and neither knows bytes:

    runner    the driver: reads the clock, carries events in and effects out
    match     the match as a machine without I/O: `handle(event, now) -> effects`
    events    the closed sets of what can happen and of what the machine wants done
    prompts   open questions, and what became of closed ones
    clock     a bot's bank, on instants that are given
    game      one game of the match around the engine's hands
    tally     what a bot did wrong, and how long it thought
    limits    the time that bots have
    seat      what the driver talks to; `scripted` is its fake
"""
