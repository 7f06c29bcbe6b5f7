"""The console's window: docks, menus, order of the Tab key."""
