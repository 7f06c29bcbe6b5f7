"""The inertial measurement unit 3DM-CV7-AHRS."""
