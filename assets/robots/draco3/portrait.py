"""Photograph DRACO 3 in three poses on a stage: `python portrait.py [--out FILE]` (MuJoCo)."""

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
LEG = {"hip_pitch": -1, "knee": 1, "ankle_pitch": -1}  # bends with a level sole
LEGS = {f"{side}_{joint}": sign for side in ("left", "right") for joint, sign in LEG.items()}
POSES: dict[str, dict[str, float]] = {
    "greet": {
        **{joint: 22 * sign for joint, sign in LEGS.items()},
        "right_shoulder_pitch": -10, "right_shoulder_roll": 80, "right_shoulder_yaw": 84,
        "right_elbow": -96, "right_wrist_roll": 80,
        "left_shoulder_roll": 12, "left_elbow": -24, "head_pitch": -4,
    },
    "squat": {
        **{joint: 45 * sign for joint, sign in LEGS.items()},
        "left_shoulder_pitch": -24, "left_shoulder_roll": 14, "left_elbow": -72,
        "right_shoulder_pitch": -24, "right_shoulder_roll": 14, "right_elbow": -72,
        "head_pitch": 4,
    },
    "one_leg": {
        "left_hip_pitch": -78, "left_knee": 45, "left_ankle_pitch": -10,
        "right_hip_pitch": -12, "right_knee": 12, "right_ankle_pitch": -12,
        "left_shoulder_roll": 62, "left_elbow": -28, "right_shoulder_roll": 62, "right_elbow": -28,
        "left_wrist_pitch": 12, "right_wrist_pitch": 12, "head_pitch": 6,
    },
}  # fmt: skip
PLACES = {
    "greet": (0.10, 0.06, -8.0),
    "squat": (0.02, 0.78, -55.0),
    "one_leg": (-0.10, -0.86, 30.0),
}


def portrait() -> Image:
    """Return the picture (HEIGHT, WIDTH, 3)."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.001, 30  # as the robot says
    furnish(spec, dimmed=0.04)
    for name in POSES:
        robot = mujoco.MjSpec.from_file(str(HERE / "robot.xml"))
        spec.attach(robot, prefix=f"{name}/", frame=spec.worldbody.add_frame())
    model = spec.compile()
    data = mujoco.MjData(model)
    for name, angles in POSES.items():
        x, y, heading = PLACES[name]
        half = np.radians(heading) / 2.0
        data.joint(f"{name}/base").qpos = [x, y, 0.0, np.cos(half), 0.0, 0.0, np.sin(half)]
        for joint, angle in angles.items():
            data.joint(f"{name}/{joint}").qpos = np.radians(angle)
            if joint.endswith("_knee"):
                data.joint(f"{name}/{joint}_distal").qpos = np.radians(angle)
    mujoco.mj_kinematics(model, data)
    for name in POSES:
        soles = [float(data.site(f"{name}/{side}_sole").xpos[2]) for side in ("left", "right")]
        data.joint(f"{name}/base").qpos[2] = -min(soles)
    mujoco.mj_forward(model, data)
    return photograph(model, data, [0.1, 0.02, 0.665], 2.2, 180.0, -5.0)


if __name__ == "__main__":
    sys.exit(publish(HERE, portrait))
