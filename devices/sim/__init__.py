"""A simulated body: a robot, its actuators, its sensors and its room."""
