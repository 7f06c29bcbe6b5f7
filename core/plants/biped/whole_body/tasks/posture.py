"""Move the joints above the legs along their reference."""

import math
from collections.abc import Callable
from operator import is_
from typing import Any

from core.compiled import bind, compiled
from core.plants.biped.whole_body.task import Task, TaskContext, TaskTargets, YieldingFeedback
from core.records import Record, record_of
from devices.interface import Floats

Settings = YieldingFeedback


@compiled
def write_posture(
    constants: Record,
    joints: Floats,
    q: Floats,
    dq: Floats,
    ddq: Floats,
    hessian: Floats,
    gradient: Floats,
) -> None:
    """Add the cost of the joints' accelerations; only the diagonal of the Hessian is touched.

    Args:
        constants: `kp`, `kd`, `sqrt_weight`, and indices `upper` of the joints (m).
        joints: `State.joints` (3, n).
        q: desired positions (m or more) [rad].
        dq: desired velocities (m or more) [rad/s].
        ddq: desired accelerations (m or more) [rad/s²].
        hessian: of the problem.
        gradient: of the problem.
    """
    constant: Any = constants[0]
    kp, kd, upper = constant.kp, constant.kd, constant.upper
    weight = constant.sqrt_weight * constant.sqrt_weight
    first = gradient.size - constant.nv + 6
    for i in range(upper.size):
        joint = upper[i]
        error = kp * (q[i] - joints[0, joint])
        desired_acceleration = ddq[i] + error + kd * (dq[i] - joints[1, joint])
        variable = first + joint
        hessian[variable, variable] += weight
        gradient[variable] -= weight * desired_acceleration


class PostureTask(Task[YieldingFeedback]):
    """Moves head and arms."""

    def __init__(self, settings: YieldingFeedback, context: TaskContext) -> None:
        model, problem = context.model, context.problem
        self._constants = record_of(
            kp=settings.kp,
            kd=settings.kd,
            sqrt_weight=math.sqrt(settings.weight),
            upper=model.upper_joints,
            nv=model.joint_count + 6,
        )
        self._joints, self._cost = context.state.joints, (problem.hessian, problem.gradient)
        self._bound: tuple[Floats | None, ...] = (None,) * 3
        self._write: Callable[[], None] = lambda: None

    def write(self, targets: TaskTargets) -> None:
        """Add the cost of this tick to the problem."""
        # Behaviour overwrites its arrays; others, as in a test, are bound anew.
        if not all(map(is_, targets, self._bound)):
            self._bound = targets
            arrays = self._constants, self._joints, *targets, *self._cost
            self._write = bind(write_posture, *arrays)
        self._write()


TASK = PostureTask
