"""Experiments: runs of the simulated robot, and the bars that they must pass."""
