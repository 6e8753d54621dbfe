"""One match between bots: who is asked what, until when, and what follows from what they do.

The referee owns time, the engine owns the rules, and neither knows bytes:

    runner    the driver: reads the clock, carries events in and effects out
    match     the match as a machine without I/O: `handle(event, now) -> effects`
    events    the closed sets of what can happen and of what the machine wants done
    game      one game of the match around the engine's hands; what was agreed
    roster    who is there, and what they have done wrong: strikes, budgets, forfeits
    prompts   open questions, and what became of closed ones
    window    the response window
    clock     a bot's bank, on instants that are given
    verdict   how it ended, in words and in ranks
    tally     what a bot did wrong, and how long it thought
    limits    what bots are allowed, in time and in faults
    seat      what the driver talks to; `scripted` is its fake

    record    writes what happened, hash-chained; README.md here has the format to the byte
    reading, entries, heading               read it
    verifying, matchcheck, gamecheck, accounts    hold it against the rules and the agreement
    replay    walks through it
"""
