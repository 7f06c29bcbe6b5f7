"""Fits a unit's actuators to its joints, asked by a technician at a terminal."""
