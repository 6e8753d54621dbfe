"""Competitions: one file of regulations, a journal, and what follows from them."""
