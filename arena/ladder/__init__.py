"""The ladder: how strong entrants are, from the results of their matches."""
