"""The show on stage: preflight, the player, and the processes beside the loop."""
