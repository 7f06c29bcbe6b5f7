"""The bench: time and memory on this computer, measured part by part."""
