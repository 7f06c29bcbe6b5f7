"""Setup of one BEAR actuator: find it, clear its faults, write its settings, verify them.

    FIND   torque off, ping          answered: its versions are known
    SET    mode, gains, limits       0.02 s later, as a latched error needs that long to clear
    CHECK  the same read back        equal to the byte: the actuator may be used

Configuration registers are written with the torque off only, as one source requires.
"""

from dataclasses import dataclass
from enum import Enum

from devices.families.bear.wire.packet import PING_DATA, Reply, encode_value, ping, read, write
from devices.families.bear.wire.registers import (
    D_GAIN_FORCE,
    LIMIT_I_MAX,
    MODE,
    P_GAIN_FORCE,
    TEMP_LIMIT_HIGH,
    TEMP_LIMIT_LOW,
    TORQUE_ENABLE,
    WATCHDOG_TIMEOUT,
    ControlMode,
    Register,
    TorqueEnable,
)

PROBE_S = 0.05  # period of pings of an actuator that does not answer
CLEAR_S = 0.02
OBJECT_S = 1.0  # delay before refused settings are written again
MISSED = 2  # unanswered pings before a fault is reported


@dataclass(frozen=True, slots=True, kw_only=True)
class BearPlan:
    """One actuator and its settings, at its output, before the joint's gear.

    Attributes:
        joint: joint that it moves.
        place: index of that joint in every joint array.
        id: address on its line.
        gear: turns of the actuator per turn of the joint.
        sign: 1, or -1 if the joint turns against the actuator.
        zero_rad: position of the actuator at which the joint's position is 0 [rad].
        torque_constant: torque of the joint by current [N·m/A].
        current_a: largest current of the actuator [A].
        kp: stiffness of the joint that the setup writes [N·m/rad].
        kd: damping of the joint that the setup writes [N·m·s/rad].
        watchdog: value of its watchdog register, in the firmware's unit; 0 leaves it unchanged.
        warm_c: winding temperature at which it limits its current [°C].
        hot_c: winding temperature at which it switches its torque off [°C].
    """

    joint: str
    place: int
    id: int
    gear: float
    sign: int
    zero_rad: float
    torque_constant: float
    current_a: float
    kp: float
    kd: float
    watchdog: int
    warm_c: float
    hot_c: float

    @property
    def gain(self) -> float:
        """Force gain of the actuator for a gain of 1 at the joint."""
        return 1.0 / (self.torque_constant * self.gear)

    def settings(self) -> tuple[tuple[Register, float], ...]:
        """Return the values of its configuration registers."""
        found: tuple[tuple[Register, float], ...] = (
            (MODE, ControlMode.FORCE),
            (P_GAIN_FORCE, self.kp * self.gain),
            (D_GAIN_FORCE, self.kd * self.gain),
            (LIMIT_I_MAX, self.current_a),
            (TEMP_LIMIT_LOW, self.warm_c),
            (TEMP_LIMIT_HIGH, self.hot_c),
        )
        return (*found, (WATCHDOG_TIMEOUT, self.watchdog)) if self.watchdog else found


class Step(Enum):
    """Next step of a setup."""

    FIND = "find"
    SET = "set"
    CHECK = "check"
    NONE = "none"


class Setup:
    """Leads one actuator through its setup, one request at a time.

    Attributes:
        step: next step.
        due_s: time of the next step [s].
        versions: its answer to a ping, as hexadecimal digits; empty if it never answered.
        objection: setting that it did not accept; empty if none.
        missed: unanswered pings since the last answered one.
    """

    def __init__(self, plan: BearPlan) -> None:
        self.step = Step.FIND
        self.due_s = -1.0
        self.versions = ""
        self.objection = ""
        self.missed = 0
        self._offered = False  # writes of the settings since it was found
        self._id = plan.id
        self._settings = dict(plan.settings())
        self._registers = tuple(self._settings)
        self._find = write(plan.id, [(TORQUE_ENABLE, TorqueEnable.OFF)]) + ping(plan.id)
        self._check = read(plan.id, self._registers)
        self._want()

    def begin(self, now_s: float, missed: int = 0) -> None:
        """Restart the setup; `missed` as the attribute."""
        self.step, self.due_s, self.missed = Step.FIND, now_s, missed

    def recheck(self, now_s: float) -> None:
        """Verify again that the settings are unchanged."""
        if self.step is Step.NONE:
            self.step, self.due_s, self._offered = Step.CHECK, now_s, False

    def regain(self, p_gain: float, d_gain: float) -> bytes:
        """Take new force gains [A/rad], [A·s/rad] and return the request that writes them."""
        gains = ((P_GAIN_FORCE, p_gain), (D_GAIN_FORCE, d_gain))
        self._settings.update(gains)
        self._want()
        return write(self._id, gains)

    def request(self) -> tuple[bytes, int]:
        """Return the request of this step and the size of its reply's data; -1 without a reply."""
        if self.step is Step.FIND:
            return self._find, PING_DATA
        if self.step is Step.SET:
            return self._set, -1
        return self._check, len(self._wanted)

    def proceed(self, reply: Reply | None, now_s: float) -> None:
        """Continue after a request and its reply, if there was one."""
        if self.step is Step.SET:
            self.step, self.due_s, self._offered = Step.CHECK, now_s, True
        elif reply is None:
            self.step, self.due_s = Step.FIND, now_s + PROBE_S
            self.missed += 1
        elif self.step is Step.FIND:
            self.versions, self.missed = reply.data.hex(), 0
            self.step, self.due_s = Step.SET, now_s + CLEAR_S
        elif reply.data == self._wanted:
            self.step, self.objection = Step.NONE, ""
        elif not self._offered:  # it has restarted meanwhile
            self.step, self.due_s = Step.FIND, now_s
        else:
            self.objection = self._difference(reply)
            self.step, self.due_s = Step.FIND, now_s + OBJECT_S

    def _want(self) -> None:
        settings = tuple(self._settings.items())
        self._wanted = b"".join(encode_value(register, value) for register, value in settings)
        self._set = write(self._id, settings)

    def _difference(self, reply: Reply) -> str:
        kept = reply.values(self._registers)
        first = next(i for i in range(len(kept)) if not self._same(i, reply.data))
        register = self._registers[first]
        return f"{register.name} at {kept[first]:g} instead of {self._settings[register]:g}"

    def _same(self, i: int, data: bytes) -> bool:
        return data[4 * i : 4 * i + 4] == self._wanted[4 * i : 4 * i + 4]
