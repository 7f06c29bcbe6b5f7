"""A simulated body: a robot, its actuators, its sensors and the floor it stands on."""
