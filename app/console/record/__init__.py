"""Recording: limbs moved by hand, takes, and what is made of them."""
