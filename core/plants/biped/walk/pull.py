"""A steady pull at a robot that a person guides, as an offset of its centre of mass."""

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.settings import Guided
from core.records import Record, make_record, record_of
from devices.interface import Floats


@compiled
def observe_pull(
    constants: Record,
    memory: Record,
    body: Record,
    bias: Floats,
    omega2: float,
    dt: float,
) -> None:
    """Advance the observer by a tick (a Luenberger observer of the CoM's velocity).

    Args:
        constants: `rate`, the double pole of the observer [1/s], and `largest` [m].
        memory: `velocity`, the observed velocity of the CoM (2) [m/s], and `offset` (2) [m], in
            place; `asked`, the horizontal acceleration of the last command (2) [m/s²].
        body: `RobotModel.body`; a velocity that is not finite teaches nothing.
        bias: true minus modelled CoM, which no pull makes, world axes (2) [m].
        omega2: square of the pendulum's natural frequency [1/s²].
        dt: of the tick [s].
    """
    rate, largest = constants[0].rate, constants[0].largest
    observed, offset, asked = memory[0].velocity, memory[0].offset, memory[0].asked
    for i in range(2):
        error = body[0].com_velocity[i] - observed[i]
        step = dt * (asked[i] + omega2 * (bias[i] + offset[i]) + 2.0 * rate * error)
        if np.isfinite(step):
            observed[i] += step
            found = offset[i] + dt * rate * rate / omega2 * error
            offset[i] = min(largest, max(-largest, found))


@compiled
def lean_back(constants: Record, memory: Record, x: float, y: float, dt: float) -> None:
    """Move the lean toward a share of the offset, against it and at a limited speed.

    Args:
        constants: `share`, `lean`, the largest lean [m], and `speed` [m/s].
        memory: `offset` (2) [m] and, in place, `lean` (2) [m].
        x: the lean without a pull, world axes [m].
        y: likewise [m].
        dt: of the tick [s].
    """
    given, lean, step = constants[0], memory[0].lean, constants[0].speed * dt
    for i in range(2):
        target = min(given.lean, max(-given.lean, -given.share * memory[0].offset[i]))
        target += y if i else x
        lean[i] += min(step, max(-step, target - lean[i]))


class PullObserver:
    """Finds how a person pulls at a standing robot, and leans it against the pull.

    A horizontal force F at the height z turns a pendulum of mass m like an offset F z / (m g) of
    its centre of mass. The offset is what the commanded acceleration does not explain.

    Args:
        settings: of a guided robot.
        body: `RobotModel.body`.
        bias: true minus modelled CoM, overwritten by its owner, world axes (2) [m].
        dt: period of the tick [s].

    Attributes:
        offset: of the centre of mass, world axes (2) [m].
        lean: where the capture point shall be, from the middle of the feet, world axes (2) [m].
    """

    def __init__(self, settings: Guided, body: Record, bias: Floats, dt: float) -> None:
        constants = record_of(
            rate=settings.observer_rate,
            largest=settings.largest_offset,
            share=settings.lean_share,
            lean=settings.largest_lean,
            speed=settings.lean_speed,
        )
        memory = make_record(velocity=2, offset=2, asked=2, lean=2)
        self.offset: Floats = memory["offset"][0]
        self.lean: Floats = memory["lean"][0]
        self._velocity: Floats = memory["velocity"][0]
        self._asked: Floats = memory["asked"][0]
        self._body_velocity: Floats = body["com_velocity"][0]
        self._dt = dt
        self._observes = self._leans = False
        self._observe = bind(observe_pull, constants, memory, body, bias)
        self._lean_back = bind(lean_back, constants, memory)

    @property
    def active(self) -> bool:
        """The robot is guided, or still leans."""
        return self._leans

    def watch(self, omega: float, x: float, y: float) -> None:
        """Learn from a tick of a guided, standing robot.

        Args:
            omega: the pendulum's natural frequency [1/s].
            x: the lean without a pull, world axes [m].
            y: likewise [m].
        """
        if not self._observes:
            self._velocity[:] = self._body_velocity[:2]
            self._asked[:] = 0.0
            self._observes = self._leans = True
        self._observe(omega * omega, self._dt)
        self._lean_back(x, y, self._dt)

    def asked(self, acceleration: Floats) -> None:
        """Remember the acceleration that this tick commands (2) [m/s²]."""
        self._asked[:] = acceleration

    def rest(self) -> None:
        """Forget the pull: nobody guides the robot, or it does not stand; the lean fades."""
        self._observes = False
        if self._leans:
            self.offset[:] = 0.0
            self._lean_back(0.0, 0.0, self._dt)
            self._leans = bool(self.lean.any())
