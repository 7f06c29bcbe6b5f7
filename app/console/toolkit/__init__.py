"""Additions to the Qt toolkit: theme, sheets, age of input events."""
