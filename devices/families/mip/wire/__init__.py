"""The protocol of the inertial measurement unit 3DM-CV7-AHRS: MicroStrain MIP."""
