"""Which feet carry weight: the contact switches, compared with the torques of the legs."""

import math
from typing import Any

import numpy as np

from core.compiled import compiled
from core.plants.biped.least_squares import damped_least_squares
from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Estimator
from core.records import Record, record_of
from devices.interface import Bools, Floats, Sample

SETTLED_S = 0.012  # a foot counts as planted for the filter only after this time
DOUBT_S = 0.1  # torques that contradict a switch for longer overrule it
UNKNOWN_S = 0.02  # switches that are silent for longer are ignored
UNKNOWN_DOUBT_S = 0.02  # torques that contradict the last known contact for longer overrule it
DAMPING = 0.02


@compiled
def vertical_forces(legs: Record, feet: Record, tau: Floats, forces: Floats) -> None:
    """Write the ground's vertical force on each foot that explains the leg's torques (2) [N].

    Statics: tau = -J' f for the rows of the wrench that the leg can exert, by damped least
    squares; the leg's own weight and acceleration are neglected.
    """
    joints, rows, jacobians = legs[0].joints, legs[0].rows, feet[0].jacobians
    size = rows.size
    matrix = np.empty((size, size))
    load = np.empty((size, 1))
    force = np.empty((size, 1))
    for side in range(2):
        for i in range(size):
            for j in range(size):
                matrix[j, i] = jacobians[side, rows[i], 6 + joints[side, j]]
            load[i, 0] = tau[joints[side, i]]
        damped_least_squares(matrix, load, DAMPING, force)
        forces[side] = -force[2, 0]


@compiled
def judge_contacts(
    now_s: float,
    legs: Record,
    feet: Record,
    tau: Floats,
    switches: Bools,
    ages_s: Floats,
    memory: Floats,
    contacts: Bools,
) -> None:
    """Write which feet carry weight, and which have done so for long enough.

    Args:
        now_s: the sample's time [s].
        legs: `ContactEstimator.legs`.
        feet: `RobotModel.feet`.
        tau: measured joint torques (n) [N·m].
        switches: of the left and then of the right foot (2 s).
        ages_s: time since each switch was read (2 s) [s].
        memory: when each foot was loaded last [s], since when that is contradicted, NaN if it is
            not [s], and the vertical forces that explain the torques [N], in place (3, 2).
        contacts: feet that carry weight, and feet that have done so for SETTLED_S, in place (2, 2).
    """
    loaded, planted = contacts[0], contacts[1]
    since_s, doubt_s, forces = memory[0], memory[1], memory[2]
    limits: Any = legs[0]
    vertical_forces(legs, feet, tau, forces)
    count = switches.size // 2
    for side in range(2):
        carries, heard = False, count > 0
        for switch in range(count * side, count * (side + 1)):
            carries = carries or switches[switch] != 0
            # The age is NaN if it is unknown.
            heard = heard and ages_s[switch] <= UNKNOWN_S
        patience_s = DOUBT_S
        if not heard:
            carries = loaded[side]
            patience_s = UNKNOWN_DOUBT_S
        contradicted = forces[side] < limits.off if carries else forces[side] > limits.on
        if not contradicted:
            doubt_s[side] = math.nan
        elif math.isnan(doubt_s[side]):
            doubt_s[side] = now_s
        elif now_s - doubt_s[side] > patience_s:
            carries = not carries
        if carries and not loaded[side]:
            since_s[side] = now_s
        loaded[side] = carries
        planted[side] = carries and now_s - since_s[side] >= SETTLED_S


class ContactEstimator:
    """Owns the contact state of both feet.

    A foot is loaded if one of its switches is closed, unless the torques have contradicted that,
    beyond a Schmitt trigger's thresholds, for DOUBT_S: a switch can be stuck. If the switches of
    a foot are silent, the torques alone decide, after a shorter time.

    Attributes:
        loaded: the foot carries weight (2).
        planted: it has stood long enough not to slip or roll (2).
        contacts: both of them (2, 2).
        forces: vertical forces that explain the torques (2) [N].
        legs: record of `joints` (2, k) and `rows` of the wrench (k), and of the forces above which
            a foot in the air and below which a foot on the ground is contradicted, `on` and `off`.
        memory: as `judge_contacts` keeps it (3, 2).
    """

    def __init__(self, settings: Estimator, model: RobotModel) -> None:
        self._model = model
        self.legs = record_of(
            joints=model.leg_joints,
            rows=model.wrench_rows,
            on=settings.contact_on_force,
            off=settings.contact_off_force,
        )
        self.contacts: Bools = np.zeros((2, 2), dtype=np.bool_)
        self.loaded, self.planted = self.contacts
        self.memory: Floats = np.zeros((3, 2))
        self.memory[1] = math.nan
        self.forces: Floats = self.memory[2]

    def update(self, sample: Sample) -> None:
        """Read the switches and the torques of one sample."""
        judge_contacts(
            sample.stamp_s,
            self.legs,
            self._model.feet,
            sample.tau,
            sample.contacts,
            sample.contact_age_s,
            self.memory,
            self.contacts,
        )
