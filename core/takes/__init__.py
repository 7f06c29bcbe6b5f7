"""Recording of takes: when they begin and end, and the process that writes them."""
