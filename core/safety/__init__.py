"""Safety functions of the core: health flags, failsafe, modes, the STOP latch and the watchdog."""
