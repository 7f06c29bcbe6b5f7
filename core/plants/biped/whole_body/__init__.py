"""From references to joint commands: whole-body QP, inverse kinematics, limits."""
