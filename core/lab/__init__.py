"""Measures the core; the loop never imports it."""
