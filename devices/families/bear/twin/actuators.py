"""All BEAR actuators of a robot: registers, torque and measurements."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from devices.families.bear.twin import laws
from devices.families.bear.twin.traits import BearTraits
from devices.families.bear.wire.packet import LAST_ID
from devices.families.bear.wire.registers import (
    CONFIG,
    D_GAIN_FORCE,
    GOAL_IQ,
    GOAL_POSITION,
    GOAL_VELOCITY,
    MODE,
    P_GAIN_FORCE,
    STATUS,
    TORQUE_ENABLE,
    Register,
    Table,
    TorqueEnable,
)
from devices.families.interface import Seat
from devices.interface import Bools, Floats, Sample
from devices.sim.settings import SimSettings

Indices: TypeAlias = npt.NDArray[np.intp]

_STATUS_SIZE, _CONFIG_SIZE = 16, 32
_ID = 0x00
DRIVEN_BY = (
    *(TORQUE_ENABLE, MODE),
    *(GOAL_POSITION, GOAL_VELOCITY, GOAL_IQ),
    *(P_GAIN_FORCE, D_GAIN_FORCE),
)
"""The registers that a driver of the torque writes."""
_BY_NAME = {register.name: register for register in (*STATUS, *CONFIG)}
_KNOWN = {table: {r.address for r in (*STATUS, *CONFIG) if r.table is table} for table in Table}
_FIXED = {r.address for r in (*STATUS, *CONFIG) if r.table is Table.STATUS and not r.writable}


def known(table: Table, address: int) -> bool:
    """Return whether a register exists."""
    return address in _KNOWN[table]


class Bears:
    """The registers of every actuator in one array, one row for each actuator.

    Attributes:
        ids: ids on their lines (m).
        state: status registers as integers (m, 16).
        values: the same bytes as floats (m, 16).
        config: configuration registers as integers (m, 32).
        settings: the same bytes as floats (m, 32).
        errors: error byte of each actuator's replies (m).
        alive: whether each actuator has its logic supply (m).
        traits: properties of all actuators.
        powered: the motors have their supply.
        restarts: number of restarts.
    """

    def __init__(
        self, seats: tuple[Seat, ...], sim: SimSettings, legs: Bools, traits: BearTraits
    ) -> None:
        """Switch the actuators on, without torque.

        Args:
            seats: mounting of the actuators (m).
            sim: the simulated robot.
            legs: whether each joint belongs to a leg (n).
            traits: properties of all actuators.
        """
        m = len(seats)
        joints = [sim.joint_names.index(seat.joint) for seat in seats]
        stall = np.array(sim.stall_torque)[joints]
        damping = sim.damping or np.array(sim.stall_torque) / np.array(sim.no_load_speed)
        self.traits = traits
        self.powered = True
        self.restarts = 0
        self.alive = np.ones(m, dtype=np.bool_)
        self._dead = np.zeros(m, dtype=np.bool_)
        self.state = np.zeros((m, _STATUS_SIZE), dtype=np.uint32)
        self.config = np.zeros((m, _CONFIG_SIZE), dtype=np.uint32)
        self.values = self.state.view(np.float32)
        self.settings = self.config.view(np.float32)
        self._marks = np.zeros((6, m), dtype=np.int64)
        self._parameters = np.zeros((6, m))
        self._circumstances = np.zeros(6, dtype=np.int64)
        self.errors = self._marks[laws.ERRORS]
        marks, parameters, circumstances = self._marks, self._parameters, self._circumstances
        marks[laws.JOINT] = joints
        marks[laws.CARRIES] = legs[joints]
        marks[laws.CLEARED] = -1
        self.errors[:] = laws.HEALTHY
        parameters[laws.SLOPE] = [seat.sign * seat.gear for seat in seats]
        parameters[laws.ZERO] = [seat.zero_rad for seat in seats]
        parameters[laws.CONSTANT] = [seat.sign * seat.torque_constant for seat in seats]
        parameters[laws.DAMPING] = np.array(damping)[joints]
        parameters[laws.DERATED] = 1.0
        circumstances[laws.POWERED] = 1
        circumstances[laws.UNIT] = traits.watchdog_unit_us
        circumstances[laws.MODES] = sum(1 << mode for mode in traits.watchdog_modes)
        circumstances[laws.CLEAR] = traits.clear_us
        circumstances[laws.DAMPING_FAULT] = traits.damping_raises_fault
        self.config[:, 0] = [seat.id for seat in seats]
        self.config[:, _address("baudrate")] = 8_000_000
        for name, value in (
            ("limit_i_max", stall / np.abs(parameters[laws.CONSTANT])),
            ("limit_velocity_max", 100.0),
            ("limit_position_min", -1e3),
            ("limit_position_max", 1e3),
            ("min_voltage", 12.0),
            ("max_voltage", 34.0),
            ("temp_limit_low", 80.0),
            ("temp_limit_high", 100.0),
        ):
            self.settings[:, _address(name)] = value
        self.ids = self.config[:, 0]
        self._saved = self.config.copy()

    def pull(self, q: Floats, dq: Floats, tau: Floats) -> bool:
        """Write each actuator's joint torque; return whether an actuator of a leg is driven.

        Args:
            q: true positions of all joints (n) [rad].
            dq: true velocities (n) [rad/s].
            tau: torques; elements of other joints are left unchanged (n) [N·m].
        """
        return laws.pull(
            self.state,
            self.values,
            self.config,
            self.settings,
            self._parameters,
            self._marks,
            self.powered,
            q,
            dq,
            tau,
        )

    def feel(self, sample: Sample, motor_v: float, now_us: int) -> None:
        """Update each actuator's measurements and faults at a time [µs]."""
        self._circumstances[laws.NOW] = now_us
        self._circumstances[laws.POWERED] = self.powered
        laws.feel(
            self.state,
            self.values,
            self.config,
            self.settings,
            self._parameters,
            self._marks,
            self._circumstances,
            motor_v,
            sample.q,
            sample.dq,
            sample.tau,
            sample.winding_c,
        )

    def supply(self, powered: bool) -> None:
        """Switch the motors' supply on or off."""
        if powered == self.powered:
            return
        self.powered = powered
        if not powered:
            self.state[:, laws.TORQUE] = TorqueEnable.OFF
        if not self.traits.keeps_logic:
            self.alive[:] = powered & ~self._dead
            if powered:
                for row in range(len(self.alive)):
                    self.restart(row)

    def restart(self, row: int) -> None:
        """Restart an actuator as after a loss of supply: torque off, saved configuration."""
        self.restarts += 1
        self.state[row] = 0
        self.config[row] = self._saved[row]
        self._marks[laws.LATCHED, row] = 0
        self._marks[laws.CLEARED, row] = -1

    def number(self, row: int, actuator_id: int) -> None:
        """Give an actuator another id, save it, and restart the actuator."""
        self._saved[row, _ID] = actuator_id
        self.restart(row)

    def kill(self, row: int) -> None:
        """Switch off the logic supply of an actuator."""
        self._dead[row] = True
        self.alive[row] = False
        self.state[row, laws.TORQUE] = TorqueEnable.OFF

    def revive(self, row: int) -> None:
        """Restart an actuator that lost its supply."""
        self._dead[row] = False
        self.alive[row] = self.powered or self.traits.keeps_logic
        self.restart(row)

    def feed(self, rows: int | Indices, now_us: int) -> None:
        """Feed the watchdog of actuators that were written to."""
        self._marks[laws.FED, rows] = now_us

    def enable(self, row: int, asked: int, now_us: int) -> None:
        """Set the torque switch to the requested state, as far as the actuator's state allows."""
        state = self.state
        if asked == TorqueEnable.OFF:
            state[row, laws.TORQUE] = TorqueEnable.OFF
            self._marks[laws.CLEARED, row] = now_us
        elif asked == TorqueEnable.ON and self.powered:
            well = not self._marks[laws.LATCHED, row] and self._parameters[laws.DERATED, row] > 0.0
            state[row, laws.TORQUE] = TorqueEnable.ON if well else TorqueEnable.ERROR
        elif asked == TorqueEnable.DAMPING and self.powered:
            state[row, laws.TORQUE] = TorqueEnable.DAMPING

    def set(self, row: int, table: Table, address: int, word: int, now_us: int) -> bool:
        """Write one register; return whether it exists and is writable."""
        if not known(table, address):
            return False
        if table is Table.STATUS:
            if address == TORQUE_ENABLE.address:
                self.enable(row, word, now_us)
                return True
            if address in _FIXED:
                return False
            self.state[row, address] = word
            return True
        if self.state[row, laws.TORQUE] == TorqueEnable.ON and not self.traits.config_while_enabled:
            return False
        if address == _ID and word > LAST_ID:
            return False
        self.config[row, address] = word
        return True

    def save(self, row: int) -> None:
        """Save an actuator's configuration."""
        self._saved[row] = self.config[row]

    def call_position(self, row: int, position_rad: float) -> None:
        """Define the present position as a value and save that."""
        offset = position_rad - self.values[row, laws.POSITION]
        self.settings[row, laws.OFFSET] += offset
        self.values[row, laws.POSITION] = position_rad
        self.save(row)

    def received(self, row: int) -> dict[str, float]:
        """Return the registers by which an actuator is driven, by name."""
        found: dict[str, float] = {}
        for register in DRIVEN_BY:
            integers, floats = (
                (self.state, self.values)
                if register.table is Table.STATUS
                else (self.config, self.settings)
            )
            values = integers if register.integer else floats
            found[register.name] = values[row, register.address].item()
        return found

    def latch(self, row: int, mask: int) -> None:
        """Set a fault that lasts until it is cleared."""
        self._marks[laws.LATCHED, row] |= mask

    @property
    def torque(self) -> Indices:
        """Torque switch of each actuator (m)."""
        return self.state[:, laws.TORQUE].astype(np.intp)


def _address(name: str) -> int:
    register: Register = _BY_NAME[name]
    return register.address
