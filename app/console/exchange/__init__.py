"""Import and export of motions: sheets, and the commands that they run."""
