"""The common base of the whole-body controller's tasks."""

from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.contacts import Contacts
from core.plants.biped.whole_body.problem import QuadraticProgram
from core.records import Record, make_record
from core.robot import bounds
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats


class TaskSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a task under `[biped.tasks]`."""


class Feedback(TaskSettings, frozen=True):
    """Stiffness [1/s²], damping [1/s] and weight of a task."""

    kp: bounds.Stiffness
    kd: bounds.Damping
    weight: bounds.Weight


class YieldingFeedback(Feedback, frozen=True):
    """Feedback of a task that yields to the others; its weight is smaller."""

    weight: bounds.YieldingWeight


Settings = TypeVar("Settings", bound=TaskSettings)


class TaskContext(NamedTuple):
    """The objects that a task is built from.

    Attributes:
        profile: of the robot.
        model: dynamics and kinematics, overwritten at every tick.
        contacts: forces of the ground, overwritten at every tick.
        problem: the QP to whose cost the task adds.
        state: the estimated state, overwritten at every tick.
        legs: reference of legs and body, overwritten at every tick.
    """

    profile: Profile
    model: RobotModel
    contacts: Contacts
    problem: QuadraticProgram
    state: State
    legs: LegReference


class TaskTargets(NamedTuple):
    """The desired motion of the joints above the legs in one tick.

    Attributes:
        q: desired positions of the joints above the legs first [rad].
        dq: desired velocities of these joints [rad/s].
        ddq: desired accelerations of these joints [rad/s²].
    """

    q: Floats
    dq: Floats
    ddq: Floats


class Task(ABC, Generic[Settings]):
    """A term of the QP's cost.

    The variables are the contact forces (2 w) and the generalised accelerations (n_v).
    """

    @abstractmethod
    def __init__(self, settings: Settings, context: TaskContext) -> None:
        """Build the task from its table in the profile."""

    @abstractmethod
    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""


class FootTask(Task[Settings]):
    """A task with a separate cost for each foot.

    Consecutive foot tasks of the profile add their costs foot by foot.
    """

    @abstractmethod
    def write_foot(self, targets: TaskTargets, side: int) -> None:
        """Add the cost of one foot, 0 left or 1 right, to the problem."""

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of both feet to the problem."""
        for side in range(2):
            self.write_foot(targets, side)


def task_rows(rows: int, nv: int) -> Record:
    """Return the record of a task that is linear in the acceleration.

    Fields: its Jacobian `matrix` (rows, n_v), `desired_acceleration` (rows), which excludes the
    drift, `sqrt_weight` (rows), and `scratch` (n_v).
    """
    return make_record(matrix=(rows, nv), desired_acceleration=rows, sqrt_weight=rows, scratch=nv)


@compiled
def add_rows(rows: Record, hessian: Floats, gradient: Floats) -> None:
    """Add the weighted squared errors of a task's rows to the QP's cost."""
    task: Any = rows[0]
    matrix, scratch = task.matrix, task.scratch
    nv = matrix.shape[1]
    first = gradient.size - nv
    for row in range(matrix.shape[0]):
        weight = task.sqrt_weight[row]
        if weight == 0.0:
            continue
        for j in range(nv):
            scratch[j] = weight * matrix[row, j]
        value = weight * task.desired_acceleration[row]
        for i in range(nv):
            a = scratch[i]
            if a != 0.0:
                gradient[first + i] -= value * a
                for j in range(nv):
                    hessian[first + i, first + j] += a * scratch[j]
