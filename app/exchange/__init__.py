"""Motions from other programs and for them: what the commands and the console share."""
