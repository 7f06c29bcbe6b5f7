"""Keep the accelerations small, which makes the cost strictly convex."""

from core.compiled import bind, compiled
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
def write_acceleration(hessian: Floats, first: int, weight: float) -> None:
    """Add the squares of the variables from `first` on."""
    for i in range(first, hessian.shape[0]):
        hessian[i, i] += weight


class AccelerationTask(Task[Settings]):
    """Regularises the accelerations."""

    def __init__(self, settings: Settings, context: TaskContext) -> None:
        hessian = context.problem.hessian
        first = hessian.shape[0] - context.model.joint_count - 6
        self._first, self._weight = first, settings.weight
        self._write = bind(write_acceleration, hessian)

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        self._write(self._first, self._weight)


TASK = AccelerationTask
