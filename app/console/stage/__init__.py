"""The 3-D view: the robot as measured and as commanded, and the marks of its balance."""
