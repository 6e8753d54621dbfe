"""What a bot author imports."""
