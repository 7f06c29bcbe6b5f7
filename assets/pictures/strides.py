"""Photograph a jump and a run in moments: `python assets/pictures/strides.py OUT [--publish]`.

Every figure is the simulated robot as it truly stood at that moment: nine moments of a jump in
place, above, and nine of a run, below, seen from the right. The distances in a row are ours; the
heights above the floor are the robot's.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco  # noqa: E402  (reads MUJOCO_GL when imported)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ROBOT = HERE.parent / "robots" / "small_biped"
sys.path[:0] = [str(ROOT), str(ROBOT.parent)]
import studio  # noqa: E402
from png import to_png  # noqa: E402

from core.lab.experiments.strides.conduct import Run, conduct, run_at  # noqa: E402
from core.lab.laboratory import Laboratory  # noqa: E402
from core.link.commands import StartJump  # noqa: E402
from core.plants.dynamics_filter.gait import Gait  # noqa: E402

NAME = "strides.png"
WIDTH, HEIGHT = 1280, 330  # of a row
CAMERA = [0.0, 0.0, 0.3], 8.2, 90.0, -3.0  # looks at [m], from a distance [m], azimuth, elevation
COUNT, APART_M = 9, 0.355
SEED = 0
JUMP_S = (-0.30, -0.16, -0.09, -0.05, 0.0, 0.05, 0.10, 0.18, 0.32)
"""Moments of a jump, from the middle of its flight [s]."""
RUN_S = (0.0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40)
"""Moments of a run, from the middle of a flight to that of the next but one [s]."""


def moments(lab: Laboratory, gait: Gait) -> tuple[Run, np.ndarray[Any, Any]]:
    """Return a run or jumps, and the indices of the ticks that are shown."""
    if gait is Gait.JUMP:
        found, number, shown_s = conduct(lab, SEED, 3.0, [(0.0, StartJump(2))]), 0, JUMP_S
    else:
        found, number, shown_s = conduct(lab, SEED, 4.0, [(0.0, run_at(0.25))]), 8, RUN_S
    flight = [one for one in found.watch.flights if one.gait is gait][number]
    middle_s = flight.begin_s + 0.5 * flight.planned_s
    return found, np.searchsorted(found.rows["t"], middle_s + np.array(shown_s))


def scene() -> mujoco.MjModel:
    """Return a lit stage with one robot for each moment."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.iterations = 0.0005, 30  # as the robot says
    studio.furnish(spec, dimmed=0.06)
    spec.delete(spec.worldbody.geoms[0])  # the round stage is too small for a row
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[30.0, 3.0, 0.1], material="stage"
    )
    spec.visual.global_.offwidth = WIDTH * studio.SUPERSAMPLING
    spec.visual.global_.offheight = HEIGHT * studio.SUPERSAMPLING
    spec.visual.map.shadowclip = 2.0
    for k in range(COUNT):
        studio.attach(spec, ROBOT, str(k))
    return spec.compile()


def pose(data: mujoco.MjData, found: Run, ticks: np.ndarray[Any, Any], names: list[str]) -> None:
    """Put every robot as it stood, along the row."""
    for k, row in enumerate(found.rows[ticks]):
        roll, pitch, _ = row["rpy_true"]
        place = APART_M * (k - 0.5 * (COUNT - 1)), 0.0, row["base_position_true"][2]
        joints = zip(names, row["q_true"], strict=True)
        studio.pose(data, str(k), place, (roll, pitch, 0.0), joints)


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(description="Photograph a jump and a run in moments.")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder to write into")
    parser.add_argument("--publish", action="store_true", help="write beside this script as well")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    lab, model = Laboratory(robot=ROBOT.name), scene()
    model.vis.global_.fovy = 6.0
    data, rows = mujoco.MjData(model), []
    for gait in (Gait.JUMP, Gait.RUN):
        found, ticks = moments(lab, gait)
        for note in lab.notes:
            raise SystemExit(f"nothing is photographed: {note}")
        pose(data, found, ticks, list(lab.profile.joint_names))
        mujoco.mj_forward(model, data)
        rows.append(studio.photograph(model, data, *CAMERA, WIDTH, HEIGHT))
    picture = to_png(np.concatenate(rows))
    for folder in (options.out, *((HERE,) if options.publish else ())):
        path = folder / NAME
        path.write_bytes(picture)
        print(f"{path}, {path.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
