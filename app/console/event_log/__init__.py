"""The event log: actors, actions, refusals and their reasons."""
