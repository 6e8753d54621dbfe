"""Pages for people: a competition as a folder of HTML that needs no server and no script."""
