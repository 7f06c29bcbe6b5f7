"""Tests of takes."""
