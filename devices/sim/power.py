"""Heat of the windings and the battery that feeds them."""

import math

import numpy as np

from devices.compiled import compiled
from devices.interface import Floats
from devices.sim.settings import SimSettings

COPPER = 0.0039  # growth of a winding's resistance [1/K]

# No data sheet was found: these are for an actuator that turns one kilowatt into heat at
# stall, and scale with that power. They let a 285 g actuator carry the paper's mean hip
# torque of 4 N·m at about 85 °C for good, with 8 s and 4 min as time constants.
WINDING_CAPACITY = 100.0  # [J/K]
WINDING_TO_HOUSING = 0.077  # [K/W]
HOUSING_CAPACITY = 1500.0  # [J/K]
HOUSING_TO_ROOM = 0.155  # [K/W]

IDLE_W = 35.0  # computer, radio and electronics
CELLS = 6
CHARGE = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
CELL_V = (3.0, 3.45, 3.6, 3.7, 3.77, 3.87, 4.0, 4.08, 4.2)

LOSS_COLD, WINDING_J, HOUSING_J, TO_HOUSING, TO_ROOM = range(5)  # rows of the figures
WINDING, HOUSING = range(2)  # rows of the temperatures


@compiled
def warm(
    heat_j: Floats,
    duration_s: float,
    ambient_c: float,
    figures: Floats,
    temperatures: Floats,
    loss_out: Floats,
) -> float:
    """Let heat flow from the windings to the housings to the room.

    Args:
        heat_j: lost in each winding (n) [J].
        duration_s: meanwhile [s].
        ambient_c: temperature of the room [°C].
        figures: losses when cold, capacities and conductivities (5, n).
        temperatures: of windings and housings (2, n) [°C].
        loss_out: what a winding loses by the square of its torque (n) [W/(N·m)²].

    Returns:
        All the heat [J].
    """
    total = 0.0
    for i in range(len(heat_j)):
        winding, housing = temperatures[WINDING, i], temperatures[HOUSING, i]
        flow = figures[TO_HOUSING, i] * (winding - housing)
        leak = figures[TO_ROOM, i] * (housing - ambient_c)
        temperatures[HOUSING, i] += duration_s * (flow - leak) / figures[HOUSING_J, i]
        winding += (heat_j[i] - duration_s * flow) / figures[WINDING_J, i]
        temperatures[WINDING, i] = winding
        loss_out[i] = figures[LOSS_COLD, i] * (1.0 + COPPER * (winding - 25.0))
        total += heat_j[i]
    return total


class Power:
    """Slow states of the actuators and the battery, updated every few ticks."""

    def __init__(self, settings: SimSettings) -> None:
        """Start cold, with the charge of the settings."""
        stall = np.array(settings.stall_torque)
        constant = np.array(settings.torque_constant)
        ohm = settings.nominal_voltage * constant / stall
        loss_cold = ohm / constant**2
        self.loss_by_torque2 = loss_cold.copy()
        kilowatts = settings.nominal_voltage * stall / constant / 1000.0
        self._figures = np.array(
            [
                loss_cold,
                WINDING_CAPACITY * kilowatts,
                HOUSING_CAPACITY * kilowatts,
                kilowatts / WINDING_TO_HOUSING,
                kilowatts / HOUSING_TO_ROOM,
            ]
        )
        self._ambient = settings.ambient_c
        self._temperatures = np.full((2, len(stall)), settings.ambient_c)
        self.winding_c: Floats = self._temperatures[WINDING]
        self.housing_c: Floats = self._temperatures[HOUSING]
        self._resistance = settings.battery_resistance_ohm
        self._capacity_c = 3600.0 * settings.battery_capacity_ah
        self.charge = settings.battery_charge
        self.voltage = 0.0
        self.current = 0.0
        self._update_battery(IDLE_W, 0.0)
        # A first call compiles, which takes seconds: not when the robot is already moving.
        unused = np.zeros(len(stall))
        warm(unused, 0.0, self._ambient, self._figures, self._temperatures, unused.copy())

    def update(self, heat_j: Floats, work_j: float, duration_s: float) -> None:
        """Account for what the actuators used.

        Args:
            heat_j: lost in each winding (n) [J].
            work_j: done by all joints, negative when they are driven [J].
            duration_s: meanwhile [s].
        """
        total = warm(
            heat_j,
            duration_s,
            self._ambient,
            self._figures,
            self._temperatures,
            self.loss_by_torque2,
        )
        watts = IDLE_W + (total + work_j) / duration_s
        self._update_battery(watts, duration_s)

    def _update_battery(self, watts: float, duration_s: float) -> None:
        source = CELLS * float(np.interp(self.charge, CHARGE, CELL_V))
        # V = E - I R and V I = P; below the peak of power the larger root is the stable one.
        inside = source * source - 4.0 * self._resistance * watts
        self.voltage = 0.5 * (source + math.sqrt(max(inside, 0.0)))
        self.current = watts / self.voltage
        used = self.current * duration_s / self._capacity_c
        self.charge = min(max(self.charge - used, 0.0), 1.0)
