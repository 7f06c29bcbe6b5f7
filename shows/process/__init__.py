"""Processing of motions: pure functions from a motion to a motion, and recipes of them."""
