"""Driver of all BEAR actuators in joint coordinates."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from devices.compiled import compiled
from devices.families.bear.line import BearLine
from devices.families.bear.readings import BELIEVED, HEARD, WINDING, Readings
from devices.families.bear.setup import BearPlan
from devices.families.bear.sweep import Sweep
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, Values
from devices.families.bear.wire.registers import PRESENT_POSITION, TorqueEnable
from devices.interface import Bools, Floats, JointCommand, Sample, Timekeeper, Trouble
from devices.real.port import Port

GAIN_STEP = 0.02  # smallest relative change of a gain that is sent


ZERO, TO_ACTUATOR, TO_TORQUE, MOST_A = range(4)  # columns of the actuators' parameters


@compiled
def to_joints(
    now_s: float,
    indices: npt.NDArray[np.intp],
    parameters: Floats,
    table: Floats,
    seen: Floats,
    q: Floats,
    dq: Floats,
    tau: Floats,
    age_s: Floats,
    winding_c: Floats,
) -> None:
    """Convert the actuators' readings to the arrays of all joints; a non-finite reading is dropped.

    Args:
        now_s: time of the sample [s].
        indices: indices of the actuators' joints (n).
        parameters: parameters of the actuators (n, 4).
        table: readings (n, 10); rows with a non-finite number are repaired.
        seen: joint position and velocity, kept for the next command (n, 2).
        q: positions of all joints [rad].
        dq: velocities [rad/s].
        tau: torques [N·m].
        age_s: ages of the readings [s].
        winding_c: winding temperatures; NaN where unknown [°C].
    """
    for i in range(indices.size):
        row, parameter, at = table[i], parameters[i], indices[i]
        to_actuator = parameter[TO_ACTUATOR]
        if math.isfinite(row[0]) and math.isfinite(row[1]) and math.isfinite(row[2]):
            seen[i, 0] = (row[0] - parameter[ZERO]) / to_actuator
            seen[i, 1] = row[1] / to_actuator
            tau[at] = row[2] * parameter[TO_TORQUE]
            row[BELIEVED] = row[HEARD]
        else:
            row[0], row[1], row[2] = seen[i, 0] * to_actuator + parameter[ZERO], 0.0, 0.0
            row[HEARD] = row[BELIEVED]
        q[at], dq[at] = seen[i, 0], seen[i, 1]
        age_s[at] = now_s - row[HEARD]
        winding_c[at] = row[WINDING] if math.isfinite(row[WINDING]) else math.nan


@compiled
def to_goals(
    indices: npt.NDArray[np.intp],
    parameters: Floats,
    seen: Floats,
    own: Floats,
    q: Floats,
    dq: Floats,
    tau: Floats,
    kp: Floats,
    kd: Floats,
    goals: Values,
    limp: Bools,
) -> bool:
    """Convert a command to the set-points of the actuators; return whether `limp` has changed.

    A limp actuator gets no torque: its set-points are its present position, and no current.

    Args:
        indices: indices of the actuators' joints (n).
        parameters: parameters of the actuators (n, 4).
        seen: newest joint position [rad] and velocity [rad/s] (n, 2).
        own: stiffness and damping that each actuator applies itself, at the joint (n, 2).
        q: desired positions of all joints [rad].
        dq: desired velocities [rad/s].
        tau: feed-forward torques [N·m].
        kp: stiffness [N·m/rad].
        kd: damping [N·m·s/rad].
        goals: position [rad], velocity [rad/s] and current [A] of the actuators (n, 3).
        limp: actuators whose torque shall be off (n).
    """
    changed = False
    for i in range(indices.size):
        parameter, at = parameters[i], indices[i]
        slack = kp[at] == 0.0 and kd[at] == 0.0 and tau[at] == 0.0
        changed = changed or slack != limp[i]
        limp[i] = slack
        if slack:
            goals[i, 0] = parameter[ZERO] + seen[i, 0] * parameter[TO_ACTUATOR]
            goals[i, 1] = goals[i, 2] = 0.0
            continue
        beside = (kp[at] - own[i, 0]) * (q[at] - seen[i, 0])
        beside += (kd[at] - own[i, 1]) * (dq[at] - seen[i, 1])
        current = (tau[at] + beside) / parameter[TO_TORQUE]
        goals[i, 0] = parameter[ZERO] + q[at] * parameter[TO_ACTUATOR]
        goals[i, 1] = dq[at] * parameter[TO_ACTUATOR]
        goals[i, 2] = min(max(current, -parameter[MOST_A]), parameter[MOST_A])
    return changed


class Drives:
    """Owns the lines of actuators and the conversion between actuators and joints.

        position of the actuator = zero + sign · gear · q
        current of the actuator = sign · tau / constant

    An actuator applies its own force gains. The difference to the gains of the command is added
    as torque from the newest reading: tau + (kp - own kp) (q - measured q), likewise for kd.

    Attributes:
        lines: lines of the actuators, in the order of the readings.
        readings: readings of all actuators, at their outputs (n rows).
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
        """Initialise the driver; send nothing.

        Args:
            plans: actuators by the name of their line.
            ports: lines by name.
            timekeeper: the clock.
            silent_s: silence after which an actuator counts as lost [s].
            patience_s: longest time that a tick waits for missing replies [s].
            firmware: tested firmware versions.
            gains_while_enabled: gains may be written while the torque is on.
        """
        every = [plan for row in plans.values() for plan in row]
        count = len(every)
        self.readings = Readings.unread(count)
        self._sweep = Sweep(tuple(plans.values()), self.readings.table)
        lines, self._parts, first = [], [], 0
        for name, row in plans.items():
            part = slice(first, first + len(row))
            view = self.readings.rows(part)
            lines.append(BearLine(ports[name], tuple(row), view, silent_s, firmware))
            self._parts.append(part)
            first = part.stop
        self.lines = self._sweep.lines = tuple(lines)
        self._timekeeper = timekeeper
        self._patience_s = patience_s
        self._may_set_gains = gains_while_enabled
        self._indices = np.array([plan.place for plan in every], dtype=np.intp)
        self._parameters = np.array(
            [(p.zero_rad, p.sign * p.gear, p.sign * p.torque_constant, p.current_a) for p in every]
        )
        self._gain = np.array([plan.gain for plan in every])
        self._usual: Floats = np.array([(plan.kp, plan.kd) for plan in every])
        self._own = self._usual.copy()
        self._seen = np.zeros((count, 2))
        self._limp: Bools = np.zeros(count, dtype=np.bool_)
        self._driven = False
        # Compile the kernels of the tick before the first tick.
        BulkReplies(BulkLayout((0,), (PRESENT_POSITION,))).load(bytes(10))
        joint_count = int(self._indices.max()) + 1
        self._tell(Sample.zeros(joint_count, 0), 0.0)
        self._aim(JointCommand.zeros(joint_count))
        self._limp.fill(False)

    def read_into(self, sample: Sample, now_s: float) -> None:
        """Process the replies to the last round; wait for missing ones no longer than `patience_s`.

        Args:
            sample: sample whose elements for the actuators' joints are filled.
            now_s: time at which the tick began [s].
        """
        odd = self._sweep.fetch(now_s)
        missing = [line for line in odd if line.awaits]
        until_s, timekeeper = now_s + self._patience_s, self._timekeeper
        # Check the time too: endless noise keeps a line readable.
        while missing and timekeeper.now_s() < until_s:
            if not timekeeper.wait_readable([line.port.descriptor for line in missing], until_s):
                break
            missing = [line for line in missing if not line.fetch(now_s)]
        for line in odd:
            line.conclude(now_s)
        self._tell(sample, now_s)

    def write(self, command: JointCommand, now_s: float) -> None:
        """Send every actuator its set-points; the command is finite and within limits."""
        if self._may_set_gains and self._driven:
            self._set_gains(command.kp[self._indices], command.kd[self._indices])
        if self._aim(command):
            for i, (line, part) in enumerate(zip(self.lines, self._parts, strict=True)):
                if not np.array_equal(line.limp, self._limp[part]):
                    self._sweep.release(i)
                    line.relax(self._limp[part])
        self._sweep.drive(now_s)
        self._driven = True

    def damp(self, now_s: float) -> None:
        """Let every actuator only resist motion."""
        self._driven = False
        self._sweep.end()
        for line in self.lines:
            line.set_torque(TorqueEnable.DAMPING, now_s)

    def stop(self, now_s: float) -> None:
        """Take the torque from every actuator. Never raises."""
        self._driven = False
        for i, line in enumerate(self.lines):
            try:
                try:
                    self._sweep.release(i)
                finally:  # even if the bookkeeping fails
                    line.set_torque(TorqueEnable.OFF, now_s)
            except Exception:  # a fault of one line must not keep the torque of the next one on
                continue

    def troubles(self, powered: bool = True) -> tuple[Trouble, ...]:
        """Return the faults of lines and actuators; `powered` as in BearLine."""
        return tuple(trouble for line in self.lines for trouble in line.troubles(powered))

    def close(self) -> None:
        """Release the lines."""
        for line in self.lines:
            line.close()

    def _tell(self, sample: Sample, now_s: float) -> None:
        to_joints(
            now_s,
            self._indices,
            self._parameters,
            self.readings.table,
            self._seen,
            sample.q,
            sample.dq,
            sample.tau,
            sample.joint_age_s,
            sample.winding_c,
        )

    def _aim(self, command: JointCommand) -> bool:
        return to_goals(
            self._indices,
            self._parameters,
            self._seen,
            self._own,
            command.q,
            command.dq,
            command.tau,
            command.kp,
            command.kd,
            self._sweep.goals,
            self._limp,
        )

    def _set_gains(self, kp: Floats, kd: Floats) -> None:
        """Send new gains to the actuator of each line whose gains differ most from the command."""
        wanted = np.column_stack((kp, kd))
        off = (np.abs(wanted - self._own) / (self._usual + 1e-3)).max(axis=1)
        for i, (line, part) in enumerate(zip(self.lines, self._parts, strict=True)):
            row = int(off[part].argmax())
            at = part.start + row
            if off[at] > GAIN_STEP:
                gains = wanted[at] * self._gain[at]
                self._sweep.release(i)
                line.set_gains(row, float(gains[0]), float(gains[1]))
                self._own[at] = wanted[at]
