"""What goes over the wires: pure codecs that drivers and twin share."""
