"""What the upper body does: gestures, idle life, the head by hand, and the way between them."""
