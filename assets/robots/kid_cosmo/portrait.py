"""Photograph Kid Cosmo in three poses on a stage: `python portrait.py [--out FILE]` (MuJoCo)."""

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

# Joint angles [deg]; what is not named is zero. Then where on the stage, and turned how [deg].
POSES: dict[str, dict[str, float]] = {
    "wave": {
        "right_shoulder_pitch": -168, "right_shoulder_roll": -38, "right_elbow": 28,
        "right_wrist": 90, "right_index": 8, "right_ring": 8,
        "left_shoulder_pitch": 8, "left_shoulder_roll": -16, "left_elbow": 32,
        "left_index": 35, "left_middle": 40, "left_ring": 45,
        "head_yaw": -4, "head_pitch": -4,
        "left_hip_pitch": -8, "left_knee": -12, "left_ankle": 4,
        "right_hip_pitch": -8, "right_knee": -12, "right_ankle": 4,
    },
    "stride": {
        "left_hip_pitch": -38, "left_knee": -22, "left_ankle": -14,
        "right_hip_pitch": 16, "right_knee": -28, "right_ankle": 12,
        "left_shoulder_pitch": 32, "left_shoulder_roll": -14, "left_elbow": 40,
        "right_shoulder_pitch": -38, "right_shoulder_roll": -14, "right_elbow": 55,
        "left_index": 45, "left_middle": 50, "left_ring": 55, "left_thumb": 20,
        "right_index": 45, "right_middle": 50, "right_ring": 55, "right_thumb": 20,
        "head_yaw": 24, "head_pitch": -3,
    },
    "thumbs_up": {
        "left_shoulder_pitch": -28, "left_shoulder_roll": -10, "left_elbow": 104,
        "left_index": 90, "left_middle": 90, "left_ring": 90,
        "right_shoulder_pitch": 28, "right_shoulder_roll": -44, "right_elbow": 70,
        "right_wrist": -60, "right_index": 60, "right_middle": 65, "right_ring": 70,
        "head_yaw": 8, "head_pitch": 5,
        "left_hip_pitch": -6, "left_knee": -10, "left_ankle": 4,
        "right_hip_pitch": -6, "right_knee": -10, "right_ankle": 4,
    },
}  # fmt: skip
PLACES = {
    "wave": (0.05, 0.88, -14.0),
    "stride": (0.30, 0.04, -30.0),
    "thumbs_up": (0.05, -0.90, 14.0),
}


def portrait() -> Image:
    """Return the picture (HEIGHT, WIDTH, 3)."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.001, 30  # as the robot says
    furnish(spec)
    for name in POSES:
        robot = mujoco.MjSpec.from_file(str(HERE / "robot.xml"))
        spec.attach(robot, prefix=f"{name}/", frame=spec.worldbody.add_frame())
    model = spec.compile()
    data = mujoco.MjData(model)
    for name, angles in POSES.items():
        x, y, heading = PLACES[name]
        half = np.radians(heading) / 2.0
        data.joint(f"{name}/base").qpos = [x, y, 0.62, np.cos(half), 0.0, 0.0, np.sin(half)]
        for joint, angle in angles.items():
            data.joint(f"{name}/{joint}").qpos = np.radians(angle)
        mujoco.mj_kinematics(model, data)
        ends = ("left_heel", "left_toe", "right_heel", "right_toe")
        lowest = min(float(data.geom(f"{name}/{end}").xpos[2]) for end in ends)
        data.joint(f"{name}/base").qpos[2] -= lowest - 0.01
    mujoco.mj_forward(model, data)
    return photograph(model, data, [0.1, 0.0, 0.69], 2.85, 180.0, -7.0)


if __name__ == "__main__":
    sys.exit(publish(HERE, portrait))
