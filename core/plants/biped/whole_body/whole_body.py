"""The whole-body controller: one weighted QP a tick (paper, equations 6 to 8)."""

import time

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.constraints import Constraints
from core.plants.biped.whole_body.contact_list import make_contacts
from core.plants.biped.whole_body.problem import QuadraticProgram, clear_cost
from core.plants.biped.whole_body.qp import QpResult, make_solvers
from core.plants.biped.whole_body.task import TaskContext, TaskTargets
from core.plants.biped.whole_body.task_list import make_tasks
from core.records import Record
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats


@compiled
def read_solution(
    mass_matrix: Floats, bias: Floats, contacts: Record, x: Floats, torque: Floats
) -> None:
    """Write the joint torques of a solution x (2 w + n_v) [N·m]."""
    jacobians = contacts[0].jacobians
    nv, width = mass_matrix.shape[0], jacobians.shape[1]
    for i in range(torque.size):
        total = bias[6 + i]
        for j in range(nv):
            total += mass_matrix[6 + i, j] * x[2 * width + j]
        for side in range(2):
            for j in range(width):
                total -= jacobians[side, j, 6 + i] * x[side * width + j]
        torque[i] = total


class WholeBody:
    """Builds and solves the QP over contact forces and accelerations; owns its arrays.

    Args:
        profile: of the robot.
        model: dynamics and kinematics at the state.
        state: the estimated state.
        legs: reference of legs and body.

    Raises:
        ProfileError: a task of the profile is unknown, or its settings are wrong.

    Attributes:
        problem: the QP of the last tick.
        result: the solver's result.
        torque: joint torques of the last solved tick (driven joints) [N·m].
        forces: contact forces of the last solved tick (2 p, 3) [N].
        acceleration: of the driven joints, of the last solved tick (driven joints) [rad/s²].
        fallbacks: ticks on which the first solver failed and the spare one did not.
        solve_us: wall time of the solvers in the last tick [µs].
    """

    def __init__(
        self, profile: Profile, model: RobotModel, state: State, legs: LegReference
    ) -> None:
        n, settings = model.joint_count, profile.as_biped
        self._contacts = contacts = make_contacts(profile, model)
        inequalities = 2 * len(contacts.cone) + n
        self.problem = QuadraticProgram.zeros(2 * contacts.width, n + 6, inequalities, 6)
        context = TaskContext(profile, model, contacts, self.problem, state, legs)
        self._constraints = Constraints(context)
        self._tasks = make_tasks(settings.tasks, context)
        self._solver, self._spare = make_solvers(self.problem, settings.qp)
        self.result = QpResult(np.zeros(self.problem.gradient.size), False, 0)
        self.torque: Floats = np.zeros(n)
        self.fallbacks = 0
        self.solve_us = 0.0
        self._clear = bind(clear_cost, self.problem.hessian, self.problem.gradient)
        self._x = np.zeros(self.problem.gradient.size)
        self.acceleration: Floats = self._x[2 * contacts.width + 6 :]
        self._read = bind(
            read_solution,
            model.mass_matrix,
            model.bias,
            contacts.record,
            self._x,
            self.torque,
        )
        self.forces: Floats = contacts.attach(self._x)

    def derate(self, shares: Floats) -> None:
        """Limit the joints' torques to a share of the actuators' limits (n or more)."""
        self._constraints.derate(shares)

    def solve(self, upper_q: Floats, upper_dq: Floats, upper_ddq: Floats) -> bool:
        """Solve one tick; return whether a solution was found.

        Args:
            upper_q: desired positions of the driven joints above the legs first [rad].
            upper_dq: desired velocities [rad/s].
            upper_ddq: desired accelerations [rad/s²].
        """
        problem = self.problem
        self._clear()
        self._contacts.update()
        self._constraints.write()
        targets = TaskTargets(upper_q, upper_dq, upper_ddq)
        for task in self._tasks:
            task.write(targets)
        begun_s = time.perf_counter()
        self.result = self._solver.solve(problem)
        if not self.result.solved:
            self.result = self._spare.solve(problem)
            self.fallbacks += self.result.solved
        self.solve_us = 1e6 * (time.perf_counter() - begun_s)
        if self.result.solved:
            self._x[:] = self.result.x
            self._read()
            self._contacts.read()
        return self.result.solved
