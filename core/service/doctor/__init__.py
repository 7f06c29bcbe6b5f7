"""The doctor: examines the computer and the robot before a show and reports faults and remedies."""
