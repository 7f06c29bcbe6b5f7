"""Tests of the robots' folders."""
