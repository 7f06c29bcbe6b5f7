"""From samples to a state: the base estimator and the contact estimator."""
