"""The embedded control core: one loop that owns the robot's body."""
