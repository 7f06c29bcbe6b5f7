"""Where the legs shall go: gait, footsteps, swing, standing balance."""
