"""Heat of the windings and the battery that feeds them."""

import math

import numpy as np

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


class Power:
    """Slow states of the actuators and the battery, updated every few ticks."""

    def __init__(self, settings: SimSettings) -> None:
        """Start cold, with the charge of the settings."""
        stall = np.array(settings.stall_torque)
        constant = np.array(settings.torque_constant)
        ohm = settings.nominal_voltage * constant / stall
        self._loss_cold = ohm / constant**2
        self.loss_by_torque2 = self._loss_cold.copy()
        kilowatts = settings.nominal_voltage * stall / constant / 1000.0
        self._winding_capacity = WINDING_CAPACITY * kilowatts
        self._housing_capacity = HOUSING_CAPACITY * kilowatts
        self._to_housing = kilowatts / WINDING_TO_HOUSING
        self._to_room = kilowatts / HOUSING_TO_ROOM
        self._ambient = settings.ambient_c
        self.winding_c = np.full(len(stall), settings.ambient_c)
        self.housing_c = self.winding_c.copy()
        self._resistance = settings.battery_resistance_ohm
        self._capacity_c = 3600.0 * settings.battery_capacity_ah
        self.charge = settings.battery_charge
        self.voltage = 0.0
        self.current = 0.0
        self._update_battery(IDLE_W, 0.0)

    def update(self, heat_j: Floats, work_j: float, duration_s: float) -> None:
        """Account for what the actuators used.

        Args:
            heat_j: lost in each winding (n) [J].
            work_j: done by all joints, negative when they are driven [J].
            duration_s: meanwhile [s].
        """
        flow = self._to_housing * (self.winding_c - self.housing_c)
        self.housing_c += (
            duration_s
            * (flow - self._to_room * (self.housing_c - self._ambient))
            / self._housing_capacity
        )
        self.winding_c += (heat_j - duration_s * flow) / self._winding_capacity
        np.multiply(
            self._loss_cold, 1.0 + COPPER * (self.winding_c - 25.0), out=self.loss_by_torque2
        )
        watts = IDLE_W + (float(heat_j.sum()) + work_j) / duration_s
        self._update_battery(watts, duration_s)

    def _update_battery(self, watts: float, duration_s: float) -> None:
        source = CELLS * float(np.interp(self.charge, CHARGE, CELL_V))
        # V = E - I R and V I = P; below the peak of power the larger root is the stable one.
        inside = source * source - 4.0 * self._resistance * watts
        self.voltage = 0.5 * (source + math.sqrt(max(inside, 0.0)))
        self.current = watts / self.voltage
        used = self.current * duration_s / self._capacity_c
        self.charge = min(max(self.charge - used, 0.0), 1.0)
