"""What a server keeps: a database, and content-addressed files beside it."""
