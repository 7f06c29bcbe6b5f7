"""Who did what, what was refused, and why."""
