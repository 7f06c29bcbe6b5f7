"""The gestures that can be played now: found, looked at, played and kept in order."""
