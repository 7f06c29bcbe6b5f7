"""Which foot stands: the contact switches, held against what the leg's torques say."""

import math

import numpy as np

from core.compiled import compiled
from core.plants.biped.model import RobotModel
from core.plants.biped.settings import Estimator
from core.plants.biped.whole_body.inverse_kinematics import LEG, damped_least_squares
from devices.interface import Bools, Floats, Sample

SETTLED_S = 0.012  # a foot counts as planted for the filter only after this time
DOUBT_S = 0.1  # so long must the torques contradict a switch before they are believed
UNKNOWN_S = 0.02  # switches that were silent for longer say nothing
UNKNOWN_DOUBT_S = 0.02  # so long must the torques contradict what is only remembered
DAMPING = 0.02


@compiled
def vertical_forces(jacobians: Floats, tau: Floats, first_joint: int, forces: Floats) -> None:
    """Write the ground's vertical force on each foot that the leg torques alone explain (2) [N].

    Statics: tau = -J' f for the five rows that a leg without ankle roll can push against, by
    damped least squares; the leg's own weight and acceleration are left out.
    """
    matrix = np.empty((LEG, LEG))
    load = np.empty((LEG, 1))
    force = np.empty((LEG, 1))
    rows = (0, 1, 2, 4, 5)
    for side in range(2):
        joint = first_joint + LEG * side
        for i in range(LEG):
            for j in range(LEG):
                matrix[j, i] = jacobians[side, rows[i], 6 + joint + j]
            load[i, 0] = tau[joint + i]
        damped_least_squares(matrix, load, DAMPING, force)
        forces[side] = -force[2, 0]


@compiled
def judge_contacts(
    now_s: float,
    jacobians: Floats,
    tau: Floats,
    first_joint: int,
    switches: Bools,
    ages_s: Floats,
    on: float,
    off: float,
    memory: Floats,
    feet: Bools,
) -> None:
    """Tell which feet carry weight, and which have done so for long enough.

    Args:
        now_s: the sample's time [s].
        jacobians: of the soles, linear then angular (2, 6, n_v).
        tau: measured joint torques (n) [N·m].
        first_joint: the left leg's first joint.
        switches: left heel, left toe, right heel, right toe (4).
        ages_s: since each switch was heard (4) [s].
        on: a force above this contradicts a foot in the air [N].
        off: a force below this contradicts one on the ground [N].
        memory: when each foot was loaded last [s], since when that is contradicted, NaN if it is
            not [s], and the vertical forces that the torques explain [N], in place (3, 2).
        feet: which carry weight, and which have done so for SETTLED_S, in place (2, 2).
    """
    loaded, planted = feet[0], feet[1]
    since_s, doubt_s, forces = memory[0], memory[1], memory[2]
    vertical_forces(jacobians, tau, first_joint, forces)
    for side in range(2):
        carries = switches[2 * side] or switches[2 * side + 1]
        patience_s = DOUBT_S
        # A switch that does not tell its age is as good as silent.
        if not (ages_s[2 * side] <= UNKNOWN_S and ages_s[2 * side + 1] <= UNKNOWN_S):
            carries = loaded[side]
            patience_s = UNKNOWN_DOUBT_S
        contradicted = forces[side] < off if carries else forces[side] > on
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

    A foot is loaded if one of its switches is closed, unless the torques have said otherwise,
    beyond a Schmitt trigger's thresholds, for a tenth of a second: a switch can be stuck. Of a
    foot whose switches are silent the torques alone decide, after a shorter time.

    Attributes:
        loaded: the foot carries weight (2).
        planted: it has stood long enough not to slip or roll (2).
        feet: both of them (2, 2).
        forces: vertical forces that the torques explain (2) [N].
        on: a force above this contradicts a foot in the air [N].
        off: a force below this contradicts one on the ground [N].
        memory: as `judge_contacts` keeps it (3, 2).
    """

    def __init__(self, settings: Estimator, model: RobotModel) -> None:
        self.on, self.off = settings.contact_on_force, settings.contact_off_force
        self._model = model
        self.feet: Bools = np.zeros((2, 2), dtype=np.bool_)
        self.loaded, self.planted = self.feet
        self.memory: Floats = np.zeros((3, 2))
        self.memory[1] = math.nan
        self.forces: Floats = self.memory[2]

    def update(self, sample: Sample) -> None:
        """Read the switches and the torques of one sample."""
        model = self._model
        judge_contacts(
            sample.stamp_s,
            model.sole_jacobians,
            sample.tau,
            model.first_leg_joint,
            sample.contacts,
            sample.contact_age_s,
            self.on,
            self.off,
            self.memory,
            self.feet,
        )
