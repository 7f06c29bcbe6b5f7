"""Tests of the core's safety functions."""
