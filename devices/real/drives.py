"""All BEAR actuators at once, from the joints' side: angles, torques and gains of the profile."""

from collections.abc import Mapping, Sequence

import numpy as np

from devices.interface import Floats, JointCommand, Sample, Timekeeper, Trouble
from devices.real.bear_line import BearLine, Readings
from devices.real.bear_setup import BearPlan
from devices.real.port import Port
from devices.wire.bear.registers import TorqueEnable

GAIN_STEP = 0.02  # relative change of a gain that is worth a request


class Drives:
    """Owns the lines of actuators and the numbers between them and the joints.

        actuator's position = zero + sign · gear · q      its current = sign · tau / constant

    An actuator has force gains of its own. What a command wants beside them is added as
    torque, from the newest reading: tau + (kp - kp of its own) (q - q read) + likewise for kd.

    Attributes:
        lines: of the actuators, in the order of the readings.
        readings: of all actuators, at their outputs (n rows).
    """

    def __init__(
        self,
        plans: Mapping[str, Sequence[BearPlan]],
        ports: Mapping[str, Port],
        timekeeper: Timekeeper,
        *,
        silent_s: float,
        patience_s: float,
        firmware: tuple[str, ...] = (),
        gains_while_enabled: bool = False,
    ) -> None:
        """Take the lines in hand; nothing is sent yet.

        Args:
            plans: actuators by the name of their line.
            ports: lines by name.
            timekeeper: the time.
            silent_s: after which an actuator is away [s].
            patience_s: how long a tick waits for replies that are missing [s].
            firmware: versions that were tried.
            gains_while_enabled: gains may be written with the torque on.
        """
        every = [plan for row in plans.values() for plan in row]
        count = len(every)
        self.readings = Readings.unread(count)
        lines, self._parts, first = [], [], 0
        for name, row in plans.items():
            part = slice(first, first + len(row))
            view = self.readings.rows(part.start, part.stop)
            lines.append(BearLine(ports[name], tuple(row), view, silent_s, firmware))
            self._parts.append(part)
            first = part.stop
        self.lines = tuple(lines)
        self._timekeeper = timekeeper
        self._patience_s = patience_s
        self._may_set_gains = gains_while_enabled
        places = [plan.place for plan in every]
        dense = bool(places) and places == list(range(places[0], places[0] + count))
        self._places = slice(places[0], places[0] + count) if dense else np.array(places, np.intp)
        column = {
            field: np.array([getattr(plan, field) for plan in every], dtype=np.float64)
            for field in ("gear", "sign", "zero_rad", "torque_constant", "current_a", "kp", "kd")
        }
        self._zero = column["zero_rad"]
        self._to_actuator = column["sign"] * column["gear"]
        self._to_joint = 1.0 / self._to_actuator
        self._to_current = column["sign"] / column["torque_constant"]
        self._to_torque = column["sign"] * column["torque_constant"]
        self._most_a, self._least_a = column["current_a"], -column["current_a"]
        self._kp, self._kd = column["kp"], column["kd"]
        self._set_kp, self._set_kd = column["kp"].copy(), column["kd"].copy()
        self._gain = np.array([plan.gain for plan in every])
        self._q, self._dq = np.zeros(count), np.zeros(count)
        self._believed_s = self.readings.heard_s.copy()
        self._goals = np.zeros((count, 3))
        self._work: Floats = np.zeros(count)
        self._driven = False

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Take in the replies to the last round; wait for missing ones as long as patience lasts.

        Args:
            sample: to be filled, where the actuators' joints are.
            now_s: when the tick began [s].
        """
        missing = [line for line in self.lines if not line.fetch(now_s)]
        until_s, timekeeper = now_s + self._patience_s, self._timekeeper
        # The time is looked at as well: noise without end keeps a line readable.
        while missing and timekeeper.now_s() < until_s:
            if not timekeeper.wait_readable([line.port.descriptor for line in missing], until_s):
                break
            missing = [line for line in missing if not line.fetch(now_s)]
        for line in self.lines:
            line.conclude(now_s)
        self._believe()
        readings, places = self.readings, self._places
        motion = readings.motion
        np.subtract(motion[:, 0], self._zero, out=self._q)
        self._q *= self._to_joint
        np.multiply(motion[:, 1], self._to_joint, out=self._dq)
        np.multiply(motion[:, 2], self._to_torque, out=self._work)
        sample.q[places] = self._q
        sample.dq[places] = self._dq
        sample.tau[places] = self._work
        np.subtract(now_s, readings.heard_s, out=self._work)
        sample.joint_age_s[places] = self._work
        sample.winding_c[places] = readings.winding_c

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send every actuator its goals; every number of the command is finite and sane."""
        places, goals = self._places, self._goals
        q, dq = command.q[places], command.dq[places]
        kp, kd = command.kp[places], command.kd[places]
        tau = command.tau[places]
        if self._may_set_gains and self._driven:
            self._set_gains(kp, kd)
        work = self._work
        np.subtract(q, self._q, out=work)
        work *= kp - self._set_kp
        work += tau
        work += (kd - self._set_kd) * (dq - self._dq)
        work *= self._to_current
        np.clip(work, self._least_a, self._most_a, out=goals[:, 2])
        np.multiply(q, self._to_actuator, out=work)
        np.add(work, self._zero, out=goals[:, 0])
        np.multiply(dq, self._to_actuator, out=goals[:, 1])
        for line, part in zip(self.lines, self._parts, strict=True):
            line.drive(goals[part], now_s)
        self._driven = True

    def damp(self, now_s: float) -> None:
        """Let every actuator resist motion and nothing else."""
        self._driven = False
        for line in self.lines:
            line.set_torque(TorqueEnable.DAMPING, now_s)

    def stop(self, now_s: float) -> None:
        """Take the torque from every actuator. Never raises."""
        self._driven = False
        for line in self.lines:
            try:
                line.set_torque(TorqueEnable.OFF, now_s)
            except Exception:  # one line's fault shall not keep the next one's torque on
                continue

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what is wrong with lines and actuators."""
        return tuple(trouble for line in self.lines for trouble in line.troubles())

    def close(self) -> None:
        """Give the lines up."""
        for line in self.lines:
            line.close()

    def _believe(self) -> None:
        """Take a reading that is no number for one that did not come."""
        readings = self.readings
        if not np.isfinite(readings.motion).all():
            bad = ~np.isfinite(readings.motion).all(axis=1)
            readings.heard_s[bad] = self._believed_s[bad]
            readings.motion[bad, 0] = self._q[bad] * self._to_actuator[bad] + self._zero[bad]
            readings.motion[bad, 1:] = 0.0
        np.copyto(self._believed_s, readings.heard_s)

    def _set_gains(self, kp: Floats, kd: Floats) -> None:
        """Bring each line's actuator whose gains are farthest off the new ones."""
        off = np.abs(kp - self._set_kp) / (self._kp + 1e-3)
        off += np.abs(kd - self._set_kd) / (self._kd + 1e-3)
        for line, part in zip(self.lines, self._parts, strict=True):
            row = int(off[part].argmax())
            at = part.start + row
            if off[at] > GAIN_STEP:
                gain = float(self._gain[at])
                line.set_gains(row, float(kp[at]) * gain, float(kd[at]) * gain)
                self._set_kp[at], self._set_kd[at] = kp[at], kd[at]
