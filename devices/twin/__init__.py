"""The twin: one process that emulates every device's bytes on ptys, simulated by MuJoCo."""
