"""Render the person whom the tests of the camera see: `python assets/pictures/mannequin.py`.

A mannequin of simple shapes with a face stands before a level camera as a keyed take leads it: in
the T-pose, and with one hand waving. A pose model takes it for a person. With `TAKE FOLDER` it
renders the whole performance of a take, T-pose first, 30 pictures a second.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco  # noqa: E402  (reads MUJOCO_GL when imported)

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
from assets.takes.scenes import takes  # noqa: E402
from devices.capture.puppet import Performance, with_t_pose  # noqa: E402
from shows.human import INDEX, SIDES  # noqa: E402

Floats = NDArray[np.float64]
OUT = ROOT / "tests" / "devices" / "capture" / "pictures"
WIDTH, HEIGHT, FOV_DEG = 640, 480, 45.0
CAMERA_M = (3.6, 0.0, 1.0)  # it looks along -x
HOLD_S = 3.0
"""Time in the T-pose; 1 s more leads to the take."""
T_POSE_S, WAVE_S = 1.0, 5.6
"""Where in the performance the pictures are taken."""
RATE_HZ = 30.0

SKIN, SHIRT, TROUSERS = "0.85 0.62 0.5", "0.15 0.3 0.65", "0.2 0.2 0.22"
HAIR, WHITE, LIPS = "0.15 0.09 0.05", "0.95 0.95 0.95", "0.7 0.3 0.3"
BONES = (  # from, to, radius [m], colour
    ("hips", "spine_2", 0.115, SHIRT),
    ("spine_2", "spine_3", 0.125, SHIRT),
    ("spine_3", "neck", 0.06, SKIN),
    ("neck", "head", 0.055, SKIN),
)
LIMBS = (
    ("shoulder", "upper_arm", 0.06, SHIRT),
    ("upper_arm", "lower_arm", 0.048, SHIRT),
    ("lower_arm", "hand", 0.036, SKIN),
    ("upper_leg", "lower_leg", 0.075, TROUSERS),
    ("lower_leg", "foot", 0.055, TROUSERS),
    ("foot", "toe", 0.045, HAIR),
)
FACE = (  # centre in the head's axes, half axes [m], colour
    ((0.0, 0.0, 0.0), (0.095, 0.075, 0.12), SKIN),
    ((-0.025, 0.0, 0.035), (0.09, 0.083, 0.105), HAIR),
    ((0.098, 0.0, -0.015), (0.018, 0.014, 0.022), SKIN),
    ((0.083, 0.0, -0.06), (0.012, 0.025, 0.007), LIPS),
)
EYE = (  # of the left side
    ((0.08, 0.03, 0.02), (0.014, 0.016, 0.009), WHITE),
    ((0.091, 0.03, 0.02), (0.006, 0.007, 0.007), HAIR),
    ((0.082, 0.03, 0.04), (0.012, 0.02, 0.004), HAIR),
    ((0.0, 0.0765, 0.0), (0.02, 0.01, 0.03), SKIN),
)
HEAD_M = (0.02, 0.0, 0.09)  # centre of the head from its joint
FINGERS_M = (-0.03, -0.01, 0.01, 0.03)


def words(*values: float) -> str:
    """Return numbers as an attribute."""
    return " ".join(f"{value:.5f}" for value in values)


def capsule(start: Floats, end: Floats, radius: float, colour: str) -> str:
    """Return a capsule between two points [m]."""
    if np.linalg.norm(end - start) < 1e-3:
        end = start + [0.0, 0.0, 1e-3]
    return (
        f'<geom type="capsule" size="{radius}" fromto="{words(*start, *end)}" rgba="{colour} 1"/>'
    )


def ellipsoid(centre: Floats, axes: Floats, half: tuple[float, ...], colour: str) -> str:
    """Return an ellipsoid [m]."""
    turn = np.zeros(4)
    mujoco.mju_mat2Quat(turn, axes.flatten())
    return (
        f'<geom type="ellipsoid" size="{words(*half)}" pos="{words(*centre)}" '
        f'quat="{words(*turn)}" rgba="{colour} 1"/>'
    )


def shapes(points: Floats, turns: Floats) -> list[str]:
    """Return the shapes of a posture.

    Args:
        points: of the joints (22, 3) [m].
        turns: of the bones (22, 3, 3).
    """
    at, axes = (dict(zip(INDEX, rows, strict=True)) for rows in (points, turns))
    found = [capsule(at[a], at[b], radius, colour) for a, b, radius, colour in BONES]
    trunk = axes["spine_3"]
    middle = (at["hips"] + at["spine_3"]) / 2.0
    found.append(ellipsoid(middle, trunk, (0.105, 0.16, 0.27), SHIRT))
    chest = at["spine_3"] + trunk @ [0.0, 0.0, -0.09]
    found.append(ellipsoid(chest, trunk, (0.1, 0.19, 0.15), SHIRT))
    head, centre = axes["head"], at["head"] + axes["head"] @ HEAD_M
    for place, half, colour in FACE:
        found.append(ellipsoid(centre + head @ place, head, half, colour))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for (x, y, z), half, colour in EYE:
            found.append(ellipsoid(centre + head @ [x, sign * y, z], head, half, colour))
        for a, b, radius, colour in LIMBS:
            found.append(capsule(at[f"{side}_{a}"], at[f"{side}_{b}"], radius, colour))
        found.append(capsule(at["hips"], at[f"{side}_upper_leg"], 0.1, TROUSERS))
        palm, wrist = axes[f"{side}_hand"], at[f"{side}_hand"]
        found.append(ellipsoid(wrist + palm @ [0.0, 0.0, -0.05], palm, (0.042, 0.02, 0.055), SKIN))
        for x in FINGERS_M:
            ends = (wrist + palm @ [x, 0.0, z] for z in (-0.08, -0.16))
            found.append(capsule(*ends, 0.009, SKIN))
        thumb = (wrist + palm @ [x, 0.0, z] for x, z in ((0.04, -0.03), (0.07, -0.09)))
        found.append(capsule(*thumb, 0.011, SKIN))
    return found


def picture(points: Floats, turns: Floats) -> Image.Image:
    """Return what the camera sees of a posture."""
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><visual><global offwidth="{WIDTH}" offheight="{HEIGHT}"/>'
        '<headlight ambient=".35 .35 .35" diffuse=".5 .5 .5"/></visual><worldbody>'
        '<light pos="2 1.5 3" dir="-.5 -.4 -.8" diffuse=".5 .5 .5" castshadow="false"/>'
        '<geom type="plane" size="6 6 .1" rgba=".5 .45 .4 1"/>'
        '<geom type="box" size=".1 6 3" pos="-2 0 1" rgba=".75 .74 .7 1"/>'
        f'<camera name="level" pos="{words(*CAMERA_M)}" xyaxes="0 1 0 0 0 1" fovy="{FOV_DEG}"/>'
        f"{''.join(shapes(points, turns))}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data, "level")
        return Image.fromarray(renderer.render())


def performance_of(name: str) -> Performance:
    """Return the performance of a take, by its name."""
    take = next(one for one in takes() if one.name == name)
    return with_t_pose(Performance(take.rate_hz, take.positions, take.orientations), HOLD_S)


def main() -> int:
    """Render both pictures, or a performance."""
    if len(sys.argv) > 1:
        name, folder = sys.argv[1:]
        performance = performance_of(name)
        still = picture(*performance.at(0.0))
        for number in range(int(performance.duration_s * RATE_HZ) + 1):
            time_s = number / RATE_HZ
            seen = still if time_s < HOLD_S else picture(*performance.at(time_s))
            seen.save(Path(folder) / f"{number:04}.jpg", quality=90)
        return 0
    performance = performance_of("wave")
    OUT.mkdir(exist_ok=True)
    for name, time_s in (("t_pose", T_POSE_S), ("wave", WAVE_S)):
        picture(*performance.at(time_s)).save(OUT / f"{name}.jpg", quality=90)
    return 0


if __name__ == "__main__":
    sys.exit(main())
