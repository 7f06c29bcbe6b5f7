"""One tick of the core, and the loop that runs it."""
