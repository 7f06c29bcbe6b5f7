"""The picture of a recorded tick."""

import math
from typing import Any

from core.link.hello import Hello
from core.link.message import Vector3
from core.link.scene import Scene
from core.plants.biped.support_polygon import convex_hull
from core.record.summary import LIMP_MODES


def scene_of(row: Any, hello: Hello) -> Scene:
    """Return the scene of a tick; what an earlier release did not record is left out.

    Args:
        row: of the record.
        hello: description of the robot.
    """
    names = row.dtype.names

    def vectors(name: str) -> tuple[Vector3, ...]:
        return tuple(map(tuple, row[name].reshape(-1, 3).tolist())) if name in names else ()

    def vector(name: str) -> Vector3:
        return (vectors(name) or ((0.0, 0.0, 0.0),))[0]

    mode = int(row["mode"])
    limp = mode < len(hello.mode_names) and hello.mode_names[mode] in LIMP_MODES
    soles, contact = vectors("sole_position_est"), (row["contact_est"] > 0.5).tolist()
    yaws = row["sole_yaw_est"].tolist() if "sole_yaw_est" in names else []
    capture = row["capture_point_est"].tolist() if "capture_point_est" in names else (0.0, 0.0)
    return Scene(
        stamp_s=float(row["t"]),
        q=tuple(row["q"].tolist()),
        q_reference=tuple(row["q" if limp else "q_command"].tolist()),
        base_position=vector("base_position_est"),
        base_rpy=vector("rpy_est"),
        com=vector("com_est"),
        com_velocity=vector("com_velocity_est"),
        capture_point=tuple(capture),
        soles=soles,
        sole_yaws=tuple(yaws),
        contact=tuple(contact),
        contact_forces=vectors("contact_force_plan"),
        support=_support(hello, soles, yaws, contact),
        external_force=vector("external_force"),
    )


def _support(
    hello: Hello, soles: tuple[Vector3, ...], yaws: list[float], contact: list[bool]
) -> tuple[Vector3, ...]:
    """Return the corners of the support polygon, of feet that lie flat [m]."""
    points: list[Vector3] = []
    for foot, (x, y, z), yaw, carries in zip(hello.feet, soles, yaws, contact, strict=False):
        for along in (foot.heel, foot.toe) if carries else ():
            points.append((x + along * math.cos(yaw), y + along * math.sin(yaw), z))
    return convex_hull(points)
