"""The twins of Footlight's own boards."""
