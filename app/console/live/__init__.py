"""Six small plots that matter in a show."""
