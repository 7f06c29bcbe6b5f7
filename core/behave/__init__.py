"""The motion of the limbs: gestures, idle motion, joystick, and the transitions between them."""
