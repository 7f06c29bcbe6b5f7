"""Raises health flags from the facts of a tick. It decides nothing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from core.compiled import compiled
from core.link.catalogue import safety
from core.link.statement import Statement
from core.robot.profile import Profile
from core.robot.thresholds import Battery, HealthSettings
from core.safety.extremes import Extremes
from core.safety.flags import Flag, Flags
from devices.interface import Floats, Sample, Support, Trouble

Indices: TypeAlias = npt.NDArray[np.intp]
SLOW_S = 0.02  # period of the checks of temperatures and battery
# An attribute access on an enumeration takes 0.1 µs in Python.
_SEATED, _FLOOR = Support.SEATED, Support.FLOOR


@compiled
def derate_windings(
    winding_c: Floats, legs: Indices, warm_c: float, hot_c: float, least: float, derate: Floats
) -> tuple[float, float]:
    """Write the torque share of each joint (n); return the hottest winding and leg winding [°C].

    The share falls from 1 at `warm_c` to `least` at `hot_c` and stays there. For a winding
    without a reading it is `least`, and the returned temperature is NaN.
    """
    for i in range(winding_c.size):
        share = (winding_c[i] - warm_c) / (hot_c - warm_c)
        share = max(0.0, share) if share < 1.0 else 1.0
        derate[i] = 1.0 - (1.0 - least) * share
    hottest_leg = -math.inf
    for leg in legs:
        # A winding without a reading counts as the hottest.
        if not winding_c[leg] <= hottest_leg:
            hottest_leg = winding_c[leg]
            if math.isnan(hottest_leg):
                break
    return winding_c.max(), hottest_leg


@dataclass(slots=True)
class HealthFacts:
    """Facts of a tick that the sample does not contain. The loop owns and overwrites them.

    Attributes:
        readable: the body has delivered a reading; until then only the stops are checked.
        support: support of the robot besides its feet.
        driven: the joints are driven, so the robot can fall.
        stepping: the feet step.
        tilt_rad: angle between the torso's vertical axis and the vertical [rad].
        base_height_m: height of the torso frame's origin above the ground [m].
        state_finite: all values of the state estimate are finite.
        command_finite: all values of the last command are finite.
        estimator_sure: the estimate agrees with the sensors.
        unsolved_s: time since the controller last found a solution [s].
        late_s: delay of the start of this tick [s]; 0 where the body waits for the loop.
        success: share of the last 100 ticks that started in time.
        operator_age_s: age of the newest operator heartbeat [s]; None if none is expected.
        handset_age_s: age of the newest frame of the handset [s]; None without a handset.
        handset_trouble: problem of the handset or its receiver; None without one.
        watchdog_alive: the watchdog process takes heartbeats, or none is needed.
        lost_siblings: names of the silent processes beside the loop.
        sound_trouble: reason for the loss of sound; None if sound works or is not requested.
        troubles: problems that the devices report, grave ones first.
        stop_pressed: STOP is latched.
        estop_open: the E-stop chain is open, or its opening is latched.
    """

    readable: bool = False
    support: Support = Support.FLOOR
    driven: bool = False
    stepping: bool = False
    tilt_rad: float = 0.0
    base_height_m: float = math.inf
    state_finite: bool = True
    command_finite: bool = True
    estimator_sure: bool = True
    unsolved_s: float = 0.0
    late_s: float = 0.0
    success: float = 1.0
    operator_age_s: float | None = None
    handset_age_s: float | None = None
    handset_trouble: Statement | None = None
    watchdog_alive: bool = True
    lost_siblings: tuple[str, ...] = ()
    sound_trouble: Statement | None = None
    troubles: tuple[Trouble, ...] = ()
    stop_pressed: bool = False
    estop_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitored:
    """The parts of a robot whose health is monitored.

    Attributes:
        joint_names: every joint, in the order of the sample (n).
        legs: indices of the leg joints.
        minor: indices of the joints that carry no weight and steer nothing (fingers, wrists).
        contacts: name of the contact of each switch, in the order of the sample.
        has_imu: the robot has an IMU, whose age is checked.
        tick_s: period of the checks [s].
    """

    joint_names: tuple[str, ...]
    legs: tuple[int, ...] = ()
    minor: tuple[int, ...] = ()
    contacts: tuple[str, ...] = ()
    has_imu: bool = True
    tick_s: float = 0.001

    @classmethod
    def of(cls, profile: Profile) -> Self:
        """Return the monitored parts of a robot."""
        light = set(profile.light_joints)
        names = profile.joint_names
        return cls(
            joint_names=names,
            legs=profile.leg_joints,
            minor=tuple(index for index, name in enumerate(names) if name in light),
            contacts=tuple(foot.name for foot in profile.contacts for _ in foot.switches),
            has_imu=profile.imu is not None,
            tick_s=profile.tick_s,
        )


class Health:
    """Raises flags. Comparisons are written so that NaN counts as a fault.

    Args:
        parts: the monitored parts.
        settings: thresholds.
        battery: thresholds of the battery; None if the robot has none.

    Attributes:
        derate: torque share of each joint (n), 0 to 1.
    """

    def __init__(self, parts: Monitored, settings: HealthSettings, battery: Battery | None) -> None:
        joint_names, legs, minor = parts.joint_names, parts.legs, parts.minor
        self.settings = settings
        self._has_imu = parts.has_imu
        self._contacts = parts.contacts
        self._battery = battery
        self.derate: Floats = np.ones(len(joint_names))
        self._names = tuple(joint_names)
        self._legs: Indices = np.array(legs, dtype=np.intp)
        taken = {*legs, *minor}
        major = np.array([i for i in range(len(joint_names)) if i not in taken], dtype=np.intp)
        joint_s, leg_s = self.settings.joint_silent_s, self.settings.leg_silent_s
        arms = (
            (major, Flag.JOINT_SILENT, joint_s),
            (np.array(minor, dtype=np.intp), Flag.MINOR_JOINT_SILENT, self.settings.minor_silent_s),
        )
        # By support (seated or not): groups of joints, the flag that their silence raises, the
        # longest silence [s]. On a seat the legs only damp and do not carry the robot.
        self._silences: dict[bool, tuple[tuple[Indices, Flag, float], ...]] = {
            True: (*arms, (self._legs, Flag.MINOR_JOINT_SILENT, joint_s)),
            False: (
                *arms,
                (self._legs, Flag.JOINT_SILENT, joint_s),
                (self._legs, Flag.LEG_SILENT, leg_s),
            ),
        }
        self._slow_every = max(1, round(SLOW_S / parts.tick_s))  # ticks
        self._ticks = 0
        self._slow_bits = 0
        self._warm = self._leg_warm = False
        self._last = Flags()

    def flags(self, sample: Sample, extremes: Extremes, facts: HealthFacts) -> Flags:
        """Return the flags of this tick.

        Args:
            sample: newest reading of the body.
            extremes: extremes of that sample.
            facts: facts that the sample does not contain.
        """
        bits = 0
        if facts.estop_open or not sample.estop_closed:
            bits |= 1 << Flag.ESTOP_OPEN
        if facts.stop_pressed:
            bits |= 1 << Flag.STOP_PRESSED
        if facts.readable:
            bits |= self._body_bits(sample, extremes, facts) | self._loop_bits(facts)
        if bits != self._last.bits:
            self._last = Flags(bits)
        return self._last

    def explain(self, flag: Flag, sample: Sample, facts: HealthFacts) -> Statement | None:
        """Return the joint, device or value behind a flag; None if the flag needs no detail."""
        ages_s = sample.joint_age_s
        if flag in (Flag.JOINT_SILENT, Flag.LEG_SILENT, Flag.MINOR_JOINT_SILENT):
            seated = facts.support is Support.SEATED
            rows = [row for row in self._silences[seated] if row[1] is flag]
            indices = np.concatenate([indices for indices, _, _ in rows])
            shares = np.concatenate([ages_s[indices] / longest_s for indices, _, longest_s in rows])
            worst = indices[int(np.argmax(shares))]
            return safety.JOINT_AGE(joint=self._names[worst], age_s=float(ages_s[worst]))
        if flag in (
            Flag.WINDING_WARM,
            Flag.LEG_WARM,
            Flag.WINDING_HOT,
            Flag.WINDING_OVERHEATED,
        ):
            indices = self._legs if flag is Flag.LEG_WARM else np.arange(len(self._names))
            worst = indices[int(np.argmax(sample.winding_c[indices]))]
            hot_c = float(sample.winding_c[worst])
            return safety.JOINT_TEMPERATURE(joint=self._names[worst], temperature_c=hot_c)
        if flag in (Flag.BATTERY_LOW, Flag.BATTERY_CRITICAL, Flag.BATTERY_FLAT):
            voltage_v, charge = float(sample.battery_v), float(sample.battery_charge)
            return safety.BATTERY_LEVEL(voltage_v=voltage_v, charge=charge)
        if flag in (Flag.IMU_LATE, Flag.IMU_LOST, Flag.IMU_LOST_STEPPING):
            return safety.AGE(age_s=float(sample.imu_age_s))
        if flag is Flag.SOUND_LOST:
            return facts.sound_trouble
        if flag is Flag.SIBLING_LOST:
            return safety.PROCESSES(names=facts.lost_siblings)
        if flag is Flag.HANDSET_SILENT:
            return facts.handset_trouble
        if flag in (Flag.DEVICE_TROUBLED, Flag.DEVICE_LOST):
            grave = flag is Flag.DEVICE_LOST
            reported = [trouble for trouble in facts.troubles if trouble.grave is grave]
            return _name(reported) if reported or not grave else self._silent_foot(sample)
        return None

    def _body_bits(self, sample: Sample, extremes: Extremes, facts: HealthFacts) -> int:
        settings, support = self.settings, facts.support
        bits = 0
        seated = support is _SEATED
        if not (facts.state_finite and math.isfinite(extremes.farthest + extremes.fastest)):
            bits |= 1 << Flag.STATE_INVALID
        if facts.driven:
            height_m, tilt_rad = settings.fall_height_m, settings.fall_tilt_rad
            stands = height_m is not None and support is _FLOOR
            low = stands and not facts.base_height_m >= (height_m or 0.0)
            if low or (tilt_rad is not None and not facts.tilt_rad <= tilt_rad):
                bits |= 1 << Flag.FALLEN
        if self._has_imu and not sample.imu_age_s <= settings.imu_late_s:
            bits |= 1 << Flag.IMU_LATE
            if not sample.imu_age_s <= settings.imu_lost_s and not seated:
                lost = Flag.IMU_LOST_STEPPING if facts.stepping else Flag.IMU_LOST
                bits |= 1 << lost
        if not extremes.oldest_s <= settings.joint_silent_s:
            bits |= self._silent_bits(sample.joint_age_s, seated)
        # Devices report troubles less often: this check does not depend on them.
        if not seated and not extremes.unfelt_s <= settings.contact_silent_s:
            bits |= 1 << Flag.DEVICE_LOST
        if self._ticks % self._slow_every == 0:
            self._slow_bits = self._winding_bits(sample, seated) | self._battery_bits(sample)
        self._ticks += 1
        return bits | self._slow_bits

    def _silent_foot(self, sample: Sample) -> Statement | None:
        """Return the contact with the oldest reading and its age; None if none is too old."""
        ages_s = sample.contact_age_s
        if not ages_s.size:
            return None
        worst = int(np.argmax(ages_s))
        if ages_s[worst] <= self.settings.contact_silent_s:
            return None
        return safety.CONTACTS_AGE(contact=self._contacts[worst], age_s=float(ages_s[worst]))

    def _silent_bits(self, age: Floats, seated: bool) -> int:
        bits = 0
        for indices, flag, longest_s in self._silences[seated]:
            if not (age[indices] <= longest_s).all():
                bits |= 1 << flag
        return bits

    def _winding_bits(self, sample: Sample, seated: bool) -> int:
        settings = self.settings
        limit_c = settings.winding_limit_c
        warm_c, hot_c = limit_c - settings.warm_below_c, limit_c - settings.hot_below_c
        hottest_c, leg_c = derate_windings(
            sample.winding_c, self._legs, warm_c, hot_c, settings.least_torque, self.derate
        )
        # A winding warms and cools by some tenths of a degree in every step.
        self._warm = not hottest_c < warm_c - (settings.cooled_below_c if self._warm else 0.0)
        rested_c = warm_c if self._leg_warm else limit_c - settings.leg_warm_below_c
        self._leg_warm = not (seated or leg_c < rested_c)
        bits = 1 << Flag.WINDING_WARM if self._warm else 0
        if self._leg_warm:
            bits |= 1 << Flag.LEG_WARM
        if not hottest_c < hot_c:
            bits |= 1 << Flag.WINDING_HOT
        if not hottest_c < limit_c:
            bits |= 1 << Flag.WINDING_OVERHEATED
        return bits

    def _battery_bits(self, sample: Sample) -> int:
        battery = self._battery
        if battery is None:
            return 0
        volts, charge = sample.battery_v, sample.battery_charge
        bits = 0
        if not (volts >= battery.low_v and charge >= battery.low_charge):
            bits |= 1 << Flag.BATTERY_LOW
        if not (volts >= battery.critical_v and charge >= battery.critical_charge):
            bits |= 1 << Flag.BATTERY_CRITICAL
        if not volts >= battery.flat_v:
            bits |= 1 << Flag.BATTERY_FLAT
        return bits

    def _loop_bits(self, facts: HealthFacts) -> int:
        settings = self.settings
        bits = 0
        if not facts.command_finite:
            bits |= 1 << Flag.COMMAND_INVALID
        if facts.unsolved_s:
            bits |= 1 << Flag.QP_UNSOLVED
            if facts.unsolved_s > settings.solver_patience_s:
                bits |= 1 << Flag.QP_FAILED
        if not facts.estimator_sure:
            bits |= 1 << Flag.ESTIMATOR_DIVERGED
        if not (facts.late_s < settings.tick_late_s and facts.success >= settings.least_success):
            bits |= 1 << Flag.TICK_LATE
            if not facts.late_s < settings.tick_stalled_s:
                bits |= 1 << Flag.TICK_STALLED
        age_s = facts.operator_age_s
        if age_s is not None and not age_s <= settings.link_silent_s:
            bits |= 1 << Flag.OPERATOR_SILENT
        age_s = facts.handset_age_s
        if age_s is not None and not age_s <= settings.link_silent_s:
            bits |= 1 << Flag.HANDSET_SILENT
        if not facts.watchdog_alive:
            bits |= 1 << Flag.WATCHDOG_LOST
        if facts.lost_siblings:
            bits |= 1 << Flag.SIBLING_LOST
        if facts.sound_trouble is not None:
            bits |= 1 << Flag.SOUND_LOST
        for trouble in facts.troubles:
            bits |= 1 << (Flag.DEVICE_LOST if trouble.grave else Flag.DEVICE_TROUBLED)
        return bits


def _name(troubles: Sequence[Trouble]) -> Statement:
    """Return the trouble of one device, or the names of several devices."""
    if len(troubles) == 1:
        return safety.DEVICE_TEXT(device=troubles[0].device, text=troubles[0].text)
    return safety.DEVICES(names=tuple(dict.fromkeys(trouble.device for trouble in troubles)))
