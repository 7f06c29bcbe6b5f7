"""Running a show: the cue list, GO, the cart of pads, and the keys."""
