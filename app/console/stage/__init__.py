"""The 3-D view: the robot as measured and as commanded, and what keeps it on its feet."""
