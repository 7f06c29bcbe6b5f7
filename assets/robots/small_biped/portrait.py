"""Photograph Hopkin in three poses on a stage: `python portrait.py [--out FILE]` (MuJoCo)."""

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

# Joint angles [deg]; what is not named is zero. Then where on the stage, how high, and turned how
# [deg].
FINGERS = ("thumb", "index", "middle", "ring", "little")
HANDS = {f"{side}_{finger}": 25 for side in ("left", "right") for finger in FINGERS}
POSES: dict[str, dict[str, float]] = {
    "greet": {
        **HANDS,
        **{f"right_{finger}": 4 for finger in FINGERS},
        "left_hip_pitch": -16, "left_knee": 32, "left_ankle_pitch": -16,
        "right_hip_pitch": -16, "right_knee": 32, "right_ankle_pitch": -16,
        "right_shoulder_roll": 62, "right_shoulder_yaw": 86, "right_elbow": -100,
        "left_shoulder_roll": 14, "left_elbow": -28, "head_roll": 9, "head_pitch": -6,
    },
    "run": {
        **{joint: 55 for joint in HANDS},
        "trunk_pitch": 7, "trunk_yaw": 8, "head_pitch": -8,
        "left_hip_pitch": -62, "left_knee": 78, "left_ankle_pitch": -6,
        "right_hip_pitch": 14, "right_knee": 38, "right_ankle_pitch": 18,
        "left_shoulder_pitch": 38, "left_shoulder_roll": 10, "left_elbow": -82,
        "right_shoulder_pitch": -42, "right_shoulder_roll": 8, "right_elbow": -88,
    },
    "jump": {
        **{joint: 8 for joint in HANDS},
        "left_hip_pitch": -30, "left_knee": 58, "left_ankle_pitch": -8, "left_hip_roll": 8,
        "right_hip_pitch": -30, "right_knee": 58, "right_ankle_pitch": -8, "right_hip_roll": 8,
        "left_shoulder_roll": 118, "right_shoulder_roll": 118, "left_elbow": -22,
        "right_elbow": -22, "head_pitch": -14, "neck_pitch": -6,
    },
}  # fmt: skip
PLACES = {
    "greet": (0.06, 0.0, 0.0, -6.0),
    "run": (0.0, 0.44, 0.012, -58.0),
    "jump": (-0.02, -0.42, 0.055, 20.0),
}


def portrait() -> Image:
    """Return the picture (HEIGHT, WIDTH, 3)."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.0005, 30  # as the robot says
    furnish(spec, dimmed=0.05)
    spec.visual.map.shadowclip = 0.5  # the robot is small
    for name in POSES:
        robot = mujoco.MjSpec.from_file(str(HERE / "robot.xml"))
        spec.attach(robot, prefix=f"{name}/", frame=spec.worldbody.add_frame())
    model = spec.compile()
    data = mujoco.MjData(model)
    for name, angles in POSES.items():
        x, y, _, heading = PLACES[name]
        half = np.radians(heading) / 2.0
        data.joint(f"{name}/base").qpos = [x, y, 0.0, np.cos(half), 0.0, 0.0, np.sin(half)]
        for joint, angle in angles.items():
            data.joint(f"{name}/{joint}").qpos = np.radians(angle)
    mujoco.mj_kinematics(model, data)
    for name in POSES:
        soles = [i for i in range(model.ngeom) if model.geom_contype[i]]
        own = [i for i in soles if model.geom(i).name.startswith(f"{name}/")]
        lowest = min(float(data.geom_xpos[i, 2] - model.geom_size[i, 0]) for i in own)
        data.joint(f"{name}/base").qpos[2] = PLACES[name][2] - lowest
    mujoco.mj_forward(model, data)
    return photograph(model, data, [0.05, 0.02, 0.30], 1.05, 180.0, -6.0)


if __name__ == "__main__":
    sys.exit(publish(HERE, portrait))
