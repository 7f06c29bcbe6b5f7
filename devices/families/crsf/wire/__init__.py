"""The protocol of the operator's radio receiver: CRSF, as ExpressLRS receivers send it."""
