"""How one BEAR actuator becomes one that may be used: found, cleared, set up, checked.

    FIND   torque off, ping          answered: its versions are known
    SET    mode, gains, limits       0.02 s later, as a latched error needs that long to clear
    CHECK  the same read back        equal to the byte: it may be used

Config registers are written with the torque off only: one source says that it must be.
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

PROBE_S = 0.05  # between pings of an actuator that does not answer
CLEAR_S = 0.02
OBJECT_S = 1.0  # before the settings are offered again that were not taken
MISSED = 2  # pings without an answer, until that is told


@dataclass(frozen=True, slots=True, kw_only=True)
class BearPlan:
    """One actuator, where it is and how it shall be set up. At its output, before a joint's gear.

    Attributes:
        joint: it moves.
        place: of that joint in every joint array.
        id: on its line.
        gear: turns of the actuator for one of the joint.
        sign: 1, or -1 if the joint turns against the actuator.
        zero_rad: its position where the joint's is 0 [rad].
        torque_constant: of the joint, by current [N·m/A].
        current_a: it may draw [A].
        kp: of the joint, when it is set up [N·m/rad].
        kd: likewise [N·m·s/rad].
        watchdog: for its register, in the firmware's unit; 0 leaves that as it is.
        warm_c: winding temperature at which it limits its current [°C].
        hot_c: at which it takes its torque away [°C].
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
        """A force gain of the actuator for the same one of the joint."""
        return 1.0 / (self.torque_constant * self.gear)

    def settings(self) -> tuple[tuple[Register, float], ...]:
        """Return what its config registers shall hold."""
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
    """What is to be done next."""

    FIND = "find"
    SET = "set"
    CHECK = "check"
    NONE = "none"


class Setup:
    """Leads one actuator through its setup, a request at a time.

    Attributes:
        step: what is to be done next.
        due_s: when [s].
        versions: what it answered to a ping, as hexadecimal digits; empty if it never did.
        objection: which setting it did not take, empty if none.
        missed: pings that it did not answer, since it did last.
    """

    def __init__(self, plan: BearPlan) -> None:
        self.step = Step.FIND
        self.due_s = -1.0
        self.versions = ""
        self.objection = ""
        self.missed = 0
        self._offered = False  # the settings, since it was found
        self._id = plan.id
        self._settings = dict(plan.settings())
        self._registers = tuple(self._settings)
        self._find = write(plan.id, [(TORQUE_ENABLE, TorqueEnable.OFF)]) + ping(plan.id)
        self._check = read(plan.id, self._registers)
        self._want()

    def begin(self, now_s: float, missed: int = 0) -> None:
        """Start from the beginning; `missed` as the attribute."""
        self.step, self.due_s, self.missed = Step.FIND, now_s, missed

    def recheck(self, now_s: float) -> None:
        """Look once more whether the settings are what they were."""
        if self.step is Step.NONE:
            self.step, self.due_s, self._offered = Step.CHECK, now_s, False

    def regain(self, p_gain: float, d_gain: float) -> bytes:
        """Take new force gains [A/rad], [A·s/rad] and return the request that sets them."""
        gains = ((P_GAIN_FORCE, p_gain), (D_GAIN_FORCE, d_gain))
        self._settings.update(gains)
        self._want()
        return write(self._id, gains)

    def request(self) -> tuple[bytes, int]:
        """Return what to send and how many bytes of data answer it, -1 if nothing does."""
        if self.step is Step.FIND:
            return self._find, PING_DATA
        if self.step is Step.SET:
            return self._set, -1
        return self._check, len(self._wanted)

    def proceed(self, reply: Reply | None, now_s: float) -> None:
        """Go on after a request and its answer, if there was one."""
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
        elif not self._offered:  # it has started anew meanwhile
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
