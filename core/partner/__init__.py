"""The partner on the stage: a person whose captured motion the robot follows."""
