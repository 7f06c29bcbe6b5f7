"""The robot in the core: profile, rigid-body model and state."""
