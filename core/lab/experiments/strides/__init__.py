"""The experiments of the dynamics filter."""

EXPERIMENTS = ()
