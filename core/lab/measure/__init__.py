"""Measures of a run: gait, energy, optimality, estimation error, plots."""
