"""The verbs of the system: what is to be played, by whom, and what came of it.

matches    one attempt at a match as a value, before it (MatchSpec) and after it (MatchOutcome)
series     many matches between the same bots: which come next, and what counts
running    series played in a pool of processes
standings  what a series says so far, board by board
statefile  a series in a file, so that it can be taken up again
"""
