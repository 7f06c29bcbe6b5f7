"""Kernels of the BEAR actuators' behaviour in one step, for all actuators at once."""

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from devices.compiled import compiled
from devices.interface import Floats

Words: TypeAlias = npt.NDArray[np.uint32]
Values: TypeAlias = npt.NDArray[np.float32]
Counts: TypeAlias = npt.NDArray[np.int64]

SLOPE, ZERO, CONSTANT, DAMPING, SPEED, DERATED = range(6)  # rows of the parameters
JOINT, CARRIES, FED, CLEARED, LATCHED, ERRORS = range(6)  # rows of the marks
NOW, POWERED, UNIT, MODES, CLEAR, DAMPING_FAULT = range(6)  # elements of the circumstances
# bits of the error byte
OVERHEAT, WATCHDOG, LIMIT, HARDWARE, HEALTHY = 0x02, 0x08, 0x10, 0x20, 0x80

# Registers (devices/families/bear/wire/registers.py), as plain numbers for the compiler.
TORQUE, GOAL_IQ, GOAL_VELOCITY, GOAL_POSITION = 0x00, 0x03, 0x04, 0x05
IQ, VELOCITY, POSITION, VOLTAGE, WINDING, STAGE, CHIP = 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D
MODE, OFFSET, LIMIT_I = 0x01, 0x03, 0x14
P_VELOCITY, P_POSITION, D_POSITION, P_FORCE, D_FORCE = 0x0A, 0x0D, 0x0F, 0x10, 0x12
LEAST_POSITION, MOST_POSITION, LEAST_VOLTAGE, TIMEOUT = 0x16, 0x17, 0x18, 0x1A
HOT_LOW, HOT_HIGH = 0x1B, 0x1C
OFF, ON, ERROR, SHORTED = range(4)


@compiled
def pull(
    state: Words,
    values: Values,
    config: Words,
    settings: Values,
    parameters: Floats,
    marks: Counts,
    powered: bool,
    q: Floats,
    dq: Floats,
    tau: Floats,
) -> bool:
    """Write each actuator's joint torque; return whether an actuator of a leg is driven.

    Modes 1 and 2 are approximate: they have no integral terms.

    Args:
        state: status registers as integers (m, 16).
        values: the same bytes as floats (m, 16).
        config: configuration registers as integers (m, 32).
        settings: the same bytes as floats (m, 32).
        parameters: parameters of each actuator (6, m).
        marks: integer state of each actuator (6, m).
        powered: the motors have their supply.
        q: true positions of all joints (n) [rad].
        dq: true velocities (n) [rad/s].
        tau: torques (n); only those of joints with such an actuator are written [N·m].
    """
    follows = False
    for i in range(state.shape[0]):
        j = marks[JOINT, i]
        tau[j] = 0.0
        if not powered:
            continue
        if state[i, TORQUE] == SHORTED:
            tau[j] = -parameters[DAMPING, i] * dq[j]
        if state[i, TORQUE] != ON:
            continue
        follows = follows or marks[CARRIES, i] != 0
        position = parameters[SLOPE, i] * q[j] + parameters[ZERO, i] + settings[i, OFFSET]
        velocity = parameters[SLOPE, i] * dq[j]
        iq = 1.0 * values[i, GOAL_IQ]
        mode = config[i, MODE]
        if mode == 3:
            iq += settings[i, P_FORCE] * (values[i, GOAL_POSITION] - position)
            iq += settings[i, D_FORCE] * (values[i, GOAL_VELOCITY] - velocity)
        elif mode == 2:
            iq = settings[i, P_POSITION] * (values[i, GOAL_POSITION] - position)
            iq -= settings[i, D_POSITION] * velocity
        elif mode == 1:
            iq = settings[i, P_VELOCITY] * (values[i, GOAL_VELOCITY] - velocity)
        if not math.isfinite(iq):
            continue
        most = max(settings[i, LIMIT_I] * parameters[DERATED, i], 0.0)
        tau[j] = parameters[CONSTANT, i] * max(min(iq, most), -most)
    return follows


@compiled
def feel(
    state: Words,
    values: Values,
    config: Words,
    settings: Values,
    parameters: Floats,
    marks: Counts,
    circumstances: Counts,
    volts: float,
    q: Floats,
    dq: Floats,
    tau: Floats,
    winding_c: Floats,
) -> None:
    """Update each actuator's measurements and faults.

    Args:
        state: status registers as integers (m, 16).
        values: the same bytes as floats (m, 16).
        config: configuration registers as integers (m, 32).
        settings: the same bytes as floats (m, 32).
        parameters: parameters of each actuator (6, m).
        marks: integer state of each actuator (6, m).
        circumstances: time [µs], supply, and the properties of all actuators (6).
        volts: supply voltage [V].
        q: measured positions of all joints (n) [rad].
        dq: measured velocities (n) [rad/s].
        tau: torques estimated from the motors' currents (n) [N·m].
        winding_c: winding temperatures (n) [°C].
    """
    now = circumstances[NOW]
    for i in range(state.shape[0]):
        j = marks[JOINT, i]
        values[i, POSITION] = (
            parameters[SLOPE, i] * q[j] + parameters[ZERO, i] + settings[i, OFFSET]
        )
        values[i, VELOCITY] = parameters[SLOPE, i] * dq[j]
        values[i, IQ] = tau[j] / parameters[CONSTANT, i]
        values[i, VOLTAGE] = volts
        heat = winding_c[j]
        values[i, WINDING] = heat
        values[i, STAGE] = 25.0 + 0.6 * (heat - 25.0)
        values[i, CHIP] = 30.0 + 0.3 * (heat - 25.0)
        low, high = 1.0 * settings[i, HOT_LOW], 1.0 * settings[i, HOT_HIGH]
        span = max(high - low, 1e-3)
        parameters[DERATED, i] = min(max((high - heat) / span, 0.0), 1.0) if heat > low else 1.0
        passing = OVERHEAT if heat > low else 0
        if volts < settings[i, LEAST_VOLTAGE] or circumstances[POWERED] == 0:
            passing |= HARDWARE
        causes = 0
        silence = now - marks[FED, i]
        timeout = config[i, TIMEOUT] * circumstances[UNIT]
        watched = circumstances[MODES] >> min(config[i, MODE], 31) & 1
        if state[i, TORQUE] == ON and timeout > 0 and watched and silence > timeout:
            causes |= WATCHDOG
        place = values[i, POSITION]
        if not (settings[i, LEAST_POSITION] <= place <= settings[i, MOST_POSITION]):
            causes |= LIMIT
        marks[LATCHED, i] |= causes
        if state[i, TORQUE] == OFF and marks[CLEARED, i] >= 0:
            if now - marks[CLEARED, i] >= circumstances[CLEAR]:
                marks[LATCHED, i] = causes
        if state[i, TORQUE] == ON:
            if circumstances[POWERED] == 0:
                state[i, TORQUE] = OFF
            elif marks[LATCHED, i] or heat >= high:
                state[i, TORQUE] = ERROR
        elif state[i, TORQUE] == SHORTED:
            if circumstances[POWERED] == 0:
                state[i, TORQUE] = OFF
            elif circumstances[DAMPING_FAULT]:
                passing |= WATCHDOG
        marks[ERRORS, i] = HEALTHY | marks[LATCHED, i] | passing
