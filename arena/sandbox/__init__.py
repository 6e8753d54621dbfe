"""Running somebody's program: `launcher` is what the rest sees, `process` a plain process.

A plain process is for programs that one trusts as one trusts what one starts in a terminal.
"""
