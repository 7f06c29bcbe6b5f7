"""A softly lit stage on which robots are photographed (MuJoCo)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import mujoco
import numpy as np
from png import Image, to_png
from surfaces import soft, turned

WIDTH, HEIGHT, SUPERSAMPLING = 1280, 720, 2
COLLISION_GROUP = 3
EDGE = [(0.0, 0.0), (1.60, 0.0), (1.64, -0.01), (1.65, -0.06), (1.65, -0.3)]  # of the stage [m]
LIGHTS = (  # position, direction, brightness, shadow
    ([2.6, 1.6, 3.6], [-0.62, -0.38, -0.9], 0.50, True),
    ([2.4, -2.6, 2.2], [-0.62, 0.66, -0.45], 0.26, False),
    ([-2.5, 0.4, 2.6], [0.8, -0.1, -0.6], 0.34, False),
)
AMBIENT = 0.36


def furnish(spec: mujoco.MjSpec, dimmed: float = 0.0) -> None:
    """Add backdrop, stage and lights to a scene.

    Args:
        spec: the scene.
        dimmed: what a bright robot takes from each light's brightness.
    """
    spec.add_texture(
        name="backdrop", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, width=512, height=512,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.20, 0.34, 0.52], rgb2=[0.80, 0.88, 0.92],
    )  # fmt: skip
    spec.add_material(name="stage", rgba=[0.86, 0.82, 0.76, 1], specular=0.1)
    disc = turned(soft(EDGE), 160)
    spec.add_mesh(
        name="stage", inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        uservert=disc.vertices.ravel(), usernormal=disc.normals.ravel(),
        userface=disc.faces.ravel(),
    )  # fmt: skip
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH, meshname="stage", material="stage", pos=[0.1, 0.0, 0.0]
    )
    for position, direction, full, shadow in LIGHTS:
        bright = full - dimmed
        spec.worldbody.add_light(
            pos=position, dir=direction, diffuse=[bright, bright, bright * 0.97],
            specular=[0.25] * 3, castshadow=shadow, type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        )  # fmt: skip
    visual = spec.visual
    ambient = AMBIENT - 0.5 * dimmed
    visual.headlight.ambient = [ambient, ambient, ambient + 0.02]
    visual.headlight.diffuse = [0.10] * 3
    visual.headlight.specular = [0.0] * 3
    visual.global_.offwidth = WIDTH * SUPERSAMPLING
    visual.global_.offheight = HEIGHT * SUPERSAMPLING
    visual.quality.shadowsize = 8192
    visual.quality.offsamples = 4
    visual.quality.numslices = 64
    visual.map.shadowclip = 1.2


def attach(spec: mujoco.MjSpec, robot: Path, name: str) -> None:
    """Add a robot of a folder to a scene; its names begin with a name and a slash."""
    body = mujoco.MjSpec.from_file(str(robot / "robot.xml"))
    spec.attach(body, prefix=f"{name}/", frame=spec.worldbody.add_frame())


def pose(
    data: mujoco.MjData,
    name: str,
    position: Sequence[float],
    rpy: Sequence[float],
    joints: Iterable[tuple[str, float]],
) -> None:
    """Put a robot that was attached to the scene into a posture.

    Args:
        data: of the scene.
        name: of the robot in the scene.
        position: of its base in the world (3) [m].
        rpy: roll, pitch and yaw of its base (3) [rad].
        joints: names and angles [rad].
    """
    roll, pitch, yaw = rpy
    turn = np.zeros(4)
    mujoco.mju_euler2Quat(turn, [yaw, pitch, roll], "zyx")
    data.joint(f"{name}/base").qpos = [*position, *turn]
    for joint, angle in joints:
        data.joint(f"{name}/{joint}").qpos = angle


def photograph(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    look_at: list[float],
    distance: float,
    azimuth: float,
    elevation: float,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> Image:
    """Return the picture (height, width, 3) from a camera [m, deg]."""
    camera, looks = mujoco.MjvCamera(), mujoco.MjvOption()
    camera.lookat, camera.distance = look_at, distance
    camera.azimuth, camera.elevation = azimuth, elevation
    looks.geomgroup[COLLISION_GROUP] = 0
    s = SUPERSAMPLING
    with mujoco.Renderer(model, height * s, width * s) as renderer:
        renderer.update_scene(data, camera, looks)
        large = renderer.render().astype(np.float64)
    small = large.reshape(height, s, width, s, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(np.round(small), 0, 255), dtype=np.uint8)


def publish(folder: Path, portrait: Callable[[], Image]) -> int:
    """Write a portrait to the file that the command line names, and return the exit code."""
    parser = argparse.ArgumentParser(description="Take the portrait of a robot.")
    parser.add_argument("--out", type=Path, default=folder / "portrait.png", help="file to write")
    out = parser.parse_args().out
    out.write_bytes(to_png(portrait()))
    print(f"{out}, {out.stat().st_size / 1000:.0f} kB")
    return 0
