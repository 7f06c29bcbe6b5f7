"""The clock of the real devices."""

import select
import time
from collections.abc import Sequence


class MonotonicTimekeeper:
    """The computer's monotonic clock."""

    def now_s(self) -> float:
        """Return the monotonic time [s]."""
        return time.monotonic()

    def wait_until(self, stamp_s: float) -> float:
        """Wait for an absolute time [s] and return how late it is [s]."""
        left_s = stamp_s - time.monotonic()
        if left_s > 0.0:
            time.sleep(left_s)
            left_s = stamp_s - time.monotonic()
        return max(-left_s, 0.0)

    def wait_readable(self, descriptors: Sequence[int], until_s: float) -> bool:
        """Wait until a file descriptor has bytes or a time is reached [s]; return whether one has.

        A descriptor that was hung up counts as readable.
        """
        # select, because Python's poll and epoll round a wait up to a whole millisecond.
        left_s = max(until_s - time.monotonic(), 0.0)
        return bool(select.select(descriptors, (), (), left_s)[0])
