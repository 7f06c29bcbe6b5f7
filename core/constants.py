"""Physical constants that models, filters, planners and experiments share."""

GRAVITY = 9.81  # [m/s²]; the simulator's scenes have the same
