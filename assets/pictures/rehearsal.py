"""Photograph moments of a rehearsal: `python assets/pictures/rehearsal.py RUN.npz` (MuJoCo).

RUN.npz is what `footlight log export` makes of a rehearsal of the sample show. Every figure is the
simulated robot as it truly stood at that moment; only its place and heading on the stage are ours.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco  # noqa: E402  (reads MUJOCO_GL when imported)

HERE = Path(__file__).resolve().parent
ROBOT = HERE.parent / "robots" / "kid_cosmo"
sys.path.insert(0, str(ROBOT.parent))
import studio  # noqa: E402
from png import Image, to_png  # noqa: E402
from surfaces import soft, turned  # noqa: E402

WIDTH, HEIGHT = 1280, 430
CAMERA = [0.0, 0.0, 0.72], 9.6, 180.0, -5.0  # looks at [m], from a distance [m], azimuth, elevation


class Moment(NamedTuple):
    """One figure of the picture.

    Attributes:
        name: what it does.
        cue: number of the cue that shows it.
        after_s: since that cue's start [s].
        x: toward the audience [m].
        y: to the right of the picture [m].
        heading_deg: 0 faces the audience [deg].
    """

    name: str
    cue: str
    after_s: float
    x: float
    y: float
    heading_deg: float


MOMENTS = (
    Moment("wave", "1", 1.60, -0.10, -2.44, 6.0),
    Moment("walk_thumbs_up", "4", 4.64, 0.25, -1.50, -28.0),
    Moment("hug", "13", 2.50, -0.15, -0.52, 0.0),
    Moment("dance", "14.5", 4.23, 0.25, 0.42, 0.0),
    Moment("bow", "16", 2.55, -0.05, 1.44, -58.0),
    Moment("cheer", "17", 1.45, 0.10, 2.45, -10.0),
)


def stage() -> mujoco.MjSpec:
    """Return a lit stage with one robot for each moment."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.001, 30  # as the robot says
    spec.add_texture(
        name="glow", type=mujoco.mjtTexture.mjTEXTURE_2D, width=1024, height=512,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.50, 0.62, 0.74], rgb2=[0.06, 0.09, 0.20],
    )  # fmt: skip
    textures = [""] * int(mujoco.mjtTextureRole.mjNTEXROLE)
    textures[int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] = "glow"
    spec.add_material(name="backdrop", textures=textures, emission=0.75, specular=0.0)
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2.6, 4.6, 0.1], pos=[-3.2, 0.0, 0.9],
        quat=[0.70710678, 0.0, 0.70710678, 0.0], material="backdrop",
    )  # fmt: skip
    spec.add_material(name="floor", rgba=[0.80, 0.70, 0.58, 1], specular=0.1)
    edge = [(0.0, 0.0), (3.60, 0.0), (3.66, -0.01), (3.68, -0.08), (3.68, -0.5)]
    disc = turned(soft(edge), 240)
    disc.vertices[:, 0] *= 0.36
    spec.add_mesh(
        name="stage", inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        uservert=disc.vertices.ravel(), usernormal=disc.normals.ravel(),
        userface=disc.faces.ravel(),
    )  # fmt: skip
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH, meshname="stage", material="floor", pos=[0.0, 0.0, 0.0]
    )
    lights = [  # position, direction, colour, shadow
        ([2.6, 1.6, 4.2], [-0.50, -0.30, -0.9], [0.58, 0.55, 0.50], True),
        ([2.4, -2.6, 2.2], [-0.62, 0.66, -0.45], [0.24, 0.26, 0.30], False),
        ([-2.5, 0.4, 2.6], [0.8, -0.1, -0.6], [0.30, 0.34, 0.40], False),
    ]
    for position, direction, colour, shadow in lights:
        spec.worldbody.add_light(
            pos=position, dir=direction, diffuse=colour, specular=[0.25] * 3, castshadow=shadow,
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        )  # fmt: skip
    spec.visual.headlight.ambient = [0.34, 0.34, 0.37]
    spec.visual.headlight.diffuse = [0.12] * 3
    spec.visual.headlight.specular = [0.0] * 3
    spec.visual.global_.offwidth = WIDTH * studio.SUPERSAMPLING
    spec.visual.global_.offheight = HEIGHT * studio.SUPERSAMPLING
    spec.visual.quality.shadowsize = 8192
    spec.visual.quality.offsamples = 4
    spec.visual.map.shadowclip = 1.9
    for moment in MOMENTS:
        studio.attach(spec, ROBOT, moment.name)
    return spec


def tick_of(run: Any, moment: Moment) -> int:
    """Return the row of a run's arrays at a moment.

    Raises:
        ValueError: the run does not play that cue.
    """
    text = f"player: cue {moment.cue} starts"
    found = np.flatnonzero(run["event_text"] == text)
    if not found.size:
        raise ValueError(f"the run does not play cue {moment.cue}: record the sample show")
    return int(np.searchsorted(run["t"], run["event_t"][found[0]] + moment.after_s))


def pose(data: mujoco.MjData, run: Any, moment: Moment) -> None:
    """Put a figure as it stood, at its place on the stage."""
    tick = tick_of(run, moment)
    roll, pitch, _ = run["rpy_true"][tick]
    place = moment.x, moment.y, run["base_position_true"][tick, 2]
    joints = zip(run["joint_names"], run["q_true"][tick], strict=True)
    rpy = roll, pitch, np.radians(moment.heading_deg)
    studio.pose(data, moment.name, place, rpy, joints)


def photograph(run: Any) -> Image:
    """Return the picture (HEIGHT, WIDTH, 3) of a run's arrays."""
    model = stage().compile()
    data = mujoco.MjData(model)
    for moment in MOMENTS:
        pose(data, run, moment)
    mujoco.mj_forward(model, data)
    model.vis.global_.fovy = 12.3
    return studio.photograph(model, data, *CAMERA, WIDTH, HEIGHT)


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(description="Photograph moments of a recorded rehearsal.")
    parser.add_argument("run", type=Path, metavar="RUN.npz", help="what footlight log export wrote")
    parser.add_argument("--out", type=Path, default=HERE / "rehearsal.png", help="file to write")
    options = parser.parse_args()
    with np.load(options.run) as run:
        options.out.write_bytes(to_png(photograph(dict(run))))
    print(f"{options.out}, {options.out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
