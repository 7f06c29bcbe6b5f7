"""Codecs of the sources of human motion."""
