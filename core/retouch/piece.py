"""A piece of motion: the CoM of a pendulum over a pressure that moves toward its end.

The ZMP runs straight from p₀ to p_T as p(t) = p_T + (p₀ - p_T) exp(-αωt). The equations of the
paper (Sugihara and others, boundary condition relaxation) have a solution that is singular at
α = 1; the modes ξ = x + ẋ/ω and η = x - ẋ/ω solve the same motion without one.
"""

import math

from core.compiled import compiled
from devices.interface import Floats


@compiled
def mean_decay(u: float) -> float:
    """Return (1 - exp(-u)) / u, which is 1 at 0."""
    return -math.expm1(-u) / u if abs(u) > 1e-9 else 1.0 - 0.5 * u


@compiled
def effects(omega: float, alpha: float, time_s: float) -> tuple[float, float, float, float, float]:
    """Return the effect of a start and of both pressures on the modes after a time.

    ξ = E ξ₀ + (1 - E + k) p_T - k p₀ and η = e η₀ + (1 - e - j) p_T + j p₀.

    Args:
        omega: natural frequency of the pendulum [rad/s].
        alpha: rate of the pressure by the natural frequency.
        time_s: since the start [s].

    Returns:
        E = exp(ωt), e = exp(-ωt), k, j, and exp(-αωt), the share of p₀ - p_T that is left.
    """
    turn = omega * time_s
    grows, decays, leaves = math.exp(turn), math.exp(-turn), math.exp(-alpha * turn)
    k = (grows - leaves) / (1.0 + alpha)
    j = decays * turn * mean_decay((alpha - 1.0) * turn)
    return grows, decays, k, j, leaves


@compiled
def sample(piece: Floats, omega: float, alpha: float, time_s: float, out: Floats) -> None:
    """Write a piece's motion at a time.

    Args:
        piece: rows x₀ [m], ẋ₀ [m/s], p₀ [m] and p_T [m] (4, axes).
        omega: natural frequency of the pendulum [rad/s].
        alpha: rate of the pressure by the natural frequency.
        time_s: since the piece's start [s].
        out: rows position [m], velocity [m/s], acceleration [m/s²] and ZMP [m] (4, axes).
    """
    grows, decays, k, j, leaves = effects(omega, alpha, time_s)
    for axis in range(piece.shape[1]):
        x, rate, first, last = piece[0, axis], piece[1, axis], piece[2, axis], piece[3, axis]
        xi = grows * (x + rate / omega) + (1.0 - grows + k) * last - k * first
        eta = decays * (x - rate / omega) + (1.0 - decays - j) * last + j * first
        pressure = last + (first - last) * leaves
        position = 0.5 * (xi + eta)
        out[0, axis] = position
        out[1, axis] = 0.5 * omega * (xi - eta)
        out[2, axis] = omega * omega * (position - pressure)
        out[3, axis] = pressure
