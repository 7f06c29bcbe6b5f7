"""Which foot stands: the contact switches, held against what the leg's torques say."""

import numpy as np

from core.compiled import compiled
from core.control.inverse_kinematics import LEG, damped_least_squares
from core.robot.model import RobotModel
from core.robot.profile import Estimator
from devices.interface import Floats, Sample

SETTLED_S = 0.012  # a foot counts as planted for the filter only after this time
DOUBT_S = 0.1  # so long must the torques contradict a switch before they are believed
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


class ContactEstimator:
    """Owns the contact state of both feet.

    A foot is loaded if one of its switches is closed, unless the torques have said otherwise,
    beyond a Schmitt trigger's thresholds, for a tenth of a second: a switch can be stuck.

    Attributes:
        loaded: the foot carries weight (2).
        planted: it has stood long enough not to slip or roll (2).
        forces: vertical forces that the torques explain (2) [N].
    """

    def __init__(self, settings: Estimator, model: RobotModel) -> None:
        self._on, self._off = settings.contact_on_force, settings.contact_off_force
        self._model = model
        self.loaded = np.zeros(2, dtype=np.bool_)
        self.planted = np.zeros(2, dtype=np.bool_)
        self.forces: Floats = np.zeros(2)
        self._since_s = [0.0, 0.0]
        self._doubt_s: list[float | None] = [None, None]

    def update(self, sample: Sample) -> None:
        """Read the switches and the torques of one sample."""
        model, now_s = self._model, sample.stamp_s
        first = model.first_leg_joint
        vertical_forces(model.sole_jacobians, sample.tau, first, self.forces)
        switches, forces = sample.contacts.tolist(), self.forces.tolist()
        for side in (0, 1):
            loaded = switches[2 * side] or switches[2 * side + 1]
            contradicted = forces[side] < self._off if loaded else forces[side] > self._on
            since_s = self._doubt_s[side]
            if not contradicted:
                self._doubt_s[side] = None
            elif since_s is None:
                self._doubt_s[side] = now_s
            elif now_s - since_s > DOUBT_S:
                loaded = not loaded
            if loaded and not self.loaded[side]:
                self._since_s[side] = now_s
            self.loaded[side] = loaded
            self.planted[side] = loaded and now_s - self._since_s[side] >= SETTLED_S
