"""The record of a run: what the loop writes, the file, and how to read it."""
