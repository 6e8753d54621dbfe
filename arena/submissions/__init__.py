"""What an author hands in: a folder with a `bot.toml`."""
