"""Tests of the upper body's behaviour."""
