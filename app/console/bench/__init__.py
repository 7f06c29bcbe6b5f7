"""Measures how soon the console hears, and whether its memory grows."""
