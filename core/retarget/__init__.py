"""Retargeting: from the motion of a person to trajectories of a robot's arms and head."""
