"""The timeline of a cue: edits, and the panel that draws and makes them."""
