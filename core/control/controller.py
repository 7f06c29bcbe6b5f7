"""From references to the command of every joint (paper, equation 11)."""

from core.control.inverse_kinematics import LegKinematics
from core.control.limits import damping
from core.control.whole_body import WholeBody
from core.robot.model import RobotModel
from core.robot.profile import Profile
from core.robot.state import State
from core.walk.reference import LegReference
from devices.interface import Floats, JointCommand


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
        upper, driven, command = self._upper, self._driven, self.command
        fallbacks = self.whole_body.fallbacks
        solved = self.whole_body.solve(state, self._model, legs, q[:upper], dq[:upper], ddq[:upper])
        self.failures = 0 if solved else self.failures + 1
        spare = self.whole_body.fallbacks > fallbacks
        self._qp_status = 3 if not solved else 2 if spare else 1
        self.legs.solve(state, self._model, legs)
        self._follow(q, dq)
        command.q[upper:driven] = self.legs.q.reshape(-1)
        command.dq[upper:driven] = self.legs.dq.reshape(-1)
        command.tau[:driven] = self.whole_body.torque
        return command

    def perform(self, state: State, q: Floats, dq: Floats) -> JointCommand:
        """Return the command of a robot that something else carries: the legs are damped.

        Gravity and inertia of the upper body are fed forward for the measured posture.
        """
        upper, driven, command = self._upper, self._driven, self.command
        self._qp_status = 0
        self._follow(q, dq)
        command.q[upper:driven] = state.q[upper:driven]
        command.dq[upper:driven] = 0.0
        command.kp[upper:driven] = 0.0
        command.tau[:upper] = self._model.bias[6 : 6 + upper]
        command.tau[upper:driven] = 0.0
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

    def _follow(self, q: Floats, dq: Floats) -> None:
        upper, driven, command = self._upper, self._driven, self.command
        command.q[:upper], command.q[driven:] = q[:upper], q[upper:]
        command.dq[:upper], command.dq[driven:] = dq[:upper], dq[upper:]
        command.tau[driven:] = 0.0
        command.kp[:], command.kd[:] = self._kp, self._kd
