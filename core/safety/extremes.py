"""The extremes of a sample, computed in one pass for all judgements of the sample."""

import math
from dataclasses import dataclass

from core.compiled import compiled
from devices.interface import Floats, Sample


@compiled
def largest(values: Floats) -> float:
    """Return the largest magnitude; infinity if a value is NaN."""
    found = 0.0
    for value in values:
        if not abs(value) <= found:
            found = abs(value) if value == value else math.inf
    return found


@compiled
def all_finite(q: Floats, dq: Floats, tau: Floats, gyro: Floats, accel: Floats) -> bool:
    """Return whether all values of a sample's motion are finite."""
    total = 0.0
    for i in range(q.size):
        total += q[i] + dq[i] + tau[i]
    for k in range(gyro.size):
        total += gyro[k] + accel[k]
    return math.isfinite(total)


@compiled
def extremes_of(
    q: Floats,
    dq: Floats,
    tau: Floats,
    gyro: Floats,
    accel: Floats,
    joint_age_s: Floats,
    contact_age_s: Floats,
) -> tuple[bool, float, float, float, float]:
    """Return the fields of `Extremes` in their order; the arguments are those of `Sample`."""
    finite = all_finite(q, dq, tau, gyro, accel)
    return finite, largest(q), largest(dq), largest(joint_age_s), largest(contact_age_s)


@dataclass(slots=True)
class Extremes:
    """The extremes of the newest sample. Its owner calls `look` once a tick.

    Attributes:
        finite: the motion of the joints and of the torso is finite.
        farthest: largest joint position; infinity if one is NaN [rad].
        fastest: largest joint velocity; infinity if one is NaN [rad/s].
        oldest_s: largest age of a joint's reading; infinity if one is NaN [s].
        unfelt_s: largest age of a contact's reading; infinity if one is NaN [s].
    """

    finite: bool = True
    farthest: float = 0.0
    fastest: float = 0.0
    oldest_s: float = 0.0
    unfelt_s: float = 0.0

    def look(self, sample: Sample) -> None:
        """Compute the extremes of a sample."""
        self.finite, self.farthest, self.fastest, self.oldest_s, self.unfelt_s = extremes_of(
            sample.q,
            sample.dq,
            sample.tau,
            sample.gyro,
            sample.accel,
            sample.joint_age_s,
            sample.contact_age_s,
        )
