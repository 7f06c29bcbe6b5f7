"""A run of the core: its processes, launch configuration and autopilot."""
