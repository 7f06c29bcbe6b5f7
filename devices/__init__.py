"""Every body and every box that Footlight drives: real, twin and simulated."""
