"""A robot's model with its looks, in poses, for the tests of every robot that has shells."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from tests.tracked import REPOSITORY

MESH = mujoco.mjtGeom.mjGEOM_MESH


@dataclass(frozen=True, eq=False)
class Looks:
    """A robot of `assets/robots` and its meshes.

    Attributes:
        folder: of the robot.
        model: as MuJoCo reads it.
        visual: indices of the geoms that are looks.
    """

    folder: Path
    model: Any
    visual: tuple[int, ...]

    @property
    def files(self) -> list[Path]:
        """The OBJ files, by name."""
        return sorted((self.folder / "meshes").glob("*.obj"))

    def posed(self, **angles: float) -> Any:
        """Return MuJoCo's data at angles of joints [rad], all others at zero, on its left sole."""
        data = mujoco.MjData(self.model)
        for joint, angle in angles.items():
            data.joint(joint).qpos[0] = angle
        mujoco.mj_kinematics(self.model, data)
        data.qpos[2] -= data.site("left_sole").xpos[2]
        mujoco.mj_forward(self.model, data)
        return data

    def vertices(self, data: Any, *bodies: str) -> np.ndarray:
        """Return the visual vertices (n, 3) of bodies, or of all, in the world frame [m]."""
        model, found = self.model, []
        for i in self.visual:
            if not bodies or model.body(model.geom_bodyid[i]).name in bodies:
                mesh = model.geom_dataid[i]
                start = model.mesh_vertadr[mesh]
                local = model.mesh_vert[start : start + model.mesh_vertnum[mesh]]
                found.append(local @ data.geom_xmat[i].reshape(3, 3).T + data.geom_xpos[i])
        return np.concatenate(found)


@cache
def looks_of(robot: str) -> Looks:
    """Return the looks of a robot."""
    folder = REPOSITORY / "assets" / "robots" / robot
    model = mujoco.MjModel.from_xml_path(str(folder / "robot.xml"))
    visual = tuple(i for i in range(model.ngeom) if model.geom_type[i] == MESH)
    return Looks(folder, model, visual)
