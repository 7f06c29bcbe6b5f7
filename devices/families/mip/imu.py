"""Driver of the torso's inertial measurement unit."""

import math

import numpy as np

from devices.compiled import compiled
from devices.families.mip.setup import ImuSettings, ImuSetup
from devices.families.mip.wire import data, packet
from devices.families.mip.wire import sample as wire
from devices.interface import Floats, Sample, Trouble
from devices.real.device_clock import DeviceClock
from devices.real.loss import LossMeter
from devices.real.port import Port

_DEVICE = "IMU"
_SETUP_S = 0.1  # time after which a unit that does not stream is reported
_TOLD_S = 1.0  # time for which a transient fault is reported
_MOST_LOST = 0.01  # fraction of samples


@compiled
def mount(
    count: int,
    most: int,
    together: int,
    values: Floats,
    rows: Floats,
    accel: Floats,
    gyro: Floats,
) -> int:
    """Rotate a sample into the robot's axes, unless it is frozen; return the number of repetitions.

    Args:
        count: samples before the newest but one that were equal to it.
        most: number of equal samples that means frozen.
        together: number of samples in the mean, this one included.
        values: specific force and angular velocity, newest and the one before (2, 6).
        rows: rotation from the unit's axes to the robot's (3, 3).
        accel: destination of the force (3).
        gyro: destination of the velocity (3).
    """
    count = wire.repeats(count, values[1], values[0])
    values[1] = values[0]
    if count < most:
        fx, fy, fz, wx, wy, wz = values[0]
        for i in range(3):
            x, y, z = rows[i]
            force, spin = x * fx + y * fy + z * fz, x * wx + y * wy + z * wz
            if together > 1:
                force = accel[i] + (force - accel[i]) / together
                spin = gyro[i] + (spin - gyro[i]) / together
            accel[i], gyro[i] = force, spin
    return count


@compiled
def measure(
    packet: bytes,
    count: int,
    most: int,
    values: Floats,
    rows: Floats,
    accel: Floats,
    gyro: Floats,
) -> tuple[int, int]:
    """Do the same with a packet, if it is valid and has the usual layout.

    Returns:
        its device time, or NONE if it is no such packet [ns]; the number of repetitions.
    """
    device_ns = wire.take_sample(packet, values[0])
    if device_ns == wire.NONE:
        return device_ns, count
    return device_ns, mount(count, most, 1, values, rows, accel, gyro)


class Imu:
    """Reads the unit once a tick; configures it after its line was opened or it was silent.

    The unit has its own clock, and a tick may be late: the mean of the samples since the last tick
    is
    used, so that the integral keeps the impact of a landing foot.

    Its magnetometer is neither used nor read: the motors would disturb it.

    Attributes:
        stamp_s: time of the newest sample on the computer's clock; -inf before the first [s].
        good: samples received.
        lost: samples missing by the unit's clock.
        setup: configures the unit.
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
        self._rows: Floats = np.array(_mounting(settings))
        self._values: Floats = np.full((2, 6), math.nan)  # of the newest sample, and the one before
        self._scanner = packet.scanner()
        self._loss = LossMeter()
        self._openings = 0
        self._now_s = 0.0
        self._together = 0  # samples since the last tick
        self._newest_ns = wire.NONE  # its device time, since the unit was set up
        self._repeats = 0
        self._heard_s = -math.inf  # or the start of reception
        self._unset_s = math.inf  # time since which it does not stream
        self._overrange_s = -math.inf
        self._overrange = 0
        # Compile the kernels of the tick before the first tick.
        measure(b"", 0, 0, self._values, self._rows, np.zeros(3), np.zeros(3))
        mount(0, 0, 1, self._values, self._rows, np.zeros(3), np.zeros(3))
        wire.decode(bytes(wire.SIZE))

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Process the bytes received by now [s], send due requests, and write the sample."""
        self._now_s = now_s
        self._update(sample, now_s)
        sample.imu_age_s = now_s - self.stamp_s

    def close(self) -> None:
        """Release the line."""
        self._port.close()

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the faults of the line or the unit."""
        now_s = self._now_s
        told = self._port.troubles()
        if self._port.descriptor < 0:
            return told
        if not self.setup.ready or self._newest_ns == wire.NONE:
            if self.setup.fault:
                told += (Trouble(_DEVICE, self.setup.fault, grave=True),)
            elif not now_s - self._unset_s <= _SETUP_S:
                text = "does not answer; check its plug and its supply"
                told += (Trouble(_DEVICE, text, grave=True),)
            return told
        if self._repeats >= self._settings.frozen_samples:
            text = "sends the same sample again and again; switch it off and on"
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
        if received and not (setup.ready and self._scanner.due and self._whole(received, sample)):
            self._together = 0
            for found in self._scanner.feed(received):
                self._take(found, sample)
        if setup.ready and not now_s - self._heard_s <= self._settings.silent_s:
            if self._newest_ns != wire.NONE:
                self._unset_s = now_s
            self._forget()
            setup.resume(now_s)
        if not setup.ready:
            setup.step(now_s)

    def _forget(self) -> None:
        """Forget previous samples before a new setup: the unit may have been switched off."""
        self._newest_ns = wire.NONE
        self._values.fill(math.nan)
        self._repeats = 0
        self._loss.restart()
        self._clock = DeviceClock(self._settings.transit_s)

    def _whole(self, received: bytes, sample: Sample) -> bool:
        """Process bytes where a packet is due; return whether they are exactly one sample."""
        device_ns, repeats = measure(
            received,
            self._repeats,
            self._settings.frozen_samples,
            self._values,
            self._rows,
            sample.accel,
            sample.gyro,
        )
        if device_ns == wire.NONE:
            return False
        self._scanner.good += 1
        self._account(device_ns, repeats)
        return True

    def _take(self, found: bytes, sample: Sample) -> None:
        """Process a packet from the scanner."""
        if packet.descriptor_set(found) != data.SENSOR:
            self.setup.take(found, self._now_s)
            if self.setup.ready and self._newest_ns == wire.NONE:
                self._heard_s = self._now_s
            return
        measured = wire.decode(found) if self.setup.ready else None
        if measured is None:
            return
        self._values[0], device_ns = measured[:6], measured[6]
        most, accel, gyro = self._settings.frozen_samples, sample.accel, sample.gyro
        together = self._together + 1
        repeats = mount(self._repeats, most, together, self._values, self._rows, accel, gyro)
        self._together += repeats < most
        self._account(device_ns, repeats)
        if len(found) != wire.SIZE:
            self._watch_range(found, self._now_s)

    def _account(self, device_ns: int, repeats: int) -> None:
        """Compute the time of a sample, and count missing samples before it."""
        now_s, before_ns = self._now_s, self._newest_ns
        self._heard_s, self._newest_ns, self._repeats = now_s, device_ns, repeats
        stamp_s = self._clock.feed(device_ns, now_s)
        if before_ns != wire.NONE and device_ns - before_ns != self._period_ns:
            self.lost += wire.lost_packets(before_ns, device_ns, self._period_ns)
        self.good += 1
        if now_s >= self._loss.end_s:
            self._loss.update(self.good, self.lost, now_s)
        if repeats < self._settings.frozen_samples:
            self.stamp_s = stamp_s

    def _watch_range(self, found: bytes, now_s: float) -> None:
        told = data.decode(found).get(data.OVERRANGE)
        if isinstance(told, data.Overrange) and told.bits:
            self._overrange, self._overrange_s = told.bits, now_s


def _mounting(settings: ImuSettings) -> list[list[float]]:
    """Return the rotation from the unit's axes (forward, right, down) to the robot's (3, 3)."""
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
