"""Energy and load of a long run, summed up during the run: half an hour of record is too large."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.tick.performer import Performer
from devices.interface import Floats

PERIOD_S = 0.02  # the simulated power is updated so often
TRACE_S = 10.0  # between the points of the traces


@dataclass
class Meter:
    """Reads battery, windings, motors and tilt of a simulated robot.

    Attributes:
        body: is read.
        from_s: when it begins [s].
        to_s: when it ends [s].
        energy_j: taken from the battery.
        seconds: over which.
        charge_used: of the battery, as a share of a full one.
        lowest_v: lowest voltage of the battery.
        tilt: largest true tilt of the torso [rad].
        hottest_c: highest temperature of each winding (n).
        torque2: sum over the ticks of the square of each motor's torque (n) [N²·m²].
        ticks: how many.
        trace: time [s], charge, then the temperature of each winding [°C], every 10 s.
    """

    body: Any
    from_s: float = 0.0
    to_s: float = math.inf
    energy_j: float = 0.0
    seconds: float = 0.0
    charge_used: float = 0.0
    lowest_v: float = math.inf
    tilt: float = 0.0
    hottest_c: Floats = field(default_factory=lambda: np.zeros(0))
    torque2: Floats = field(default_factory=lambda: np.zeros(0))
    ticks: int = 0
    trace: list[Floats] = field(default_factory=list)
    _seen: int = 0
    _last_s: float = math.nan
    _first_charge: float = 0.0

    def __call__(self, performer: Performer) -> None:
        """Measure the last tick."""
        if not self.from_s <= performer.plant.state.stamp_s < self.to_s:
            return
        motor: Floats = self.body.actuators.motor
        if not self.ticks:
            self.torque2, self.hottest_c = np.zeros(motor.size), np.full(motor.size, -np.inf)
        self.torque2 += motor * motor
        self.ticks += 1
        self._seen += 1
        if self._seen == max(1, round(PERIOD_S / performer.profile.tick_s)):
            self._seen = 0
            self._read()

    def _read(self) -> None:
        sample, rpy = self.body.read(), self.body.truth().base_rpy
        if math.isnan(self._last_s):
            self._first_charge = sample.battery_charge
        else:
            passed_s = sample.stamp_s - self._last_s
            self.energy_j += sample.battery_v * sample.battery_a * passed_s
            self.seconds += passed_s
        self._last_s = sample.stamp_s
        self.charge_used = self._first_charge - sample.battery_charge
        self.lowest_v = min(self.lowest_v, sample.battery_v)
        self.tilt = max(self.tilt, math.acos(math.cos(rpy[0]) * math.cos(rpy[1])))
        np.maximum(self.hottest_c, sample.winding_c, out=self.hottest_c)
        if not self.trace or sample.stamp_s - self.trace[-1][0] >= TRACE_S - 1e-9:
            now = (sample.stamp_s, sample.battery_charge)
            self.trace.append(np.concatenate((now, sample.winding_c)))

    @property
    def watts(self) -> float:
        """Mean power taken from the battery [W]."""
        return self.energy_j / self.seconds if self.seconds else math.nan

    @property
    def mean_torque2(self) -> Floats:
        """Mean square of each motor's torque (n) [N²·m²]."""
        return self.torque2 / max(1, self.ticks)
