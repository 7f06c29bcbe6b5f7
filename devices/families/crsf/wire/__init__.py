"""The protocol of the operator's radio receiver: CRSF, as ExpressLRS receivers speak it."""
