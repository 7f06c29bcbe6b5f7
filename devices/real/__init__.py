"""Drivers of the robot's real devices, and of a twin's: both speak the same bytes."""
