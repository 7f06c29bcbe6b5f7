"""Periods of devices in a twin whose time goes on in ticks."""

TICK_US = 1000  # where a robot's profile gives none


def is_due(now_us: int, period_us: int, tick_us: int) -> bool:
    """Tell whether a multiple of a period lies in the tick that ends at a time.

    Args:
        now_us: the time, a multiple of the tick [µs].
        period_us: after which something happens again [µs].
        tick_us: of the twin [µs].
    """
    return now_us % period_us < tick_us
