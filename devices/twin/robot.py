"""A whole robot of emulated devices around one simulated body, one step per tick."""

import math
from collections.abc import Callable

import numpy as np

from devices.errors import DeviceError
from devices.families.boards.twin.battery_monitor import BatteryMonitor
from devices.families.boards.twin.board import Board, BoardLine
from devices.families.boards.twin.contact_board import ContactBoard
from devices.families.boards.twin.hand_board import HandBoard
from devices.families.boards.twin.supervisor import StopChain, Supervisor
from devices.families.crsf.twin import Receiver
from devices.families.interface import Device, TwinActuators, TwinBuild
from devices.families.mip.twin import Imu, Motion
from devices.families.native_handset.twin import NativeHandset
from devices.families.registry import actuator_family
from devices.families.safe_remote.twin import SafeRemote
from devices.interface import JointCommand, Sample
from devices.sim.body import SimulatedBody
from devices.twin.operator import Operator
from devices.twin.settings import (
    BOARDS,
    CRSF,
    MIP,
    NATIVE_HANDSET,
    SAFE_REMOTE,
    TwinSettings,
)

HAND_KP, HAND_KD = 60.0, 3.0  # of a hand that turns a joint [N·m/rad], [N·m·s/rad]


class Robot:
    """Every emulated device and the simulated body.

    Attributes:
        body: body in MuJoCo.
        tick_us: length of a step [µs].
        actuators: actuators by family.
        imu: IMU of the torso.
        boards: boards by source.
        supervisor: supervisor of the motors' supply, if there is one.
        chain: E-stop channels.
        operator: the operator's controls.
        receiver: the radio receiver, if there is one.
        native: the native handset, if there is one.
        remote: the wireless stop, if there is one.
        devices: devices on each line, by the line's name.
        sample: sensor readings of the last step.
    """

    def __init__(self, settings: TwinSettings) -> None:
        """Switch all devices on.

        Args:
            settings: settings of the twin.

        Raises:
            DeviceError: the settings make no body.
        """
        sim = settings.sim
        self.settings = settings
        self.body = SimulatedBody(sim, settings.seed)
        tick_us = self.tick_us = round(1e6 * sim.timestep_s)
        n = len(sim.joint_names)
        self._q, self._dq = np.zeros(n), np.zeros(n)
        self._command = JointCommand.zeros(n)
        self._turned: dict[int, float] = {}
        self.sample: Sample = self.body.read()
        self.operator = Operator()
        self.chain = StopChain()
        self.imu = Imu(settings.imu_drift, settings.imu_started_s)
        # The actuators are ordered by line.
        order = {line.name: i for i, line in enumerate(settings.lines)}
        self.actuators: dict[str, TwinActuators] = {}
        for group in settings.actuators:
            seats = tuple(sorted(group.seats, key=lambda seat: order[seat.line]))
            build = TwinBuild(seats, group.traits, sim, self.body.world.legs)
            self.actuators[group.family] = actuator_family(group.family).twin(build)
        self._family_of = {
            seat.joint: group.family for group in settings.actuators for seat in group.seats
        }
        self._contacts = [
            ContactBoard(seat.source, seat.contacts, tick_us) for seat in settings.contacts
        ]
        shorted = self.body.actuators.damping
        self._hands = []
        for hand in settings.hands:
            joints = np.array([sim.joint_names.index(motor.joint) for motor in hand.motors])
            self._hands.append(HandBoard(hand, joints, shorted, tick_us))
        capacity_ah = 0.0 if sim.battery is None else sim.battery.capacity_ah
        self._batteries = [
            BatteryMonitor(seat, capacity_ah, tick_us) for seat in settings.batteries
        ]
        self.supervisor: Supervisor | None = None
        if settings.supervisor is not None:
            self.supervisor = Supervisor(settings.supervisor, self.chain, settings.seed, tick_us)
        self.boards: dict[int, Board] = {}
        self.receiver: Receiver | None = None
        self.native: NativeHandset | None = None
        self.remote: SafeRemote | None = None
        self.devices: dict[str, Device] = {}
        makers: dict[str, Callable[[str], Device]] = {
            BOARDS: self._board_line,
            MIP: lambda name: self.imu,
            CRSF: self._receiver,
            NATIVE_HANDSET: self._native_handset,
            SAFE_REMOTE: self._safe_remote,
            **{family: group.device for family, group in self.actuators.items()},
        }
        for line in settings.lines:
            maker = makers.get(line.family) or self._idle(line.family)
            self.devices[line.name] = maker(line.name)

    def _idle(self, family: str) -> Callable[[str], Device]:
        """Return a factory of a line whose family has no actuators here."""
        build = TwinBuild((), None, self.settings.sim, self.body.world.legs)
        return actuator_family(family).twin(build).device

    def _receiver(self, name: str) -> Device:
        del name
        self.receiver = Receiver(self.operator, self.settings.channels, self.tick_us)
        return self.receiver

    def _native_handset(self, name: str) -> Device:
        del name
        settings = self.settings
        boot = 1 + settings.seed
        self.native = NativeHandset(self.operator, settings.key, boot, self.tick_us)
        return self.native

    def _safe_remote(self, name: str) -> Device:
        del name
        self.remote = SafeRemote(self.operator, self.chain, self.tick_us)
        return self.remote

    def _board_line(self, name: str) -> Device:
        settings = self.settings
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

    def received(self) -> dict[str, dict[str, float]]:
        """Return the values by which each joint is driven, as its actuator or board has them."""
        found: dict[str, dict[str, float]] = {}
        for group in self.actuators.values():
            found |= group.received()
        for hand in self._hands:
            found |= hand.received()
        return found

    def inject(self, joint: str, what: str, value: int = 0) -> None:
        """Cause a fault of a joint's actuator, by its family's name of the fault.

        Raises:
            DeviceError: the joint has no actuator on a line, or the actuator has no such fault.
        """
        family = self._family_of.get(joint)
        if family is None:
            raise DeviceError("twin", f"{joint} has no actuator on a bus; give another joint")
        self.actuators[family].inject(joint, what, value)

    def turn(self, joint: int, degrees: float | None) -> None:
        """Turn a joint by hand to an angle [deg]; None releases it."""
        self._turned.pop(joint, None)
        if degrees is not None:
            self._turned[joint] = math.radians(degrees)

    @property
    def motor_v(self) -> float:
        """The motors' supply [V]."""
        return self.sample.battery_v if self.supervisor is None else self.supervisor.motor_v

    def step(self, now_us: int) -> None:
        """Update all devices at the start of the tick that begins now [µs], and take its step.

        Raises:
            DeviceError: the simulation has diverged.
        """
        body, q, dq, command = self.body, self._q, self._dq, self._command
        world, tau = body.world, command.tau
        body.data.qpos.take(world.q_address, out=q, mode="clip")
        body.data.qvel.take(world.v_address, out=dq, mode="clip")
        body.actuators.motors(q, dq)
        carried = False
        for group in self.actuators.values():
            carried = group.pull(q, dq, tau) or carried
        for hand in self._hands:
            hand.supply_v = self.motor_v
            hand.pull(q, dq, tau, now_us)
        for joint, angle in self._turned.items():
            tau[joint] += HAND_KP * (angle - q[joint]) - HAND_KD * dq[joint]
        body.obey(command, limp=not carried)
        sample = self.sample = body.read()
        if self.supervisor is not None:
            self.supervisor.feel(sample.battery_v, sample.battery_a, now_us)
        for group in self.actuators.values():
            if self.supervisor is not None:
                group.supply(self.supervisor.live)
            group.feel(sample, self.motor_v, now_us)
        self.imu.feel(Motion.of(sample, body.truth()))
        for foot in self._contacts:
            foot.feel(sample.contacts, body.normal_forces)
        for hand in self._hands:
            hand.feel(sample)
        for pack in self._batteries:
            pack.feel(sample.battery_v, sample.battery_a, sample.battery_charge)
