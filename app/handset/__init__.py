"""The handset of a twin: a window with its buttons, sticks and switches."""
