"""The linear inverted pendulum, in its angular-momentum form, one horizontal axis at a time.

The state is the CoM's position x relative to the contact point [m] and the effective
velocity u = L / (m h) [m/s], with L the angular momentum about the contact point. Along a
step x' = u and u' = omega² x (Gong and Grizzle, "One-step ahead prediction of angular
momentum about the contact point"; the Kid Cosmo paper's [21]).
"""

import math

from core.compiled import compiled
from core.constants import GRAVITY
from devices.interface import Floats


def natural_frequency(height: float) -> float:
    """Return omega = sqrt(g / h) [1/s] of a pendulum of height `height` [m]."""
    return math.sqrt(GRAVITY / height)


@compiled
def propagate(x: float, u: float, omega: float, time_s: float) -> tuple[float, float]:
    """Return position [m] and effective velocity [m/s] after `time_s` [s] on the same foot."""
    c, s = math.cosh(omega * time_s), math.sinh(omega * time_s)
    return c * x + s * u / omega, omega * s * x + c * u


@compiled
def com_from_next_foot(u_end: float, u_desired: float, omega: float, step_s: float) -> float:
    """Return where the CoM shall be relative to the next foot when that foot lands [m].

    It makes the next step end with `u_desired`. This is the paper's equation 2 as Gong and
    Grizzle have it: the paper's own form divides by sinh(omega (T_s - t_c)), which vanishes at
    touchdown, and leaves the CoM's position out of the prediction of `u_end`.
    """
    c, s = math.cosh(omega * step_s), math.sinh(omega * step_s)
    return (u_desired - c * u_end) / (omega * s)


@compiled
def end_speed_for_mean(mean_speed: float, omega: float, step_s: float) -> float:
    """Return the end-of-step speed of a periodic gait whose mean speed is given [m/s].

    The paper's equation 3 sets the end-of-step speed to the command, which makes the mean
    slower by tanh(omega T / 2) / (omega T / 2).
    """
    half = 0.5 * omega * step_s
    return mean_speed * half / math.tanh(half)


@compiled
def periodic(mean_speed: float, omega: float, step_s: float, time_s: float) -> tuple[float, float]:
    """Return position [m] and speed [m/s] in a periodic gait, `time_s` [s] after mid-step."""
    half = 0.5 * step_s
    time_s = min(half, max(-half, time_s))
    peak = mean_speed * half / math.sinh(omega * half)
    return peak * math.sinh(omega * time_s), peak * omega * math.cosh(omega * time_s)


@compiled
def sway_speed(step_width: float, omega: float, step_s: float) -> float:
    """Return the lateral end-of-step speed of stepping in place [m/s].

    The paper's equation 4 with half of the step width W, as periodicity demands.
    """
    return 0.5 * step_width * omega * math.tanh(0.5 * omega * step_s)


def capture_point(x: float, u: float, omega: float) -> float:
    """Return the capture point x + u / omega [m]."""
    return x + u / omega


@compiled
def effective_velocity(
    com: Floats, contact: Floats, momentum: Floats, scale: float, u: Floats
) -> None:
    """Write u = L / (m h), with L about a contact point, in world axes (2) [m/s].

    Args:
        com: centre of mass (3) [m].
        contact: the contact point (3) [m].
        momentum: centroidal momentum, linear then angular (6).
        scale: 1 / (m h).
        u: forward from L about y, to the left from L about x.
    """
    x, y, z = com[0] - contact[0], com[1] - contact[1], com[2] - contact[2]
    u[0] = scale * (momentum[4] + z * momentum[0] - x * momentum[2])
    u[1] = -scale * (momentum[3] + y * momentum[2] - z * momentum[1])
