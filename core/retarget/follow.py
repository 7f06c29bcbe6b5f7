"""A path that joints can follow: smooth, and within their speed and acceleration, without lag."""

import math

import numpy as np

from core.compiled import compiled
from devices.interface import Floats

_REACH = 4.0  # half width of the low-pass's kernel, in its standard deviations
_BRAKING = 0.9  # share of the acceleration that the brake before a joint's limit counts on


def smoothed(path: Floats, rate_hz: float, deviation_s: float) -> Floats:
    """Return a path without its fast parts; the low-pass shifts no part in time.

    The kernel is 2g - g*g for a Gaussian g ("twicing", Tukey 1977): it keeps cubic polynomials,
    and its gain at a frequency f is 1 - (1 - exp(-(2πfσ)²/2))².

    Args:
        path: positions (k, n) [rad]; both ends go on as their mirror image through the end.
        rate_hz: samples by time [Hz].
        deviation_s: standard deviation σ of the Gaussian [s].
    """
    half = math.ceil(_REACH * deviation_s * rate_hz)
    if half == 0 or len(path) < 3:
        return path.copy()
    times = np.arange(-half, half + 1) / rate_hz
    gauss = np.exp(-0.5 * (times / deviation_s) ** 2)
    gauss /= gauss.sum()
    kernel = -np.convolve(gauss, gauss)
    kernel[half : 3 * half + 1] += 2.0 * gauss
    width = 2 * half
    extended = np.pad(path, ((width, width), (0, 0)), mode="reflect", reflect_type="odd")
    columns = [np.convolve(column, kernel, mode="valid") for column in extended.T]
    result: Floats = np.stack(columns, axis=1)
    return result


def follow(
    path: Floats,
    rate_hz: float,
    lower: Floats,
    upper: Floats,
    speed: Floats,
    acceleration: Floats,
    gain: float,
) -> Floats:
    """Return the path of joints that follow another one as far as their limits allow.

    A follower runs forward and another one backward, both at up to twice the limits; their mean
    neither lags nor leads, and crosses a jump at the limits around its middle. Two more, at the
    limits, follow that mean: their own mean keeps the limits, as both do. Where no limit holds them
    back the result is the given path.

    Args:
        path: positions (k, n) [rad].
        rate_hz: samples by time [Hz].
        lower: smallest positions (n) [rad].
        upper: largest positions (n) [rad].
        speed: largest speeds (n) [rad/s].
        acceleration: largest accelerations (n) [rad/s²].
        gain: of the follower's error [1/s].
    """
    gain = min(gain, 0.9 * rate_hz)
    path = np.clip(path, lower, upper)
    for excess in (2.0, 1.0):
        limits = (lower, upper, excess * speed, excess * acceleration, 1.0 / rate_hz, gain)
        forward, backward = np.empty_like(path), np.empty_like(path)
        _follow(np.ascontiguousarray(path), *limits, forward)
        _follow(np.ascontiguousarray(path[::-1]), *limits, backward)
        path = 0.5 * (forward + backward[::-1])
    return path


@compiled
def _follow(
    path: Floats,
    lower: Floats,
    upper: Floats,
    speed: Floats,
    acceleration: Floats,
    dt: float,
    gain: float,
    result: Floats,
) -> None:
    """Write the path of a follower that knows the speed of its reference (k, n)."""
    for j in range(path.shape[1]):
        most = acceleration[j]
        brake = _BRAKING * most
        q = path[0, j]
        v = min(max((path[1, j] - path[0, j]) / dt, -speed[j]), speed[j])
        # At the start it moves as fast as it can still be stopped before a limit.
        v = min(v, math.sqrt(2.0 * brake * max(upper[j] - q, 0.0)))
        v = max(v, -math.sqrt(2.0 * brake * max(q - lower[j], 0.0)))
        result[0, j] = q
        for t in range(1, path.shape[0]):
            error = path[t - 1, j] - q
            pull = min(gain * abs(error), math.sqrt(most * abs(error)))
            wanted = (path[t, j] - path[t - 1, j]) / dt + math.copysign(pull, error)
            wanted = min(max(wanted, v - most * dt), v + most * dt)
            wanted = min(max(wanted, -speed[j]), speed[j])
            ramp = brake * dt
            high = math.sqrt(ramp * ramp + 2.0 * brake * max(upper[j] - q, 0.0)) - ramp
            low = math.sqrt(ramp * ramp + 2.0 * brake * max(q - lower[j], 0.0)) - ramp
            v = min(max(wanted, -low), high)
            q = min(max(q + v * dt, lower[j]), upper[j])
            result[t, j] = q
