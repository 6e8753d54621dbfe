"""The services of a ladder's server: requests in, answers out, and no policy of their own.

guard       what every call goes through: who calls, limits, threads, errors, the audit log
methods     a service as a table of its methods
remembered  answers to creating calls, for those who ask again
ladder, records, bots, operators   one service each, over the verbs of `arena.tournament`
"""
