"""The card game: pure rules, without I/O, clock or global chance.

Start at `rules` (who is asked what, legal, apply), `view` (what a seat may know, determinize),
`deal` (from a seed to a deck), `scoring`. README.md beside this file has the tour.
"""
