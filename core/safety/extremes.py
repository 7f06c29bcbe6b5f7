"""The extremes of a sample: what every judgement of it begins with, found in one pass."""

import math
from dataclasses import dataclass

from core.compiled import compiled
from devices.interface import Floats, Sample


@compiled
def largest(values: Floats) -> float:
    """Return the largest magnitude; infinite if one is not a number."""
    found = 0.0
    for value in values:
        if not abs(value) <= found:
            found = abs(value) if value == value else math.inf
    return found


@compiled
def all_finite(q: Floats, dq: Floats, tau: Floats, gyro: Floats, accel: Floats) -> bool:
    """Tell whether every number of a sample's motion is one."""
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
    """Return what `Extremes` holds, in that order; the arguments are those of `Sample`."""
    finite = all_finite(q, dq, tau, gyro, accel)
    return finite, largest(q), largest(dq), largest(joint_age_s), largest(contact_age_s)


@dataclass(slots=True)
class Extremes:
    """The extremes of the sample that was looked at last; who owns it looks once a tick.

    Attributes:
        finite: every number of the joints' and the torso's motion is one.
        farthest: largest position of a joint, infinite if one is not a number [rad].
        fastest: largest velocity of a joint, likewise [rad/s].
        oldest_s: age of the joint that was silent for longest, likewise [s].
        unfelt_s: age of the contact that was silent for longest, likewise [s].
    """

    finite: bool = True
    farthest: float = 0.0
    fastest: float = 0.0
    oldest_s: float = 0.0
    unfelt_s: float = 0.0

    def look(self, sample: Sample) -> None:
        """Look at a sample."""
        self.finite, self.farthest, self.fastest, self.oldest_s, self.unfelt_s = extremes_of(
            sample.q,
            sample.dq,
            sample.tau,
            sample.gyro,
            sample.accel,
            sample.joint_age_s,
            sample.contact_age_s,
        )
