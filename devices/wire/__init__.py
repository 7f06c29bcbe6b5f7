"""Codecs of the serial protocols, shared by the drivers and the twin."""
