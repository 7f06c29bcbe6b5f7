"""Capture of human motion: what live sources send over the network, as postures of one skeleton."""
