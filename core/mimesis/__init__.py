"""Mimesis: motions that a robot knows as symbols, recognised while they happen, and its answers."""
