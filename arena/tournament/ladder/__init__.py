"""Running the matches of a ladder: leases, processes, spool, results and the live view.

attempt     an attempt as a value, and what travels back from the process that plays it
spool       what an attempt leaves on the disk until it is recorded
commentary  in the process that plays: public frames of what happens at the table
liveview    in the server: those frames, once they are old enough
pantry      what versions consist of, unpacked for as long as it is needed
specs       from a lease to an attempt
terms       what is agreed, as it is stored
crew        who plays attempts: processes, or whatever stands in for them
ports       what all of this needs from elsewhere, as protocols
health      whether this machine can play at present, and when it is tried again
recording   from the spool to the store, exactly once
planning    what is played next
discipline  what becomes of versions that fail
company     who works with the director, and how attempts on their way stand
director    the thread that puts all of this together
"""
