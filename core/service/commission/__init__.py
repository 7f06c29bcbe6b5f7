"""Commissioning: a technician assigns a unit's actuators to its joints at a terminal."""
