"""The link between the core and whoever asks, listens or helps."""
