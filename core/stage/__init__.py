"""The show in the core: preflight, player, and the processes beside the loop."""
