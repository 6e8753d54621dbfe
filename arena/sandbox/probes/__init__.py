"""What a bot's program can do and see, found out by being one: `python3 -m probes`.

The folder is copied into a sandbox and run there. So it needs nothing but the standard library, and
its modules find each other by relative imports. It prints one line of JSON (`checks.report`).

    checks     what a check is, and the list of all of them
    kernel     system calls by number, without the C library
    calls      system calls that must fail
    files      what can be written, executed or seen in the file system
    limits     how much of the machine can be taken
    identity   whose rights the program has
    privacy    what it can learn about the host and about others
"""
