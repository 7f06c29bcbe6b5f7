"""The horizontal force of a push on the robot, as an offset of its centre of mass."""

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.settings import Pushed
from core.records import Record, make_record, record_of
from devices.interface import Floats


@compiled
def observe_force(
    constants: Record,
    memory: Record,
    offset: Floats,
    body: Record,
    forces: Floats,
    mass: float,
    omega2: float,
    dt: float,
) -> None:
    """Advance the observer by a tick (a Luenberger observer of the CoM's velocity).

    Args:
        constants: `rate`, the double pole of the observer [1/s], `largest` and `noticed` [m].
        memory: in place, the observed `velocity` of the CoM (2) [m/s] and the `raw` offset (2)
            [m].
        offset: output, world axes (2) [m].
        body: `RobotModel.body`; a velocity that is not finite teaches nothing.
        forces: of the last command at the contacts (2 p, 3) [N].
        mass: [kg].
        omega2: square of the pendulum's natural frequency [1/s²].
        dt: of the tick [s].
    """
    rate, largest, noticed = constants[0].rate, constants[0].largest, constants[0].noticed
    observed, raw = memory[0].velocity, memory[0].raw
    for i in range(2):
        planned = 0.0
        for k in range(forces.shape[0]):
            planned += forces[k, i]
        error = body[0].com_velocity[i] - observed[i]
        step = dt * (planned / mass + omega2 * raw[i] + 2.0 * rate * error)
        if np.isfinite(step):
            observed[i] += step
            found = raw[i] + dt * rate * rate / omega2 * error
            raw[i] = min(largest, max(-largest, found))
    size = np.hypot(raw[0], raw[1])
    # Friction and noise make a small offset of no push: it counts in full from twice as much on.
    share = min(1.0, max(0.0, size / noticed - 1.0))
    for i in range(2):
        offset[i] = share * raw[i]


class ForceObserver:
    """Finds the horizontal force of a push, whatever the feet do.

    The forces at the contacts and the push accelerate the centre of mass. Joints controlled by
    torque realise the contact forces of the command almost exactly, and the rest is the push's. A
    horizontal force F at the height z turns a pendulum of mass m like an offset F z / (m g) of its
    centre of mass; the height is taken as that of the centre of mass.

    Args:
        settings: of a robot that answers to pushes; None: `offset` stays zero.
        body: `RobotModel.body`.
        offset: array that takes the offset (2).
        dt: period of the tick [s].

    Attributes:
        offset: of the centre of mass, world axes (2) [m]; friction and noise give none.
        raw: the same without a threshold (2) [m].
    """

    def __init__(self, settings: Pushed | None, body: Record, offset: Floats, dt: float) -> None:
        self._watches = settings is not None
        rate, largest, noticed = 0.0, 0.0, 1.0
        if settings is not None:
            rate, largest = settings.observer_rate, settings.largest_offset
            noticed = max(settings.noticed_offset, 1e-6)
        self._constants = record_of(rate=rate, largest=largest, noticed=noticed)
        self._memory = make_record(velocity=2, raw=2)
        self.offset = offset
        self.raw: Floats = self._memory["raw"][0]
        self._velocity: Floats = self._memory["velocity"][0]
        self._body = body
        self._dt = dt
        self._fresh = True
        self.attach(np.zeros((4, 3)))

    def attach(self, forces: Floats) -> None:
        """Learn from the contact forces of the command, overwritten at every tick (2 p, 3) [N]."""
        arrays = self._constants, self._memory, self.offset, self._body, forces
        self._observe = bind(observe_force, *arrays)

    def watch(self, mass: float, omega: float) -> None:
        """Learn from a tick.

        Args:
            mass: of the robot [kg].
            omega: the pendulum's natural frequency [1/s].
        """
        if not self._watches:
            return
        if self._fresh:
            self._velocity[:] = self._body["com_velocity"][0][:2]
            self._fresh = False
        self._observe(mass, omega * omega, self._dt)

    def forget(self) -> None:
        """Begin anew: the robot flies, or others have held it."""
        self._fresh = True
        self.raw[:] = self.offset[:] = 0.0
