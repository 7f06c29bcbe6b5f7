"""The plant of a robot with a fixed base: gravity compensation and joint servos."""

from collections.abc import Callable, Mapping

import numpy as np
import pinocchio as pin

from core.link.statement import Statement
from core.plants.interface import GroundView, PlantFacts, Solution, Wanted
from core.plants.limits import damping
from core.record.tape import Row
from core.robot.grips import Grips
from core.robot.model import load_pinocchio
from core.robot.profile import Profile
from core.robot.state import State
from devices.interface import Floats, JointCommand, Sample, Support

ARRIVED = 0.1  # largest joint error of a robot that has reached its posture [rad]


class FixedPlant:
    """Arms on a table, a talking head; see `core.plants.interface.Plant`.

    The joints follow the reference of behaviour, with the torque for gravity and the reference's
    acceleration as feedforward. A servo that takes only positions gets this torque as an offset
    of its position, torque / stiffness.
    """

    walks = False
    chooses_foot = False
    stands = True
    steps = False
    sways = False
    jumps = False

    def __init__(self, profile: Profile, support: Support) -> None:
        settings = profile.fixed
        assert settings is not None, "the profile has the table [fixed]"
        names = profile.joint_names
        self.support = support
        self.can_step = False
        self.state = State.upright(len(names), contact_count=0)
        self.newest_command = JointCommand.zeros(len(names))
        self.solution = Solution()
        self._settings = settings
        self._model = load_pinocchio(profile)
        self._grips = Grips(self._model, profile.grips)
        self.loads_kg: Mapping[str, float] = {}
        self._grip_limbs = tuple(grip.limb for grip in profile.grips)
        self._data = self._model.createData()
        numbers = [self._model.getJointId(name) for name in list(self._model.names)[1:]]
        self._driven = np.array([names.index(self._model.names[number]) for number in numbers])
        self._q_at = np.array([self._model.joints[number].idx_q for number in numbers])
        self._v_at = np.array([self._model.joints[number].idx_v for number in numbers])
        self._q, self._v = pin.neutral(self._model), np.zeros(self._model.nv)
        self._a = np.zeros(self._model.nv)
        self._upper = np.array(profile.behaviour_joints, dtype=np.intp)
        self._kp, self._kd = profile.column("kp"), profile.column("kd")
        kinds = [profile.actuators[joint.actuator].control for joint in profile.joints.rows]
        self._by_position = np.array([kind == "position" for kind in kinds])
        self._stall = profile.actuator_column("stall_torque")
        self._torque_limit = self._stall.copy()
        self._ddq = np.zeros(len(names))
        self._facts = PlantFacts(tilt_rad=0.0)

    def estimate(self, sample: Sample, limp: bool) -> None:
        """Copy the joint readings; the base does not move."""
        state = self.state
        state.stamp_s = sample.stamp_s
        state.q[:], state.dq[:], state.tau[:] = sample.q, sample.dq, sample.tau

    def facts(self, sample: Sample, driven: bool, elapsed_s: float) -> PlantFacts:
        """Return the facts of this tick; the next call overwrites them."""
        facts, settings = self._facts, self._settings
        facts.finite = bool(np.isfinite(self.state.joints).all())
        arrived = driven and self._error() < ARRIVED
        facts.risen = arrived and elapsed_s > settings.rise_s
        facts.settled = elapsed_s > settings.settle_s
        return facts

    def _error(self) -> float:
        """Return the largest distance of a joint from its command [rad]."""
        return float(np.abs(self.newest_command.q - self.state.q)[self._driven].max(initial=0.0))

    def start(self, now_s: float) -> None:
        """Restore the full torque limit."""
        self._torque_limit[:] = self._stall

    def know_place(self) -> None:
        """Do nothing: the base does not move."""

    def put_back(self) -> None:
        """Do nothing: the base does not move."""

    def command(self, now_s: float, wanted: Wanted) -> JointCommand | None:
        """Return the command that follows the reference."""
        command, upper = self.newest_command, wanted.upper
        at = self._upper
        command.q[at], command.dq[at], self._ddq[at] = upper.q, upper.dq, upper.ddq
        self._q[self._q_at] = command.q[self._driven]
        self._v[self._v_at] = command.dq[self._driven]
        self._a[self._v_at] = self._ddq[self._driven]
        torque = pin.rnea(self._model, self._data, self._q, self._v, self._a)
        limit = self._torque_limit
        command.tau[:] = 0.0
        command.tau[self._driven] = torque[self._v_at]
        np.clip(command.tau, -limit, limit, out=command.tau)
        command.kp[:], command.kd[:] = self._kp, self._kd
        servo = self._by_position
        command.q[servo] += command.tau[servo] / self._kp[servo]
        command.tau[servo] = 0.0
        return command

    def tell_loads(self, loads_kg: Mapping[str, float] | None) -> None:
        """Set the masses at the grips of limbs; None: they are empty [kg]."""
        self.loads_kg = dict(loads_kg or {})
        self._grips.carry([self.loads_kg.get(limb, 0.0) for limb in self._grip_limbs])

    def rest(self) -> None:
        """Make `newest_command` the command of a damped robot."""
        damping(self.newest_command, self._kd)

    def derate(self, shares: Floats) -> None:
        """Limit the feedforward torque to a share of the stall torque (n)."""
        np.multiply(self._stall, shares, out=self._torque_limit)

    def take_statements(self) -> tuple[Statement, ...]:
        """Return no statements."""
        return ()

    def bind_row(self, rows: Row) -> Callable[[int], None]:
        """Return a function that writes nothing."""
        return lambda place: None

    def place(self) -> tuple[float, float, float]:
        """Return the origin: the robot does not move over the ground."""
        return 0.0, 0.0, 0.0

    def sway_room(self) -> None:
        """Return None: the body has no sway of its own."""

    def view(self) -> GroundView:
        """Return no contact with the ground."""
        return GroundView()
