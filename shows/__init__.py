"""The show document: motions, cues, and the folder or zip that holds them. Pure data."""
