"""Photograph DRACO 3 in three poses on a stage: `python portrait.py [--out FILE]` (MuJoCo)."""

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
from surfaces import soft, turned  # noqa: E402

WIDTH, HEIGHT, SUPERSAMPLING = 1280, 720, 2

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


def stage() -> mujoco.MjSpec:
    """Return three robots on a softly lit stage."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.001, 30  # as the robot says
    spec.add_texture(
        name="backdrop", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, width=512, height=512,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.20, 0.34, 0.52], rgb2=[0.80, 0.88, 0.92],
    )  # fmt: skip
    spec.add_material(name="floor", rgba=[0.86, 0.82, 0.76, 1], specular=0.1)
    disc = turned(soft([(0.0, 0.0), (1.60, 0.0), (1.64, -0.01), (1.65, -0.06), (1.65, -0.3)]), 160)
    spec.add_mesh(
        name="stage", inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        uservert=disc.vertices.ravel(), usernormal=disc.normals.ravel(),
        userface=disc.faces.ravel(),
    )  # fmt: skip
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH, meshname="stage", material="floor", pos=[0.1, 0.0, 0.0]
    )
    lights = [  # position, direction, brightness, shadow
        ([2.6, 1.6, 3.6], [-0.62, -0.38, -0.9], 0.46, True),
        ([2.4, -2.6, 2.2], [-0.62, 0.66, -0.45], 0.24, False),
        ([-2.5, 0.4, 2.6], [0.8, -0.1, -0.6], 0.32, False),
    ]
    for position, direction, brightness, shadow in lights:
        spec.worldbody.add_light(
            pos=position, dir=direction, diffuse=[brightness, brightness, brightness * 0.97],
            specular=[0.25] * 3, castshadow=shadow, type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        )  # fmt: skip
    spec.visual.headlight.ambient = [0.34, 0.34, 0.36]
    spec.visual.headlight.diffuse = [0.10] * 3
    spec.visual.headlight.specular = [0.0] * 3
    spec.visual.global_.offwidth = WIDTH * SUPERSAMPLING
    spec.visual.global_.offheight = HEIGHT * SUPERSAMPLING
    spec.visual.quality.shadowsize = 8192
    spec.visual.quality.offsamples = 4
    spec.visual.map.shadowclip = 1.2
    for name in POSES:
        robot = mujoco.MjSpec.from_file(str(HERE / "robot.xml"))
        spec.attach(robot, prefix=f"{name}/", frame=spec.worldbody.add_frame())
    return spec


def photograph() -> Image:
    """Return the picture (HEIGHT, WIDTH, 3)."""
    model = stage().compile()
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
    camera = mujoco.MjvCamera()
    camera.lookat, camera.distance = [0.1, 0.02, 0.665], 2.2
    camera.azimuth, camera.elevation = 180.0, -5.0
    look = mujoco.MjvOption()
    look.geomgroup[3] = 0
    with mujoco.Renderer(model, HEIGHT * SUPERSAMPLING, WIDTH * SUPERSAMPLING) as renderer:
        renderer.update_scene(data, camera, look)
        large = renderer.render().astype(np.float64)
    s = SUPERSAMPLING
    small = large.reshape(HEIGHT, s, WIDTH, s, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(np.round(small), 0, 255), dtype=np.uint8)


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(description="Photograph DRACO 3 in three poses.")
    parser.add_argument("--out", type=Path, default=HERE / "portrait.png", help="file to write")
    options = parser.parse_args()
    options.out.write_bytes(to_png(photograph()))
    print(f"{options.out}, {options.out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
