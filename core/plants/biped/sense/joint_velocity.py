"""The velocities of the joints, from their encoders and from the planned accelerations."""

import math

from core.compiled import bind, compiled
from core.records import Record, make_record
from core.robot.state import State
from devices.interface import Floats


@compiled
def observe_velocities(
    memory: Record, planned: Floats, joints: Floats, rate: float, dt: float, follows: bool
) -> None:
    """Replace measured velocities by observed ones (a Luenberger observer of each velocity).

    Args:
        memory: `velocity` (k) [rad/s], in place.
        planned: accelerations of the last command (k) [rad/s²]; one that is not finite counts as 0.
        joints: `State.joints`; the first k velocities are overwritten (3, n).
        rate: at which an error of the observation fades [1/s].
        dt: of the tick [s].
        follows: the robot follows the plan; else the measured velocities are kept.
    """
    observed, measured = memory[0].velocity, joints[1]
    share = rate * dt / (1.0 + rate * dt)
    for i in range(planned.size):
        if not (follows and math.isfinite(observed[i])):
            observed[i] = measured[i]
            continue
        if math.isfinite(planned[i]):
            observed[i] += dt * planned[i]
        observed[i] += share * (measured[i] - observed[i])
        measured[i] = observed[i]


class JointVelocity:
    """Observes the velocities of the driven joints, so that the play of a gear excites nothing.

    An encoder sits at the motor. In the play the motor has no load: the torque that answers to a
    velocity of the whole leg throws the bare rotor to and fro, after the delay of command and
    sample, and takes the joint's mean torque away. The observer follows the encoder slowly enough
    for that, and the planned acceleration lets it keep pace with every motion that is planned.

    Args:
        rate: at which an error of the observation fades [1/s]; None: velocities stay as measured.
        planned: accelerations of the newest command, overwritten at every tick (k) [rad/s²].
        state: the estimate, whose velocities are overwritten.
        dt: period of the tick [s].
    """

    def __init__(self, rate: float | None, planned: Floats, state: State, dt: float) -> None:
        self._rate, self._dt = rate, dt
        memory = make_record(velocity=planned.size)
        self._observe = bind(observe_velocities, memory, planned, state.joints)

    def update(self, follows: bool) -> None:
        """Follow a sample that was taken into the state.

        Args:
            follows: the robot follows the planned accelerations.
        """
        if self._rate is not None:
            self._observe(self._rate, self._dt, follows)
