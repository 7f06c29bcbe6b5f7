"""Looks at the computer and the robot before a show: what is wrong, and what to do."""
