"""Keep the contact forces small, and the pressure in the middle of a lone foot."""

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.whole_body.task import Task, TaskContext, TaskSettings, TaskTargets
from core.records import Record, record_of
from core.robot import bounds
from devices.interface import Floats


class Settings(TaskSettings, frozen=True):
    """Settings of the forces.

    Attributes:
        weight: of every force.
        pressure_weight: of the ground's moment about the middle of a lone foot.
    """

    weight: bounds.Regularisation
    pressure_weight: bounds.SmallWeight


@compiled
def write_forces(pressure: Record, hessian: Floats, stance_side: int, weight: float) -> None:
    """Add the cost of the forces.

    One foot alone carries the robot on its middle, as the pendulum of the footsteps assumes.

    Args:
        pressure: of the moments about the sole's two axes, `weights` (2), and `signs` of the
            points' levers (2, p).
        hessian: of the problem.
        stance_side: the lone foot; -1 if both stand.
        weight: of the squares of the forces.
    """
    weights, signs = pressure[0].weights, pressure[0].signs
    points = signs.shape[1]
    for column in range(6 * points):
        hessian[column, column] += weight
    if stance_side < 0:
        return
    first = 3 * points * stance_side + 2
    for axis in range(2):
        if weights[axis] != 0.0:
            for i in range(points):
                for j in range(points):
                    share = weights[axis] * signs[axis, i] * signs[axis, j]
                    hessian[first + 3 * i, first + 3 * j] += share


class ForcesTask(Task[Settings]):
    """Regularises the forces."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        contact = context.profile.contacts[0]
        halves = np.array([0.5 * (contact.toe - contact.heel), contact.half_width])
        middle = np.array([0.5 * (contact.toe + contact.heel), 0.0])
        levers = context.points.offsets[0, :, :2] - middle
        pressure = record_of(weights=settings.pressure_weight * halves**2, signs=np.sign(levers.T))
        self._legs, self._weight = context.legs, settings.weight
        self._write = bind(write_forces, pressure, context.problem.hessian)

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._legs.stance_side, self._weight)


TASK = ForcesTask
