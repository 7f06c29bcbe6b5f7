"""Photograph the two arms greeting each other: `python portrait.py [--out FILE]` (MuJoCo)."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco  # noqa: E402  (reads MUJOCO_GL when imported)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from png import Image, to_png  # noqa: E402

WIDTH, HEIGHT, SUPERSAMPLING = 1280, 720, 2

# Joint angles [deg]: the left arm waves, the right arm looks at it.
JOINTS = (
    "base_yaw", "shoulder_pitch", "upper_arm_roll", "elbow", "forearm_roll", "wrist_pitch",
    "hand_roll", "inner_finger", "outer_finger",
)  # fmt: skip
POSE = {
    "left": (10, -22, 14, -82, 8, 176, 70, -25, -25),
    "right": (-22, -38, 0, -126, 0, 132, 12, -12, -12),
}


def stage() -> mujoco.MjSpec:
    """Return the robot on a softly lit stage."""
    spec = mujoco.MjSpec.from_file(str(HERE / "robot.xml"))
    spec.add_texture(
        name="backdrop", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, width=512, height=512,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.20, 0.34, 0.52], rgb2=[0.80, 0.88, 0.92],
    )  # fmt: skip
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[1.65, 0.15, 0], pos=[0.12, 0.0, -0.15],
        rgba=[0.86, 0.82, 0.76, 1],
    )  # fmt: skip
    lights = [  # position, direction, brightness, shadow
        ([2.6, 1.6, 3.6], [-0.62, -0.38, -0.9], 0.50, True),
        ([2.4, -2.6, 2.2], [-0.62, 0.66, -0.45], 0.26, False),
        ([-2.5, 0.4, 2.6], [0.8, -0.1, -0.6], 0.34, False),
    ]
    for position, direction, brightness, shadow in lights:
        spec.worldbody.add_light(
            pos=position, dir=direction, diffuse=[brightness, brightness, brightness * 0.97],
            specular=[0.25] * 3, castshadow=shadow, type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        )  # fmt: skip
    spec.visual.headlight.ambient = [0.36, 0.36, 0.38]
    spec.visual.headlight.diffuse = [0.10] * 3
    spec.visual.headlight.specular = [0.0] * 3
    spec.visual.global_.offwidth = WIDTH * SUPERSAMPLING
    spec.visual.global_.offheight = HEIGHT * SUPERSAMPLING
    spec.visual.quality.shadowsize = 8192
    spec.visual.quality.offsamples = 4
    spec.visual.quality.numslices = 64
    return spec


def photograph() -> Image:
    """Return the picture (HEIGHT, WIDTH, 3)."""
    model = stage().compile()
    data = mujoco.MjData(model)
    for side, angles in POSE.items():
        for joint, angle in zip(JOINTS, angles, strict=True):
            data.joint(f"{side}_{joint}").qpos = np.radians(angle)
    mujoco.mj_forward(model, data)
    camera = mujoco.MjvCamera()
    camera.lookat, camera.distance = [0.15, 0.0, 0.96], 2.8
    camera.azimuth, camera.elevation = 163.0, -10.0
    with mujoco.Renderer(model, HEIGHT * SUPERSAMPLING, WIDTH * SUPERSAMPLING) as renderer:
        renderer.update_scene(data, camera)
        large = renderer.render().astype(np.float64)
    s = SUPERSAMPLING
    small = large.reshape(HEIGHT, s, WIDTH, s, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(np.round(small), 0, 255), dtype=np.uint8)


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(description="Photograph the two arms.")
    parser.add_argument("--out", type=Path, default=HERE / "portrait.png", help="file to write")
    options = parser.parse_args()
    options.out.write_bytes(to_png(photograph()))
    print(f"{options.out}, {options.out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
