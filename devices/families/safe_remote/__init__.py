"""The wireless stop."""
