"""What keeps the robot and whoever stands near it from harm, as far as software can."""
