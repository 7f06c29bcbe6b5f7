"""Drivers of the robot's real devices and of a twin's, which use the same bytes."""
