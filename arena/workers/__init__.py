"""Matches in processes of their own, behind the interface of `concurrent.futures.Executor`.

pool       what the rest sees: `MatchPool` takes tasks and settles their futures
processes  a process for each task: how it is forked, watched and ended
"""
