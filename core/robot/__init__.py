"""The robot as the core knows it: profile, rigid-body model and state."""
