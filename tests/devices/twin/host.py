"""The computer's side of the BEAR lines, as plainly as can be."""

import os
from pathlib import Path

import numpy as np

from devices.families.bear.wire import packet as bear
from devices.families.bear.wire.bulk import BulkLayout, BulkReplies, BulkRequest
from devices.families.bear.wire.registers import (
    D_GAIN_FORCE,
    GOAL_IQ,
    GOAL_POSITION,
    GOAL_VELOCITY,
    MODE,
    P_GAIN_FORCE,
    PRESENT_IQ,
    PRESENT_POSITION,
    PRESENT_VELOCITY,
    TORQUE_ENABLE,
    WINDING_TEMPERATURE,
    ControlMode,
    TorqueEnable,
)
from devices.families.bear.wire.stream import BulkStream
from devices.interface import Floats, JointCommand
from tests.devices.sim.rig import JOINTS
from tests.devices.twin.rig import BEAR_LINES, SEATS

READS = (PRESENT_POSITION, PRESENT_VELOCITY, PRESENT_IQ, WINDING_TEMPERATURE)
WRITES = (GOAL_POSITION, GOAL_VELOCITY, GOAL_IQ)


def open_line(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)


def drain(descriptor: int) -> bytes:
    """Return all that waits on a line."""
    found = b""
    while True:
        try:
            data = os.read(descriptor, 65536)
        except BlockingIOError:
            return found
        if not data:
            return found
        found += data


class Host:
    """Drives every BEAR of the rig's robot.

    Attributes:
        q: positions of the joints with a BEAR, as told last (18) [rad].
        dq: velocities (18) [rad/s].
        tau: torques (18) [N·m].
        winding_c: temperatures (18) [°C].
        errors: error bytes (18).
        missed: rounds of a line that were not whole.
    """

    def __init__(self, folder: Path) -> None:
        self.lines = {name: open_line(folder / name) for name in BEAR_LINES}
        self.q, self.dq, self.tau, self.winding_c = np.zeros((4, len(SEATS)))
        self.errors = np.zeros(len(SEATS), dtype=np.uint8)
        self.missed = 0
        self._rounds = {}
        for name in BEAR_LINES:
            rows = [i for i, seat in enumerate(SEATS) if seat.line == name]
            layout = BulkLayout(tuple(SEATS[i].id for i in rows), READS, WRITES)
            self._rounds[name] = (rows, BulkRequest(layout), BulkStream(BulkReplies(layout)))

    def prepare(self, command: JointCommand) -> None:
        """Set mode and gains, the torque off."""
        for i, seat in enumerate(SEATS):
            scale = 1.0 / (seat.torque_constant * seat.gear)
            j = JOINTS.index(seat.joint)
            values = [
                (MODE, ControlMode.FORCE),
                (P_GAIN_FORCE, command.kp[j] * scale),
                (D_GAIN_FORCE, command.kd[j] * scale),
            ]
            os.write(self.lines[seat.line], bear.write(SEATS[i].id, values))

    def switch(self, torque: TorqueEnable) -> None:
        for seat in SEATS:
            os.write(self.lines[seat.line], bear.write(seat.id, [(TORQUE_ENABLE, torque)]))

    def send(self, command: JointCommand) -> None:
        for name, (rows, request, stream) in self._rounds.items():
            for place, i in enumerate(rows):
                seat, j = SEATS[i], JOINTS.index(SEATS[i].joint)
                slope = seat.sign * seat.gear
                request.values[place] = (
                    slope * command.q[j] + seat.zero_rad,
                    slope * command.dq[j],
                    seat.sign * command.tau[j] / seat.torque_constant,
                )
            stream.begin()
            os.write(self.lines[name], request.seal())

    def receive(self) -> None:
        for name, (rows, _, stream) in self._rounds.items():
            whole = stream.feed(drain(self.lines[name])) or stream.end()
            self.missed += not whole
            for place, i in enumerate(rows):
                seat, (position, velocity, iq, winding) = SEATS[i], stream.replies.values[place]
                slope = seat.sign * seat.gear
                self.q[i] = (position - seat.zero_rad) / slope
                self.dq[i] = velocity / slope
                self.tau[i] = seat.sign * iq * seat.torque_constant
                self.winding_c[i] = winding
                self.errors[i] = stream.replies.errors[place]

    def close(self) -> None:
        for descriptor in self.lines.values():
            os.close(descriptor)


def of(joints: Floats) -> Floats:
    """Return the values of those joints that have a BEAR."""
    return joints[: len(SEATS)]
