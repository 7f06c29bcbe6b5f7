"""A biped that stands and walks."""
