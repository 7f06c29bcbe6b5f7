"""What goes over the wires: codecs without a device, the same for the drivers and for the twin."""
