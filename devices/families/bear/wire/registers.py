"""Registers of a BEAR: address, type, unit, access and differences between firmware versions.

Sources: [P] Westwood-Robotics/PyBEAR, pybear/CONTROL_TABLE.py (0.1.3). [C] RoMeLaUCLA/CBEAR,
include/bear_macro.h. [W] omelia-iliffe/westwood-bear-rs, src/protocol/registers.rs. [A]
Westwood-Robotics/AOS, the maker's own humanoid. Units are stated by [P] for positions; the
others are inferred from their use in [A], and a "?" means that no source states the unit.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Table(StrEnum):
    """Table of a register; each table has its own instructions."""

    STATUS = "status"
    CONFIG = "config"  # lost at power off unless it is saved


class TorqueEnable(IntEnum):
    """Values of `torque_enable`."""

    OFF = 0
    ON = 1
    ERROR = 2  # read-only
    DAMPING = 3  # also reported after an E-stop


class ControlMode(IntEnum):
    """Values of `mode`."""

    TORQUE = 0  # goal_iq
    VELOCITY = 1
    POSITION = 2
    FORCE = 3  # force gains on goal position and velocity, plus goal_iq


@dataclass(frozen=True, slots=True)
class Register:
    """One register, four bytes.

    Attributes:
        table: status or configuration.
        address: address in its table.
        name: the maker's name.
        unit: unit of its value, empty if it has none, "?" if no source states it.
        integer: an unsigned integer, otherwise a float.
        writable: a request may write it.
        differs: differences in other firmware or in another source.
    """

    table: Table
    address: int
    name: str
    unit: str = ""
    integer: bool = False
    writable: bool = True
    differs: str = ""


def _config(address: int, name: str, unit: str = "", *, differs: str = "") -> Register:
    return Register(Table.CONFIG, address, name, unit, differs=differs)


def _config_word(address: int, name: str, unit: str = "", *, differs: str = "") -> Register:
    return Register(Table.CONFIG, address, name, unit, integer=True, differs=differs)


def _goal(address: int, name: str, unit: str) -> Register:
    return Register(Table.STATUS, address, name, unit)


def _present(address: int, name: str, unit: str) -> Register:
    return Register(Table.STATUS, address, name, unit, writable=False)


TORQUE_ENABLE = Register(Table.STATUS, 0x00, "torque_enable", integer=True)
HOMING_COMPLETE = Register(
    Table.STATUS,
    0x01,
    "homing_complete",
    integer=True,
    writable=False,
    differs="[W] reads a float and lets it be written",
)
GOAL_ID = _goal(0x02, "goal_id", "A")
GOAL_IQ = _goal(0x03, "goal_iq", "A")
GOAL_VELOCITY = _goal(0x04, "goal_velocity", "rad/s")
GOAL_POSITION = _goal(0x05, "goal_position", "rad")
PRESENT_ID = _present(0x06, "present_id", "A")
PRESENT_IQ = _present(0x07, "present_iq", "A")
PRESENT_VELOCITY = _present(0x08, "present_velocity", "rad/s")
PRESENT_POSITION = _present(0x09, "present_position", "rad")
INPUT_VOLTAGE = _present(0x0A, "input_voltage", "V")
WINDING_TEMPERATURE = _present(0x0B, "winding_temperature", "°C")
POWERSTAGE_TEMPERATURE = _present(0x0C, "powerstage_temperature", "°C")
IC_TEMPERATURE = _present(0x0D, "ic_temperature", "°C")
# 0x0E and 0x0F are error and warning words in [P], a packed current and temperature in [C], and
# absent in [W]: Footlight does not read them, as every reply carries the error byte.

MODE = _config_word(0x01, "mode")
P_GAIN_FORCE = _config(0x10, "p_gain_force", "A/rad")
D_GAIN_FORCE = _config(0x12, "d_gain_force", "A·s/rad")
LIMIT_I_MAX = _config(0x14, "limit_i_max", "A")
WATCHDOG_TIMEOUT = _config_word(
    0x1A, "watchdog_timeout", "?", differs="older firmware: low_voltage_warning, a float [V]"
)
TEMP_LIMIT_LOW = _config(0x1B, "temp_limit_low", "°C")  # begins to limit the current
TEMP_LIMIT_HIGH = _config(0x1C, "temp_limit_high", "°C")  # switches the torque off

STATUS = (
    TORQUE_ENABLE,
    HOMING_COMPLETE,
    GOAL_ID,
    GOAL_IQ,
    GOAL_VELOCITY,
    GOAL_POSITION,
    PRESENT_ID,
    PRESENT_IQ,
    PRESENT_VELOCITY,
    PRESENT_POSITION,
    INPUT_VOLTAGE,
    WINDING_TEMPERATURE,
    POWERSTAGE_TEMPERATURE,
    IC_TEMPERATURE,
)
CONFIG = (
    _config_word(0x00, "id"),
    MODE,
    _config_word(0x02, "baudrate", "baud"),
    _config(0x03, "homing_offset", "rad"),
    _config(0x04, "p_gain_id"),
    _config(0x05, "i_gain_id"),
    _config(0x06, "d_gain_id"),
    _config(0x07, "p_gain_iq"),
    _config(0x08, "i_gain_iq"),
    _config(0x09, "d_gain_iq"),
    _config(0x0A, "p_gain_velocity"),
    _config(0x0B, "i_gain_velocity"),
    _config(0x0C, "d_gain_velocity"),
    _config(0x0D, "p_gain_position"),
    _config(0x0E, "i_gain_position"),
    _config(0x0F, "d_gain_position"),
    P_GAIN_FORCE,
    _config(0x11, "i_gain_force"),
    D_GAIN_FORCE,
    _config(0x13, "limit_acc_max", "rad/s²", differs="older firmware: limit_id_max [A]"),
    LIMIT_I_MAX,
    _config(0x15, "limit_velocity_max", "rad/s"),
    _config(0x16, "limit_position_min", "rad"),
    _config(0x17, "limit_position_max", "rad"),
    _config(0x18, "min_voltage", "V"),
    _config(0x19, "max_voltage", "V"),
    WATCHDOG_TIMEOUT,
    TEMP_LIMIT_LOW,
    TEMP_LIMIT_HIGH,
    _config_word(0x1E, "return_time_delay", "?", differs="only in [W], called experimental"),
)
