"""Looks at a tick's facts and raises flags. Decides nothing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from core.compiled import compiled
from core.link.catalogue import safety
from core.link.statement import Statement
from core.safety.extremes import Extremes
from core.safety.flags import Flag, Flags
from devices.interface import Floats, Sample, Support, Trouble

Positive = Annotated[float, Meta(gt=0.0, le=1e4)]
Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]
Places: TypeAlias = npt.NDArray[np.intp]
# Python takes 0.1 µs to look a member of an enumeration up.
_SEATED, _FLOOR = Support.SEATED, Support.FLOOR


class HealthSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where health ends.

    Attributes:
        fall_tilt_rad: a torso that leans more has fallen [rad].
        fall_height_m: a torso frame's origin that is lower above the ground has fallen [m].
        qp_patience_ticks: so many unsolved ticks in a row are bridged by the last command.
        imu_late_s: an IMU packet older than this is predicted [s].
        imu_lost_s: an IMU packet older than this is lost [s].
        joint_silent_s: an actuator's reply older than this is a fault [s].
        leg_silent_s: the same for a leg, which then cannot balance [s].
        contact_silent_s: a foot's contact that was silent for longer is unknown [s].
        minor_silent_s: the same for a wrist or a finger, whose boards tell less often [s].
        winding_limit_c: where a winding is too hot [°C].
        warm_below_c: so far below the limit, derating begins [°C].
        cooled_below_c: so far below that, a warm winding has cooled [°C].
        leg_warm_below_c: so far below the limit, a leg must rest until its derating is over: a gait
            needs more torque than a hot leg may give [°C].
        hot_below_c: so far below the limit, the robot settles [°C].
        least_torque: what derating leaves where the robot settles, as a fraction.
        battery_low_v: warn below [V].
        battery_critical_v: settle below [V].
        battery_flat_v: cut below, before the supply browns out [V].
        battery_low_charge: warn below, as a fraction.
        battery_critical_charge: settle below, as a fraction.
        tick_late_s: a tick this late holds the robot [s].
        tick_stalled_s: a tick this late damps it [s].
        least_success: of the last 100 ticks in time, as a fraction.
        link_silent_s: an input that has not been heard for so long is silent [s].
        sibling_silent_s: so is a process that serves the loop [s].
    """

    fall_tilt_rad: Positive = 0.7
    fall_height_m: Positive = 0.40
    qp_patience_ticks: Annotated[int, Meta(ge=0, le=100)] = 3
    imu_late_s: Positive = 0.005
    imu_lost_s: Positive = 0.030
    joint_silent_s: Positive = 0.005
    leg_silent_s: Positive = 0.020
    minor_silent_s: Positive = 0.050
    contact_silent_s: Positive = 0.050
    winding_limit_c: Positive = 100.0
    warm_below_c: Positive = 20.0
    cooled_below_c: Positive = 2.0
    leg_warm_below_c: Positive = 15.0
    hot_below_c: Positive = 5.0
    least_torque: Fraction = 0.5
    battery_low_v: Positive = 20.4
    battery_critical_v: Positive = 19.2
    battery_flat_v: Positive = 17.4
    battery_low_charge: Fraction = 0.2
    battery_critical_charge: Fraction = 0.08
    tick_late_s: Positive = 0.005
    tick_stalled_s: Positive = 0.020
    least_success: Fraction = 0.95
    link_silent_s: Positive = 0.25
    sibling_silent_s: Positive = 2.0


@compiled
def derate_windings(
    winding_c: Floats, legs: Places, warm_c: float, hot_c: float, least: float, derate: Floats
) -> tuple[float, float]:
    """Write what each joint may use of its torque (n); return the hottest winding and leg [°C].

    The share falls from 1 at `warm_c` to `least` at `hot_c` and stays there; it is `least`, and
    the answer not a number, for a winding that tells none.
    """
    for i in range(winding_c.size):
        share = (winding_c[i] - warm_c) / (hot_c - warm_c)
        share = max(0.0, share) if share < 1.0 else 1.0
        derate[i] = 1.0 - (1.0 - least) * share
    return winding_c.max(), winding_c[legs].max()


@dataclass(slots=True)
class HealthFacts:
    """What the sample does not tell; the loop fills it and may reuse it.

    Attributes:
        readable: the body answers at all; before that only the stops are looked at.
        support: what carries the robot besides its feet.
        driven: the joints are driven, so that the robot can fall.
        stepping: the feet step.
        tilt_rad: between the torso's axis and the vertical [rad].
        base_height_m: torso frame's origin above the ground [m].
        state_finite: every number of the estimate is one.
        command_finite: every number of the last command is one.
        estimator_sure: the estimator believes itself.
        qp_unsolved_ticks: how many ticks in a row had no solution.
        late_s: how late this tick began [s]; 0 where the body waits for the loop.
        success: part of the last 100 ticks that were in time.
        operator_age_s: since any operator's heartbeat [s]; None if none is expected.
        handset_age_s: since the handset's last frame [s]; None if there is none.
        handset_trouble: problem of it or its receiver; None without one.
        watchdog_alive: the watchdog process takes heartbeats, or none is needed.
        lost_siblings: the processes beside the loop that are silent, by name.
        sound_trouble: why sound that worked, or was asked for, is lost; else None.
        troubles: what the devices say is wrong with them, the grave ones first.
        stop_pressed: STOP is latched.
        estop_open: the E-stop chain is open, or was and is latched.
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
    qp_unsolved_ticks: int = 0
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


class Health:
    """Raises flags. Comparisons are written so that NaN counts as unhealthy.

    Args:
        joint_names: every joint, in the order of the sample (n).
        legs: places of the leg joints in it.
        minor: places of the joints that carry no weight and steer nothing (fingers, wrists).
        settings: see HealthSettings.

    Attributes:
        derate: what each joint may use of its torque (n), 0 to 1.
    """

    SLOW_TICKS = 20
    """Temperatures and the battery are looked at this seldom [ticks]."""

    def __init__(
        self,
        joint_names: Sequence[str],
        legs: Sequence[int],
        minor: Sequence[int],
        settings: HealthSettings | None = None,
    ) -> None:
        self.settings = settings or HealthSettings()
        self.derate: Floats = np.ones(len(joint_names))
        self._names = tuple(joint_names)
        self._legs: Places = np.array(legs, dtype=np.intp)
        taken = {*legs, *minor}
        major = np.array([i for i in range(len(joint_names)) if i not in taken], dtype=np.intp)
        joint_s, leg_s = self.settings.joint_silent_s, self.settings.leg_silent_s
        arms = (
            (major, Flag.JOINT_SILENT, joint_s),
            (np.array(minor, dtype=np.intp), Flag.MINOR_JOINT_SILENT, self.settings.minor_silent_s),
        )
        # Whose silence raises which flag, and how long it may last, on a seat and without one. On
        # a seat the legs only damp, and carry nothing that could fall.
        self._silences: dict[bool, tuple[tuple[Places, Flag, float], ...]] = {
            True: (*arms, (self._legs, Flag.MINOR_JOINT_SILENT, joint_s)),
            False: (
                *arms,
                (self._legs, Flag.JOINT_SILENT, joint_s),
                (self._legs, Flag.LEG_SILENT, leg_s),
            ),
        }
        self._ticks = 0
        self._slow_bits = 0
        self._warm = self._leg_warm = False
        self._last = Flags()

    def flags(self, sample: Sample, extremes: Extremes, facts: HealthFacts) -> Flags:
        """Return what is raised in this tick.

        Args:
            sample: what the body has just read.
            extremes: of that sample.
            facts: what it does not tell.
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
        """Return which joint, which device, or how much; None where the flag says everything."""
        ages_s = sample.joint_age_s
        if flag in (Flag.JOINT_SILENT, Flag.LEG_SILENT, Flag.MINOR_JOINT_SILENT):
            seated = facts.support is Support.SEATED
            rows = [row for row in self._silences[seated] if row[1] is flag]
            places = np.concatenate([places for places, _, _ in rows])
            shares = np.concatenate([ages_s[places] / longest_s for places, _, longest_s in rows])
            worst = places[int(np.argmax(shares))]
            return safety.JOINT_AGE(joint=self._names[worst], age_s=float(ages_s[worst]))
        if flag in (
            Flag.WINDING_WARM,
            Flag.LEG_WARM,
            Flag.WINDING_HOT,
            Flag.WINDING_OVERHEATED,
        ):
            places = self._legs if flag is Flag.LEG_WARM else np.arange(len(self._names))
            worst = places[int(np.argmax(sample.winding_c[places]))]
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
            told = [trouble for trouble in facts.troubles if trouble.grave is grave]
            return _name(told) if told or not grave else self._silent_foot(sample)
        return None

    def _body_bits(self, sample: Sample, extremes: Extremes, facts: HealthFacts) -> int:
        settings, support = self.settings, facts.support
        bits = 0
        seated = support is _SEATED
        if not (facts.state_finite and math.isfinite(extremes.farthest + extremes.fastest)):
            bits |= 1 << Flag.STATE_INVALID
        if facts.driven:
            low = support is _FLOOR and not facts.base_height_m >= settings.fall_height_m
            if low or not facts.tilt_rad <= settings.fall_tilt_rad:
                bits |= 1 << Flag.FALLEN
        if not sample.imu_age_s <= settings.imu_late_s:
            bits |= 1 << Flag.IMU_LATE
            if not sample.imu_age_s <= settings.imu_lost_s and not seated:
                lost = Flag.IMU_LOST_STEPPING if facts.stepping else Flag.IMU_LOST
                bits |= 1 << lost
        if not extremes.oldest_s <= settings.joint_silent_s:
            bits |= self._silent_bits(sample.joint_age_s, seated)
        # Of the devices alone, which tell their troubles more seldom, this does not depend.
        if not seated and not extremes.unfelt_s <= settings.contact_silent_s:
            bits |= 1 << Flag.DEVICE_LOST
        if self._ticks % self.SLOW_TICKS == 0:
            self._slow_bits = self._winding_bits(sample, seated) | self._battery_bits(sample)
        self._ticks += 1
        return bits | self._slow_bits

    def _silent_foot(self, sample: Sample) -> Statement | None:
        """Return whose contacts are silent, and for how long; None if none are."""
        ages_s = sample.contact_age_s
        worst = int(np.argmax(ages_s))
        if ages_s[worst] <= self.settings.contact_silent_s:
            return None
        foot = ("left_foot", "right_foot")[worst // 2]
        return safety.CONTACTS_AGE(contact=foot, age_s=float(ages_s[worst]))

    def _silent_bits(self, age: Floats, seated: bool) -> int:
        bits = 0
        for places, flag, longest_s in self._silences[seated]:
            if not (age[places] <= longest_s).all():
                bits |= 1 << flag
        return bits

    def _winding_bits(self, sample: Sample, seated: bool) -> int:
        settings = self.settings
        limit_c = settings.winding_limit_c
        warm_c, hot_c = limit_c - settings.warm_below_c, limit_c - settings.hot_below_c
        hottest_c, leg_c = derate_windings(
            sample.winding_c, self._legs, warm_c, hot_c, settings.least_torque, self.derate
        )
        # With every step a winding grows warmer and cooler again by some tenths.
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
        settings = self.settings
        volts, charge = sample.battery_v, sample.battery_charge
        bits = 0
        if not (volts >= settings.battery_low_v and charge >= settings.battery_low_charge):
            bits |= 1 << Flag.BATTERY_LOW
        if not (
            volts >= settings.battery_critical_v and charge >= settings.battery_critical_charge
        ):
            bits |= 1 << Flag.BATTERY_CRITICAL
        if not volts >= settings.battery_flat_v:
            bits |= 1 << Flag.BATTERY_FLAT
        return bits

    def _loop_bits(self, facts: HealthFacts) -> int:
        settings = self.settings
        bits = 0
        if not facts.command_finite:
            bits |= 1 << Flag.COMMAND_INVALID
        if facts.qp_unsolved_ticks:
            bits |= 1 << Flag.QP_UNSOLVED
            if facts.qp_unsolved_ticks > settings.qp_patience_ticks:
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
    """Return the problem of the one device, or the names of several."""
    if len(troubles) == 1:
        return safety.DEVICE_TEXT(device=troubles[0].device, text=troubles[0].text)
    return safety.DEVICES(names=tuple(dict.fromkeys(trouble.device for trouble in troubles)))
