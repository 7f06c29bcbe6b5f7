"""A whole robot of emulated devices around one simulated body, a millisecond a step."""

import math
from typing import Protocol

import numpy as np

from devices.families.bear.twin.actuators import Bears
from devices.families.bear.twin.line import BearLine
from devices.families.boards.twin.battery_monitor import BatteryMonitor
from devices.families.boards.twin.board import Board, BoardLine
from devices.families.boards.twin.contact_board import ContactBoard
from devices.families.boards.twin.hand_board import HandBoard
from devices.families.boards.twin.supervisor import StopChain, Supervisor
from devices.families.crsf.twin import Receiver
from devices.families.mip.twin import Imu, Motion
from devices.families.native_handset.twin import NativeHandset
from devices.families.safe_remote.twin import SafeRemote
from devices.interface import JointCommand, Sample
from devices.sim.body import SimulatedBody
from devices.twin.operator import Operator
from devices.twin.settings import Family, TwinSettings

TICK_US = 1000
HAND_KP, HAND_KD = 60.0, 3.0  # of a hand that turns a joint [N·m/rad], [N·m·s/rad]


class Device(Protocol):
    """What hangs on a line, as bytes see it."""

    @property
    def asked(self) -> bool:
        """Somebody waits for an answer."""

    def take(self, data: bytes, now_us: int) -> None:
        """Understand what came over the line at a time [µs]."""

    def answer(self) -> bytes:
        """Return the answers to what was asked, as of the last step."""

    def tell(self, now_us: int) -> bytes:
        """Return what it sends unasked in the millisecond that began at a time [µs]."""


class Robot:
    """Every emulated device and the body that they feel and move.

    Attributes:
        body: in MuJoCo.
        bears: the actuators on BEAR lines.
        imu: of the torso.
        boards: by source.
        supervisor: of the motors' supply, if there is one.
        chain: of the E-stop.
        operator: the operator's hands.
        receiver: the radio receiver, if there is one.
        native: the native handset, if there is one.
        remote: the wireless stop, if there is one.
        devices: what hangs on each line, by its name.
        sample: what the sensors say since the last step.
    """

    def __init__(self, settings: TwinSettings) -> None:
        """Switch everything on.

        Args:
            settings: of the twin.

        Raises:
            DeviceError: no body can be made of the settings.
        """
        sim = settings.sim
        self.settings = settings
        self.body = SimulatedBody(sim, settings.seed)
        n = len(sim.joint_names)
        self._q, self._dq = np.zeros(n), np.zeros(n)
        self._command = JointCommand.zeros(n)
        self._turned: dict[int, float] = {}
        self.sample: Sample = self.body.read()
        self.operator = Operator()
        self.chain = StopChain()
        self.imu = Imu(settings.imu_drift, settings.imu_started_s)
        # A line's actuators lie together.
        order = {line.name: i for i, line in enumerate(settings.lines)}
        seats = tuple(sorted(settings.seats, key=lambda seat: order[seat.line]))
        self.bears = Bears(seats, sim, self.body.world.legs, settings.traits)
        self._contacts = [ContactBoard(seat.source, seat.contacts) for seat in settings.contacts]
        shorted = self.body.actuators.damping
        self._hands = []
        for hand in settings.hands:
            joints = np.array([sim.joint_names.index(motor.joint) for motor in hand.motors])
            self._hands.append(HandBoard(hand, joints, shorted))
        self._batteries = [
            BatteryMonitor(seat, 0.0 if sim.battery is None else sim.battery.capacity_ah)
            for seat in settings.batteries
        ]
        self.supervisor: Supervisor | None = None
        if settings.supervisor is not None:
            self.supervisor = Supervisor(settings.supervisor, self.chain, settings.seed)
        self.boards: dict[int, Board] = {}
        self.receiver: Receiver | None = None
        self.native: NativeHandset | None = None
        self.remote: SafeRemote | None = None
        self.devices: dict[str, Device] = {}
        for line in settings.lines:
            rows = [row for row, seat in enumerate(seats) if seat.line == line.name]
            self.devices[line.name] = self._device(line.name, line.family, rows)

    def _device(self, name: str, family: Family, rows: list[int]) -> Device:
        settings = self.settings
        if family is Family.BEARS:
            return BearLine(self.bears, range(rows[0], rows[-1] + 1) if rows else range(0))
        if family is Family.IMU:
            return self.imu
        if family is Family.RECEIVER:
            self.receiver = Receiver(self.operator, settings.channels)
            return self.receiver
        if family is Family.NATIVE_HANDSET:
            self.native = NativeHandset(self.operator, settings.key, boot=1 + settings.seed)
            return self.native
        if family is Family.SAFE_REMOTE:
            self.remote = SafeRemote(self.operator, self.chain)
            return self.remote
        here: list[Board] = []
        for seats, made in (
            (settings.contacts, self._contacts),
            (settings.hands, self._hands),
            (settings.batteries, self._batteries),
        ):
            lines = [seat.line for seat in seats]
            here += [board for line, board in zip(lines, made, strict=True) if line == name]
        if settings.supervisor is not None and self.supervisor is not None:
            here += [self.supervisor] if settings.supervisor.line == name else []
        self.boards |= {board.source: board for board in here}
        return BoardLine(here)

    def turn(self, joint: int, degrees: float | None) -> None:
        """Let a hand take a joint and turn it to an angle [deg]; None lets it go."""
        self._turned.pop(joint, None)
        if degrees is not None:
            self._turned[joint] = math.radians(degrees)

    @property
    def motor_v(self) -> float:
        """The motors' supply [V]."""
        return self.sample.battery_v if self.supervisor is None else self.supervisor.motor_v

    def step(self, now_us: int) -> None:
        """Let everything act for the millisecond that begins now [µs], and feel its beginning.

        Raises:
            DeviceError: the simulation has diverged.
        """
        body, q, dq, command = self.body, self._q, self._dq, self._command
        world, tau = body.world, command.tau
        body.data.qpos.take(world.q_address, out=q, mode="clip")
        body.data.qvel.take(world.v_address, out=dq, mode="clip")
        carried = self.bears.pull(q, dq, tau)
        for hand in self._hands:
            hand.supply_v = self.motor_v
            hand.pull(q, dq, tau, now_us)
        for joint, angle in self._turned.items():
            tau[joint] += HAND_KP * (angle - q[joint]) - HAND_KD * dq[joint]
        body.obey(command, limp=not carried)
        sample = self.sample = body.read()
        if self.supervisor is not None:
            self.supervisor.feel(sample.battery_v, sample.battery_a, now_us)
            self.bears.supply(self.supervisor.live)
        self.bears.feel(sample, self.motor_v, now_us)
        self.imu.feel(Motion.of(sample, body.truth()))
        for foot in self._contacts:
            foot.feel(sample.contacts, body.normal_forces)
        for hand in self._hands:
            hand.feel(sample)
        for pack in self._batteries:
            pack.feel(sample.battery_v, sample.battery_a, sample.battery_charge)
