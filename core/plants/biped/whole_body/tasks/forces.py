"""Keep the contact forces small, and the pressure in the middle of a lone foot."""

from core.compiled import bind, compiled
from core.plants.biped.whole_body.contacts import half_extents
from core.plants.biped.whole_body.task import Task, TaskContext, TaskSettings, TaskTargets
from core.records import Record
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
def write_forces(
    contacts: Record, pressure: Floats, hessian: Floats, stance_side: int, weight: float
) -> None:
    """Add the cost of the forces.

    One foot alone carries the robot on its middle, as the pendulum of the footsteps assumes.

    Args:
        contacts: `Contacts.record`.
        pressure: weights of the squares of the moments, over half of the foot's length and width,
            along the foot and across it (2).
        hessian: of the problem.
        stance_side: the lone foot; -1 if both stand.
        weight: of the squares of the forces.
    """
    levers, regularisation = contacts[0].levers, contacts[0].regularisation
    width = regularisation.size
    for side in range(2):
        for i in range(width):
            column = width * side + i
            hessian[column, column] += weight * regularisation[i]
    if stance_side < 0:
        return
    first = width * stance_side
    for axis in range(2):
        if pressure[axis] != 0.0:
            for i in range(width):
                for j in range(width):
                    share = pressure[axis] * levers[axis, i] * levers[axis, j]
                    if share != 0.0:
                        hessian[first + i, first + j] += share


class ForcesTask(Task[Settings]):
    """Regularises the forces."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        pressure = settings.pressure_weight * half_extents(context.profile.contacts[0]) ** 2
        self._legs, self._weight = context.legs, settings.weight
        self._write = bind(write_forces, context.contacts.record, pressure, context.problem.hessian)

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._legs.stance_side, self._weight)


TASK = ForcesTask
