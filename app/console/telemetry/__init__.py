"""Telemetry: plots of everything that the core records, at its full rate."""
