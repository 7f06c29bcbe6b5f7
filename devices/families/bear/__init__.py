"""Westwood's BEAR actuators on RS-485."""
