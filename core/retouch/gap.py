"""A path that begins elsewhere: the gap to it closes in a given time."""

from core.compiled import compiled


@compiled
def gap(error: float, error_rate: float, time_s: float, duration_s: float) -> tuple[float, float]:
    """Return the part of a gap that is left and its rate.

    The cubic has the gap and its rate at the start, and neither at the end.

    Args:
        error: of the position at the start.
        error_rate: of its rate at the start [1/s].
        time_s: since the start [s].
        duration_s: in which it closes [s].
    """
    if time_s >= duration_s:
        return 0.0, 0.0
    u = time_s / duration_s
    rest = 1.0 - u
    left = error * (1.0 - 3.0 * u * u + 2.0 * u * u * u)
    left += error_rate * duration_s * u * rest * rest
    rate = error * 6.0 * u * (u - 1.0) / duration_s
    rate += error_rate * (rest * rest - 2.0 * u * rest)
    return left, rate
