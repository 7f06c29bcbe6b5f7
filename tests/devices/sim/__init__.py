"""Tests of the simulated body."""
