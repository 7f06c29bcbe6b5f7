"""Retouch: a person's motion becomes one on which a robot does not fall, while it happens."""
