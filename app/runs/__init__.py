"""Recorded runs: a window with their plots, picture and events, and a report on paper."""
