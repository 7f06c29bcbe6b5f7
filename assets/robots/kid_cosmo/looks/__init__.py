"""The looks of the robot child, body by body, in the frames of robot.xml."""
