"""Heat of the windings, and the battery or the mains that feed them."""

import math

import numpy as np

from devices.compiled import compiled
from devices.interface import Floats
from devices.sim.settings import SimSettings

COPPER = 0.0039  # growth of a winding's resistance [1/K]

CHARGE = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
CELL_V = (3.0, 3.45, 3.6, 3.7, 3.77, 3.87, 4.0, 4.08, 4.2)  # of an unloaded lithium-ion cell
CELL_NOMINAL_V = 3.7

LOSS_COLD, WINDING_J, HOUSING_J, TO_HOUSING, TO_ROOM = range(5)  # rows of the parameters
WINDING, HOUSING = range(2)  # rows of the temperatures


@compiled
def conduct_heat(
    heat_j: Floats,
    duration_s: float,
    ambient_c: float,
    parameters: Floats,
    temperatures: Floats,
    loss_out: Floats,
) -> float:
    """Let heat flow from the windings to the housings to the room.

    Args:
        heat_j: lost in each winding (n) [J].
        duration_s: time in which it was lost [s].
        ambient_c: temperature of the room [°C].
        parameters: losses when cold, capacities and conductivities (5, n).
        temperatures: of windings and housings (2, n) [°C].
        loss_out: loss in each winding by the square of its torque, overwritten (n) [W/(N·m)²].

    Returns:
        All the heat [J].
    """
    total = 0.0
    for i in range(len(heat_j)):
        winding, housing = temperatures[WINDING, i], temperatures[HOUSING, i]
        flow = parameters[TO_HOUSING, i] * (winding - housing)
        leak = parameters[TO_ROOM, i] * (housing - ambient_c)
        temperatures[HOUSING, i] += duration_s * (flow - leak) / parameters[HOUSING_J, i]
        winding += (heat_j[i] - duration_s * flow) / parameters[WINDING_J, i]
        temperatures[WINDING, i] = winding
        loss_out[i] = parameters[LOSS_COLD, i] * (1.0 + COPPER * (winding - 25.0))
        total += heat_j[i]
    return total


class Power:
    """Temperatures of the actuators and state of the supply, updated every few steps.

    Attributes:
        winding_c: temperatures of the windings (n) [°C].
        housing_c: temperatures of the housings (n) [°C].
        loss_by_torque2: loss in each winding by the square of its torque (n) [W/(N·m)²].
        charge: of the battery, 0 to 1; 1 on mains.
        voltage: of the supply under load [V].
        current: drawn from the supply [A].
    """

    def __init__(self, settings: SimSettings) -> None:
        """Start with cold windings and the charge of the settings."""
        windings = settings.body.windings
        stall = np.array(settings.stall_torque)
        constant = np.array(settings.torque_constant)
        ohm = settings.nominal_voltage * constant / stall
        loss_cold = ohm / constant**2
        self.loss_by_torque2 = loss_cold.copy()
        kilowatts = settings.nominal_voltage * stall / constant / 1000.0
        self._parameters = np.array(
            [
                loss_cold,
                windings.winding_capacity * kilowatts,
                windings.housing_capacity * kilowatts,
                kilowatts / windings.winding_to_housing,
                kilowatts / windings.housing_to_room,
            ]
        )
        self._ambient = settings.ambient_c
        self._temperatures = np.full((2, len(stall)), settings.ambient_c)
        self.winding_c: Floats = self._temperatures[WINDING]
        self.housing_c: Floats = self._temperatures[HOUSING]
        self._idle_w = settings.body.idle_w
        self._battery = settings.battery
        self._cells = max(round(settings.nominal_voltage / CELL_NOMINAL_V), 1)
        self.charge = 1.0 if settings.battery is None else settings.battery.charge
        self.voltage = settings.nominal_voltage
        self.current = 0.0
        self._draw(self._idle_w, 0.0)
        # The first call compiles, which takes seconds: do it before the robot moves.
        unused = np.zeros(len(stall))
        conduct_heat(
            unused, 0.0, self._ambient, self._parameters, self._temperatures, unused.copy()
        )

    def update(self, heat_j: Floats, work_j: float, duration_s: float) -> None:
        """Account for the energy that the actuators used.

        Args:
            heat_j: lost in each winding (n) [J].
            work_j: done by all joints, negative when they are driven [J].
            duration_s: time in which that happened [s].
        """
        total = conduct_heat(
            heat_j,
            duration_s,
            self._ambient,
            self._parameters,
            self._temperatures,
            self.loss_by_torque2,
        )
        self._draw(self._idle_w + (total + work_j) / duration_s, duration_s)

    def set_unloaded_voltage(self, voltage: float) -> None:
        """Set the charge with which the unloaded battery has a voltage [V]."""
        self.charge = float(np.interp(voltage / self._cells, CELL_V, CHARGE))

    def _draw(self, watts: float, duration_s: float) -> None:
        battery = self._battery
        if battery is None:
            self.current = watts / self.voltage
            return
        source = self._cells * float(np.interp(self.charge, CHARGE, CELL_V))
        # V = E - I R and V I = P; below the peak of power the larger root is the stable one.
        inside = source * source - 4.0 * battery.resistance_ohm * watts
        self.voltage = 0.5 * (source + math.sqrt(max(inside, 0.0)))
        self.current = watts / self.voltage
        used = self.current * duration_s / (3600.0 * battery.capacity_ah)
        self.charge = min(max(self.charge - used, 0.0), 1.0)
