"""Photograph the two arms greeting each other: `python portrait.py [--out FILE]` (MuJoCo)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco  # noqa: E402  (reads MUJOCO_GL when imported)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from png import Image  # noqa: E402
from studio import furnish, photograph, publish  # noqa: E402

# Joint angles [deg]: the left arm waves, the right arm looks at it.
JOINTS = (
    "base_yaw", "shoulder_pitch", "upper_arm_roll", "elbow", "forearm_roll", "wrist_pitch",
    "hand_roll", "inner_finger", "outer_finger",
)  # fmt: skip
POSE = {
    "left": (10, -22, 14, -82, 8, 176, 70, -25, -25),
    "right": (-22, -38, 0, -126, 0, 132, 12, -12, -12),
}


def portrait() -> Image:
    """Return the picture (HEIGHT, WIDTH, 3)."""
    spec = mujoco.MjSpec.from_file(str(HERE / "robot.xml"))
    furnish(spec)
    model = spec.compile()
    data = mujoco.MjData(model)
    for side, angles in POSE.items():
        for joint, angle in zip(JOINTS, angles, strict=True):
            data.joint(f"{side}_{joint}").qpos = np.radians(angle)
    mujoco.mj_forward(model, data)
    return photograph(model, data, [0.15, 0.0, 0.96], 2.8, 163.0, -10.0)


if __name__ == "__main__":
    sys.exit(publish(HERE, portrait))
