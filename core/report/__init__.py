"""Reports of the core: telemetry, picture, alarms."""
