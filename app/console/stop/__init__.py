"""Stopping the robot, and letting it move again."""
