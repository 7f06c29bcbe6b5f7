"""Draw the visual meshes of Kid Cosmo: `python build_meshes.py [--out FOLDER] [--check]`."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from looks.head import head_parts  # noqa: E402
from looks.limbs import arm_parts, hand_parts, leg_parts  # noqa: E402
from looks.torso import torso_parts  # noqa: E402
from meshes import grouped, run  # noqa: E402
from sculpt import Mesh  # noqa: E402


def palm_side(robot_xml: Path) -> float:
    """Return the sign of y toward which the left index finger closes, from its axis."""
    joint = ElementTree.parse(robot_xml).find(".//joint[@name='left_index']")
    if joint is None:
        raise ValueError(f"{robot_xml}: no joint left_index, which tells where the palm is")
    axis = np.array([float(v) for v in joint.attrib["axis"].split()])
    return float(np.sign(np.cross(axis, [0.0, 0.0, -1.0])[1]))


def build() -> dict[str, Mesh]:
    """Return every mesh by the name `body-material`."""
    side = palm_side(HERE / "robot.xml")
    return grouped(head_parts() + torso_parts() + arm_parts() + hand_parts(side) + leg_parts())


if __name__ == "__main__":
    sys.exit(run("Kid Cosmo", HERE, build))
