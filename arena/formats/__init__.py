"""Formats: from the results so far to the next pairings, the table, and whether it is over."""
