"""Playing a motion backward."""

from shows.motion import Motion
from shows.process.sampling import with_times


def reverse(motion: Motion) -> Motion:
    """Return a motion backward in time, with its markers and its thumbnail."""
    return with_times(motion, motion.positions[::-1], lambda time_s: motion.duration_s - time_s)
