"""The operator's settings and their sheet."""
