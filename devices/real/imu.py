"""The torso's inertial measurement unit."""

import math

import numpy as np

from devices.interface import Sample, Trouble
from devices.real.imu_setup import ImuSettings, ImuSetup
from devices.real.loss import LossMeter
from devices.real.port import Port
from devices.wire.mip import data, packet
from devices.wire.mip import sample as wire
from devices.wire.mip.clock import DeviceClock

_DEVICE = "IMU"
_SETUP_S = 0.1  # a unit that does not stream by then is told
_TOLD_S = 1.0  # what lasts a moment is told so long
_MOST_LOST = 0.01  # share of samples


class Imu:
    """Reads the unit once a tick; sets it up whenever its line was opened or it fell silent.

    Its clock is not ours, and a tick may be late: samples that came since the last tick count as
    their mean, so that no blow of a foot that lands is lost on who integrates.

    Its magnetometer is neither used nor asked for: motors would bend it.

    Attributes:
        stamp_s: when the newest sample was measured, on our clock; -inf before that [s].
        good: samples taken.
        lost: samples missing by the unit's clock.
        setup: brings it to stream.
    """

    def __init__(self, port: Port, settings: ImuSettings) -> None:
        self.stamp_s = -math.inf
        self.good = 0
        self.lost = 0
        self.setup = ImuSetup(port, settings)
        self._clock = DeviceClock(settings.transit_s)
        self._port = port
        self._settings = settings
        self._period_ns = round(1e9 / settings.rate_hz)
        self._rows = _mounting(settings)
        self._scanner = packet.scanner()
        self._loss = LossMeter()
        self._openings = 0
        self._now_s = 0.0
        self._together = 0  # samples since the last tick
        self._newest: wire.Sample | None = None  # since the unit was set up
        self._repeats = 0
        self._heard_s = -math.inf  # or begun to listen
        self._unset_s = math.inf  # since when it does not stream
        self._overrange_s = -math.inf
        self._overrange = 0

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Take in what came by now [s], ask what is due, and write what is known to the sample."""
        self._now_s = now_s
        self._update(sample, now_s)
        sample.imu_age_s = now_s - self.stamp_s

    def close(self) -> None:
        """Give the line up."""
        self._port.close()

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with the line or the unit."""
        now_s = self._now_s
        told = self._port.troubles()
        if self._port.descriptor < 0:
            return told
        if not self.setup.ready or self._newest is None:
            if self.setup.fault:
                told += (Trouble(_DEVICE, self.setup.fault, grave=True),)
            elif not now_s - self._unset_s <= _SETUP_S:
                text = "does not answer; check its plug and its supply"
                told += (Trouble(_DEVICE, text, grave=True),)
            return told
        if self._repeats >= self._settings.frozen_samples:
            text = "measures nothing new any more; switch it off and on"
            told += (Trouble(_DEVICE, text, grave=True),)
        if self._loss.share > _MOST_LOST:
            text = f"{100.0 * self._loss.share:.0f} % of its samples are lost; check its cable"
            told += (Trouble(_DEVICE, text),)
        if now_s - self._overrange_s <= _TOLD_S:
            text = f"out of its range (axes {self._overrange:#06x}); look for hard knocks"
            told += (Trouble(_DEVICE, text),)
        return told

    def _update(self, sample: Sample, now_s: float) -> None:
        port, setup = self._port, self.setup
        received = port.read(now_s)
        if port.openings != self._openings:
            self._openings = port.openings
            self._scanner.reset()
            self._unset_s = now_s
            self._forget()
            setup.begin(now_s)
        if port.descriptor < 0:
            return
        self._together = 0
        for found in self._scanner.feed(received) if received else ():
            if packet.descriptor_set(found) == data.SENSOR:
                if setup.ready:
                    self._measure(found, sample, now_s)
            else:
                setup.take(found, now_s)
                if setup.ready and self._newest is None:
                    self._heard_s = now_s
        if setup.ready and not now_s - self._heard_s <= self._settings.silent_s:
            if self._newest is not None:
                self._unset_s = now_s
            self._forget()
            setup.resume(now_s)
        if not setup.ready:
            setup.step(now_s)

    def _forget(self) -> None:
        """Compare nothing with the unit before it is set up anew: it may have been switched off."""
        self._newest = None
        self._repeats = 0
        self._loss.restart()
        self._clock = DeviceClock(self._settings.transit_s)

    def _measure(self, found: bytes, sample: Sample, now_s: float) -> None:
        measured = wire.decode(found)
        if measured is None:
            return
        newest = self._newest
        self._heard_s = now_s
        self._newest = measured
        stamp_s = self._clock.feed(measured[6], now_s)
        if newest is not None:
            if measured[6] - newest[6] != self._period_ns:
                self.lost += wire.lost_packets(newest[6], measured[6], self._period_ns)
            self._repeats = wire.repeats(self._repeats, newest, measured)
        self.good += 1
        if now_s >= self._loss.end_s:
            self._loss.update(self.good, self.lost, now_s)
        if len(found) != wire.SIZE:
            self._watch_range(found, now_s)
        if self._repeats >= self._settings.frozen_samples:
            return
        self.stamp_s = stamp_s
        fx, fy, fz, wx, wy, wz, _ = measured
        gyro, accel = sample.gyro, sample.accel
        self._together += 1
        if self._together > 1:
            share = 1.0 / self._together
            for i, (x, y, z) in enumerate(self._rows):
                accel[i] += share * (x * fx + y * fy + z * fz - accel[i])
                gyro[i] += share * (x * wx + y * wy + z * wz - gyro[i])
            return
        for i, (x, y, z) in enumerate(self._rows):
            accel[i] = x * fx + y * fy + z * fz
            gyro[i] = x * wx + y * wy + z * wz

    def _watch_range(self, found: bytes, now_s: float) -> None:
        told = data.decode(found).get(data.OVERRANGE)
        if isinstance(told, data.Overrange) and told.bits:
            self._overrange, self._overrange_s = told.bits, now_s


def _mounting(settings: ImuSettings) -> list[list[float]]:
    """Return the rotation from the unit's own axes (forward, right, down) to the robot's (3, 3)."""
    angles = (settings.roll_deg, settings.pitch_deg, settings.yaw_deg)
    (cr, cp, cy), (sr, sp, sy) = (
        [function(math.radians(angle)) for angle in angles] for function in (math.cos, math.sin)
    )
    turned = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    rows: list[list[float]] = (turned * [1.0, -1.0, -1.0]).tolist()
    return rows
