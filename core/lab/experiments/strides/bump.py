"""A bump of 1 cm that lies under single landings, and nowhere else."""

from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from core.lab.experiments.strides.conduct import runner_of
from core.tick.performer import Performer
from devices.interface import Floats

EVERY = 11  # landings from one bump to the next
FIRST = 9  # landings before the first
HALF_LENGTH_M, HALF_WIDTH_M = 0.08, 0.045  # under one sole only
BURIED_M = -1.0
LEAD_S = 0.06  # before the landing, when the sole is higher than the bump


@dataclass
class Bumps:
    """Lays the bump under a foot that is about to land, and takes it away as the foot leaves.

    Attributes:
        body: a simulated robot whose room has bumps, all of which are buried.
        landings: that were seen.
        laid: bumps that were laid.
    """

    body: Any
    landings: int = 0
    laid: int = 0
    _geom: int = -1
    _under: int = -1
    _seen: set[float] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Bury the bumps of the room."""
        model = self.body.model
        height = self.body.settings.bump_height_m
        boxes = [
            geom
            for geom in range(model.ngeom)
            if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_BOX
            and abs(model.geom_size[geom, 2] - height) < 1e-9
        ]
        model.geom_pos[boxes, 2] = BURIED_M
        self._geom = boxes[0]
        model.geom_size[self._geom, :2] = HALF_LENGTH_M, HALF_WIDTH_M
        model.geom_rbound[self._geom] = float(np.linalg.norm(model.geom_size[self._geom]))
        model.geom_aabb[self._geom, 3:] = model.geom_size[self._geom]
        # A box that moves is in no tree of boxes that lie still.
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)

    def __call__(self, performer: Performer) -> None:
        """Look at the plan before a tick."""
        plant = runner_of(performer.plant)
        strider = plant.strider
        score, now_s = strider.plan.score, strider.now_s
        for foot in (0, 1):
            number = score.in_air(foot, now_s)
            if foot == self._under and number and score.steps[number].land_s - now_s > LEAD_S:
                self.body.model.geom_pos[self._geom, 2] = BURIED_M
                self._under = -1
            if not number or score.steps[number].land_s - now_s > LEAD_S:
                continue
            step = score.steps[number]
            if step.lift_s in self._seen:
                continue
            self._seen.add(step.lift_s)
            self.landings += 1
            if self.landings >= FIRST and (self.landings - FIRST) % EVERY == 0:
                self._lay(
                    foot,
                    np.array((step.pose.x, step.pose.y)) - strider.reference.soles[foot, 0, :2],
                )

    def _lay(self, foot: int, left: Floats) -> None:
        """Lay the bump under a foot that has some way left (2) [m]."""
        body = self.body
        shape = [body.data.geom_xpos[body.world.contact_geoms[4 * foot + k]] for k in range(4)]
        model = body.model
        model.geom_pos[self._geom, :2] = np.mean(shape, axis=0)[:2] + left
        model.geom_pos[self._geom, 2] = 0.0
        yaw = float(body.truth().base_rpy[2])
        model.geom_quat[self._geom] = np.cos(yaw / 2.0), 0.0, 0.0, np.sin(yaw / 2.0)
        self._under = foot
        self.laid += 1
