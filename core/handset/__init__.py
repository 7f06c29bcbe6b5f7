"""The operator's handset: what its buttons and sticks ask of the robot."""
