"""The looks of Hopkin, body by body, in the frames of robot.xml."""
