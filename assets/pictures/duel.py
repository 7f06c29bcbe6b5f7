"""Photograph moments of the show "Duel": `python assets/pictures/duel.py RUN.npz` (MuJoCo).

RUN.npz is what `footlight log export` makes of a rehearsal of the show. The robot is the simulated
one as it truly stood, and the person is the take that plays it; only the place of each on the
stage is ours.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco  # noqa: E402  (reads MUJOCO_GL when imported)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ROBOT = HERE.parent / "robots" / "kid_cosmo"
sys.path[:0] = [str(ROBOT.parent), str(ROOT)]
import studio  # noqa: E402
from png import Image, to_png  # noqa: E402

from assets.takes.duel import SHOW  # noqa: E402
from shows.bvh_human import load_bvh  # noqa: E402
from shows.human import BONES, INDEX, PARENTS  # noqa: E402

WIDTH, HEIGHT, ACROSS = 424, 330, 3
APART_M = 1.7  # between the two
# Looks at a point [m] from a distance [m], azimuth and elevation [deg].
CAMERA = [0.0, 0.0, 0.90], 4.75, 112.0, -5.0
MOMENTS_S = (31.4, 35.2, 72.9, 100.1, 126.4, 141.2)
"""Since the first GO: a punch, raised arms, a bow and a step that the robot mirrors; a punch and
raised arms that it has answered."""
LATENCY_S = 0.05  # of the robot's arms behind the person's
RADIUS_M = {"hips": 0.11, "spine_1": 0.12, "spine_2": 0.12, "spine_3": 0.13, "neck": 0.05}
LIMB_RADIUS_M, LEG_RADIUS_M, HEAD_RADIUS_M = 0.038, 0.055, 0.095
LEGS = "leg", "foot", "toe"
INK = [0.20, 0.42, 0.50, 1.0]
Points = npt.NDArray[np.float64]


def scene() -> mujoco.MjSpec:
    """Return a lit stage with a robot."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.001, 30  # as the robot says
    studio.furnish(spec)
    spec.visual.global_.offwidth = WIDTH * studio.SUPERSAMPLING
    spec.visual.global_.offheight = HEIGHT * studio.SUPERSAMPLING
    spec.visual.map.shadowclip = 1.9
    spec.visual.global_.fovy = 26.0
    studio.attach(spec, ROBOT, "robot")
    return spec


def add_person(spec: mujoco.MjSpec, points: Points) -> None:
    """Add a person as capsules.

    Args:
        spec: the scene.
        points: joints of the bones in the scene (22, 3) [m].
    """
    for bone, parent in enumerate(PARENTS):
        if parent < 0:
            continue
        name, begin, end = BONES[bone], points[parent], points[bone]
        radius = RADIUS_M.get(name, LIMB_RADIUS_M)
        if any(part in name for part in LEGS):
            radius = LEG_RADIUS_M
        if np.linalg.norm(end - begin) > 0.01:
            _capsule(spec, begin, end, radius)
    head = points[INDEX["head"]]
    up = head - points[INDEX["neck"]]
    _capsule(spec, head, head + 0.10 * up / np.linalg.norm(up), HEAD_RADIUS_M)


def _capsule(spec: mujoco.MjSpec, begin: Points, end: Points, radius_m: float) -> None:
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[*begin, *end], size=[radius_m, 0.0, 0.0],
        rgba=INK, contype=0, conaffinity=0,
    )  # fmt: skip


def opposite(points: Points, origin: Points) -> Points:
    """Return a person's joints (22, 3) face to the robot, whose middle is the picture's."""
    own = points - [origin[0], origin[1], 0.0]
    turned: Points = own * [-1.0, -1.0, 1.0] + [0.5 * APART_M, 0.0, 0.0]
    return turned


def photograph(run: Any) -> Image:
    """Return the picture of a run's arrays."""
    take = load_bvh(SHOW / "takes" / "performer.bvh").take
    origin = take.positions[0, INDEX["hips"]]
    begun_s = float(run["event_t"][np.flatnonzero(run["event_text"] == "player: cue 1 starts")[0]])
    pictures = []
    for moment_s in MOMENTS_S:
        row = int(np.searchsorted(run["t"], begun_s + moment_s))
        at = min(round((moment_s - LATENCY_S) * take.rate_hz), len(take.positions) - 1)
        spec = scene()
        add_person(spec, opposite(take.positions[at], origin))
        model = spec.compile()
        data = mujoco.MjData(model)
        roll, pitch, yaw = run["rpy_true"][row]
        x, y, z = run["base_position_true"][row] - [*run["base_position_true"][0, :2], 0.0]
        joints = zip(run["joint_names"], run["q_true"][row], strict=True)
        studio.pose(data, "robot", (x - 0.5 * APART_M, y, z), (roll, pitch, yaw), joints)
        mujoco.mj_forward(model, data)
        pictures.append(studio.photograph(model, data, *CAMERA, WIDTH, HEIGHT))
    rows = [np.hstack(pictures[i : i + ACROSS]) for i in range(0, len(pictures), ACROSS)]
    return np.vstack(rows)


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(description="Photograph moments of a recorded duel.")
    parser.add_argument("run", type=Path, metavar="RUN.npz", help="what footlight log export wrote")
    parser.add_argument("--out", type=Path, default=HERE / "duel.png", help="file to write")
    options = parser.parse_args()
    with np.load(options.run) as run:
        options.out.write_bytes(to_png(photograph(dict(run))))
    print(f"{options.out}, {options.out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
