"""Keep the contact forces small, and the pressure in its place under a lone foot."""

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
        pressure_weight: of the ground's moment about the place of the pressure under a lone foot.
    """

    weight: bounds.Regularisation
    pressure_weight: bounds.SmallWeight


@compiled
def write_forces(
    contacts: Record,
    pressure: Floats,
    targets: Record,
    hessian: Floats,
    stance_side: int,
    weight: float,
    half_length: float,
) -> None:
    """Add the cost of the forces.

    One foot alone carries the robot where the walker wants it, along the foot and in its middle
    across it, as the pendulum of the footsteps assumes.

    Args:
        contacts: `Contacts.record`.
        pressure: weights of the squares of the moments, over half of the foot's length and width,
            along the foot and across it (2).
        targets: `LegReference.record`.
        hessian: of the problem.
        stance_side: the lone foot; -1 if both stand.
        weight: of the squares of the forces.
        half_length: of the foot [m].
    """
    regularisation, normals = contacts[0].regularisation, contacts[0].normals
    levers = contacts[0].levers.copy()
    width = regularisation.size
    for side in range(2):
        for i in range(width):
            column = width * side + i
            hessian[column, column] += weight * regularisation[i]
    if stance_side < 0:
        return
    first = width * stance_side
    for i in normals:
        levers[0, i] -= targets[0].pressure[0] / half_length
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
        half = half_extents(context.profile.contacts[0])
        pressure = settings.pressure_weight * half**2
        self._legs, self._weight, self._half_length = context.legs, settings.weight, float(half[0])
        arrays = context.contacts.record, pressure, context.legs.record, context.problem.hessian
        self._write = bind(write_forces, *arrays)

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._legs.stance_side, self._weight, self._half_length)


TASK = ForcesTask
