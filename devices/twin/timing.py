"""Periods of devices in a twin whose time advances in ticks."""

TICK_US = 1000  # default if a robot's profile gives none


def is_due(now_us: int, period_us: int, tick_us: int) -> bool:
    """Return whether a multiple of a period lies in the tick that ends at a time.

    Args:
        now_us: the time, a multiple of the tick [µs].
        period_us: the period [µs].
        tick_us: tick of the twin [µs].
    """
    return now_us % period_us < tick_us
