"""Keep the accelerations small, which makes the cost strictly convex."""

from core.compiled import compiled
from core.plants.biped.whole_body.task import Task, TaskContext, TaskSettings, TaskTargets
from core.robot import bounds
from devices.interface import Floats


class Settings(TaskSettings, frozen=True):
    """Settings of the regularisation.

    Attributes:
        weight: of every acceleration.
    """

    weight: bounds.Regularisation


@compiled
def write_acceleration(first: int, weight: float, hessian: Floats) -> None:
    """Add the squares of the variables from `first` on."""
    for i in range(first, hessian.shape[0]):
        hessian[i, i] += weight


class AccelerationTask(Task[Settings]):
    """Regularises the accelerations."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        hessian = context.problem.hessian
        first = hessian.shape[0] - context.model.joint_count - 6
        self._arguments = first, settings.weight, hessian

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        write_acceleration(*self._arguments)


TASK = AccelerationTask
