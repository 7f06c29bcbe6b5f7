"""From references to the command of every joint (paper, equation 11)."""

from collections.abc import Callable
from operator import is_

import numpy as np

from core.compiled import bind, compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.inverse_kinematics import LegKinematics
from core.plants.biped.whole_body.whole_body import WholeBody
from core.plants.limits import damping
from core.records import Record, record_of
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats, JointCommand


@compiled
def write_command(
    constants: Record,
    above_q: Floats,
    above_dq: Floats,
    legs: Floats,
    torque: Floats,
    q: Floats,
    dq: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
) -> None:
    """Write the command of every joint (n).

    Args:
        constants: indices `legs` (l) and `above` (n - l) of the joints of the legs and of the
            others, stiffness `kp` (n) [N·m/rad] and damping `kd` (n) [N·m·s/rad].
        above_q: desired positions of the joints of no leg, hands last (n - l) [rad].
        above_dq: desired velocities of these joints [rad/s].
        legs: positions and velocities of the joints of the legs (2, l) [rad], [rad/s].
        torque: feed-forward torques of the driven joints; the others get none [N·m].
        q: positions, output [rad].
        dq: velocities, output [rad/s].
        tau: torques, output [N·m].
        kp: stiffness, output [N·m/rad].
        kd: damping, output [N·m·s/rad].
    """
    for i in range(q.size):
        tau[i] = torque[i] if i < torque.size else 0.0
        kp[i], kd[i] = constants[0].kp[i], constants[0].kd[i]
    for i in range(constants[0].legs.size):
        joint = constants[0].legs[i]
        q[joint], dq[joint] = legs[0, i], legs[1, i]
    for i in range(constants[0].above.size):
        joint = constants[0].above[i]
        q[joint], dq[joint] = above_q[i], above_dq[i]


class Controller:
    """Owns the joint command and everything that computes it.

    Args:
        profile: of the robot.
        model: dynamics and kinematics at the state.
        state: the estimated state.
        legs: reference of legs and body.

    Attributes:
        command: the newest command, overwritten at every tick.
        whole_body: the QP of the feed-forward torques.
        failures: ticks in a row without a solution; the last torques are repeated meanwhile.
    """

    def __init__(
        self, profile: Profile, model: RobotModel, state: State, legs: LegReference
    ) -> None:
        self._model, self._state = model, state
        count = len(profile.joint_names)
        self._leg_joints = model.leg_joints.reshape(-1)
        self._kd = profile.column("kd")
        self._constants = record_of(
            legs=self._leg_joints,
            above=np.delete(np.arange(count), self._leg_joints),
            kp=profile.column("kp"),
            kd=self._kd,
        )
        self.whole_body = WholeBody(profile, model, state, legs)
        self.legs = LegKinematics(model, state, legs, self.whole_body.forces)
        self._legs: Floats = self.legs.solution.reshape(2, -1)
        self._measured: Floats = np.zeros((2, self._leg_joints.size))
        self._gravity: Floats = np.zeros(model.joint_count)
        self.command = JointCommand.zeros(count)
        self.failures = 0
        self._qp_status = 0
        self._bound: tuple[Floats | None, ...] = (None,) * 4
        self._write_command: Callable[[], None] = lambda: None

    @property
    def qp_status(self) -> int:
        """Result of the last tick's QP: 0 not run, 1 solved, 2 by the spare solver, 3 unsolved."""
        return self._qp_status

    def balance(self, q: Floats, dq: Floats, ddq: Floats) -> JointCommand:
        """Return the command of a robot on its feet.

        Args:
            q: desired positions of the joints of no leg, hands last [rad].
            dq: desired velocities [rad/s].
            ddq: desired accelerations [rad/s²].
        """
        whole_body = self.whole_body
        fallbacks = whole_body.fallbacks
        solved = whole_body.solve(q, dq, ddq)
        self.failures = 0 if solved else self.failures + 1
        spare = whole_body.fallbacks > fallbacks
        self._qp_status = 3 if not solved else 2 if spare else 1
        self.legs.solve()
        return self._write(q, dq, self._legs, whole_body.torque)

    def perform(self, q: Floats, dq: Floats) -> JointCommand:
        """Return the command of a robot that a seat or a gantry carries: the legs are damped.

        Gravity and inertia of the upper body are fed forward for the measured posture.
        """
        legs, upper = self._leg_joints, self._model.upper_joints
        self._qp_status = 0
        self._measured[0] = self._state.q[legs]
        self._gravity[upper] = self._model.bias[6 + upper]
        command = self._write(q, dq, self._measured, self._gravity)
        command.kp[legs] = 0.0
        return command

    def derate(self, shares: Floats) -> None:
        """Limit warm actuators to a share of their torque from the next tick on (n)."""
        self.whole_body.derate(shares)

    def rest(self) -> None:
        """Make the command that of a damped robot, for the record and for the next mode."""
        self._qp_status = 0
        self.failures = 0
        self.whole_body.torque[:] = 0.0
        damping(self.command, self._kd)

    def _write(self, q: Floats, dq: Floats, legs: Floats, tau: Floats) -> JointCommand:
        command, arrays = self.command, (q, dq, legs, tau)
        # Behaviour overwrites its arrays; others, as in a test, are bound anew.
        if not all(map(is_, arrays, self._bound)):
            outputs = command.q, command.dq, command.tau, command.kp, command.kd
            self._bound = arrays
            self._write_command = bind(write_command, self._constants, *arrays, *outputs)
        self._write_command()
        return command
