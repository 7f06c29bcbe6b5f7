"""The head and the walk by hand: pads on the screen and a game controller."""
