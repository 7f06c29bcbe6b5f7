"""How the centroidal inertia of a robot changes with its posture, for designers of robots."""
