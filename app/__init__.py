"""The footlight command, and later the console: it draws and asks, and decides nothing."""
