"""The twin of BEAR actuators."""
