"""From references to the command of every joint (paper, equation 11)."""

import numpy as np

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.walk.reference import LegReference
from core.plants.biped.whole_body.inverse_kinematics import LegKinematics
from core.plants.biped.whole_body.whole_body import WholeBody
from core.plants.limits import damping
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats, JointCommand


@compiled
def write_command(
    q_wish: Floats,
    dq_wish: Floats,
    leg_q: Floats,
    leg_dq: Floats,
    tau_wish: Floats,
    kp_full: Floats,
    kd_full: Floats,
    first_leg: int,
    q: Floats,
    dq: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
) -> None:
    """Write what every joint shall do (n).

    Args:
        q_wish: positions of the joints above the legs, hands last (n - l) [rad].
        dq_wish: their velocities [rad/s].
        leg_q: positions of the legs' joints (l) [rad].
        leg_dq: their velocities [rad/s].
        tau_wish: feed-forward torques of the driven joints; the hands get none [N·m].
        kp_full: every joint's stiffness (n) [N·m/rad].
        kd_full: every joint's damping (n) [N·m·s/rad].
        first_leg: place of the first leg joint.
        q: the command's positions.
        dq: its velocities.
        tau: its torques.
        kp: its stiffness.
        kd: its damping.
    """
    legs = leg_q.size
    for i in range(q.size):
        if first_leg <= i < first_leg + legs:
            q[i], dq[i] = leg_q[i - first_leg], leg_dq[i - first_leg]
        else:
            above = i if i < first_leg else i - legs
            q[i], dq[i] = q_wish[above], dq_wish[above]
        tau[i] = tau_wish[i] if i < tau_wish.size else 0.0
        kp[i], kd[i] = kp_full[i], kd_full[i]


class Controller:
    """Owns the joint command and everything that computes it.

    Attributes:
        command: the newest command, overwritten at every tick.
        whole_body: the QP behind the feed-forward torques.
        failures: ticks in a row without a solution; the last torques are repeated meanwhile.
    """

    def __init__(self, profile: Profile, model: RobotModel) -> None:
        self._model = model
        self._driven, self._upper = model.joint_count, model.first_leg_joint
        count = len(profile.joint_names)
        self._kp, self._kd = profile.column("kp"), profile.column("kd")
        self.whole_body = WholeBody(profile, model)
        self.legs = LegKinematics()
        self._leg_q, self._leg_dq = self.legs.q.reshape(-1), self.legs.dq.reshape(-1)
        self._no_dq: Floats = np.zeros(self._driven - self._upper)
        self.command = JointCommand.zeros(count)
        self.failures = 0
        self._qp_status = 0

    @property
    def qp_status(self) -> int:
        """How the QP of the last tick ended: not run, solved, by the spare solver, unsolved."""
        return self._qp_status

    def balance(
        self, state: State, legs: LegReference, q: Floats, dq: Floats, ddq: Floats
    ) -> JointCommand:
        """Return the command of a robot on its feet.

        Args:
            state: the estimated state.
            legs: reference of legs and body.
            q: desired positions of the joints above the legs, hands last [rad].
            dq: desired velocities [rad/s].
            ddq: desired accelerations [rad/s²].
        """
        whole_body = self.whole_body
        fallbacks = whole_body.fallbacks
        solved = whole_body.solve(state, self._model, legs, q, dq, ddq)
        self.failures = 0 if solved else self.failures + 1
        spare = whole_body.fallbacks > fallbacks
        self._qp_status = 3 if not solved else 2 if spare else 1
        self.legs.solve(state, self._model, legs)
        return self._write(q, dq, self._leg_q, self._leg_dq, whole_body.torque)

    def perform(self, state: State, q: Floats, dq: Floats) -> JointCommand:
        """Return the command of a robot that something else carries: the legs are damped.

        Gravity and inertia of the upper body are fed forward for the measured posture.
        """
        upper, driven = self._upper, self._driven
        self._qp_status = 0
        gravity = self._model.bias[6 : 6 + upper]
        command = self._write(q, dq, state.q[upper:driven], self._no_dq, gravity)
        command.kp[upper:driven] = 0.0
        return command

    def derate(self, shares: Floats) -> None:
        """Let warm actuators give only a share of their torque from the next tick on (n)."""
        self.whole_body.derate(shares)

    def rest(self) -> None:
        """Make the command what a damped robot is told, for the record and for what follows."""
        self._qp_status = 0
        self.failures = 0
        self.whole_body.torque[:] = 0.0
        damping(self.command, self._kd)

    def _write(
        self, q: Floats, dq: Floats, leg_q: Floats, leg_dq: Floats, tau: Floats
    ) -> JointCommand:
        command = self.command
        write_command(
            q,
            dq,
            leg_q,
            leg_dq,
            tau,
            self._kp,
            self._kd,
            self._upper,
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
        )
        return command
