"""The vertical motion of the CoM: a quintic in a stance, a parabola in a flight (kernels)."""

from core.compiled import compiled
from core.constants import GRAVITY
from devices.interface import Floats


@compiled
def lay_heights(
    durations: Floats, flights: Floats, ends: Floats, start: Floats, out: Floats
) -> None:
    """Write the polynomial of each phase's height, lowest power first.

    Equation 19 of the paper gives the flight; a stance is one quintic from the state before to
    the state at its end, as the paper's one curve for a whole cycle would dip by 0.4 m.

    Args:
        durations: of the phases (n) [s].
        flights: 1 for a flight, else 0 (n).
        ends: height at the end of each phase and its first two derivatives (n, 3).
        start: the same at the begin of the first (3).
        out: coefficients by time since the begin of the phase (n, 6).
    """
    z, v, a = start[0], start[1], start[2]
    for i in range(durations.size):
        t = durations[i]
        if flights[i] > 0.0:
            out[i, 0], out[i, 1], out[i, 2] = z, v, -0.5 * GRAVITY
            out[i, 3] = out[i, 4] = out[i, 5] = 0.0
            z, v, a = z + t * (v - 0.5 * GRAVITY * t), v - GRAVITY * t, -GRAVITY
            continue
        to_z, to_v, to_a = ends[i, 0], ends[i, 1], ends[i, 2]
        way = to_z - z - t * (v + 0.5 * a * t)
        speed = t * (to_v - v - a * t)
        bend = t * t * (to_a - a)
        out[i, 0], out[i, 1], out[i, 2] = z, v, 0.5 * a
        out[i, 3] = (10.0 * way - 4.0 * speed + 0.5 * bend) / t**3
        out[i, 4] = (-15.0 * way + 7.0 * speed - bend) / t**4
        out[i, 5] = (6.0 * way - 3.0 * speed + 0.5 * bend) / t**5
        z, v, a = to_z, to_v, to_a


@compiled
def height_at(coefficients: Floats, t: float) -> tuple[float, float, float]:
    """Return a polynomial's value and first two derivatives at a time [s]."""
    c = coefficients
    return (
        c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))),
        c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * (4.0 * c[4] + t * 5.0 * c[5]))),
        2.0 * c[2] + t * (6.0 * c[3] + t * (12.0 * c[4] + t * 20.0 * c[5])),
    )
