"""Tests of the drivers, against ptys."""
