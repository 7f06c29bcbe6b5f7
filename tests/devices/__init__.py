"""Tests of the bodies and boxes."""
