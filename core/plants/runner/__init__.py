"""The plant of a biped with position servos that walks, runs and jumps by the dynamics filter."""
