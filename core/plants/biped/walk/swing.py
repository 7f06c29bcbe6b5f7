"""The swing foot's path: sixth-order polynomials of the phase (paper, equation 5)."""

from core.compiled import compiled
from devices.interface import Floats


@compiled
def minimum_jerk(phase: float) -> tuple[float, float, float]:
    """Return the blend from 0 to 1 and its first two derivatives by phase.

    Velocity and acceleration vanish at both ends. With the middle fixed at one half, the
    sixth-order polynomial of the paper is this quintic.
    """
    p, q = phase, 1.0 - phase
    value = p * p * p * (10.0 + p * (6.0 * p - 15.0))
    return value, 30.0 * p * p * q * q, 60.0 * p * q * (1.0 - 2.0 * p)


@compiled
def bump(phase: float) -> tuple[float, float, float]:
    """Return 64 p³ (1 - p)³, which is 1 in the middle, and its first two derivatives.

    Added to the blend, it makes the sixth-order polynomial with a given middle.
    """
    p, q = phase, 1.0 - phase
    pq = p * q
    slope = q - p
    return 64.0 * pq**3, 192.0 * pq * pq * slope, 384.0 * pq * (slope * slope - pq)


@compiled
def swing_path(
    start: Floats,
    target: Floats,
    apex_height: float,
    phase: float,
    duration_s: float,
    out: Floats,
) -> None:
    """Write position, velocity and acceleration of the foot into `out` (3, 3).

    Args:
        start: where the foot left the ground (3) [m].
        target: where it shall land (3) [m].
        apex_height: height above the mean of both ends in mid swing [m].
        phase: 0 at lift-off, 1 at touchdown; beyond, the foot rests at the target.
        duration_s: of the swing [s].
        out: rows position [m], velocity [m/s], acceleration [m/s²].
    """
    p = min(1.0, max(0.0, phase))
    rate = 1.0 / duration_s
    blend, blend_rate, blend_curve = minimum_jerk(p)
    lift, lift_rate, lift_curve = bump(p)
    for i in range(3):
        way = target[i] - start[i]
        out[0, i] = start[i] + blend * way
        out[1, i] = blend_rate * rate * way
        out[2, i] = blend_curve * rate * rate * way
    out[0, 2] += apex_height * lift
    out[1, 2] += apex_height * lift_rate * rate
    out[2, 2] += apex_height * lift_curve * rate * rate
