"""The dynamics filter: one planner of standing, walking, running and jumping."""
