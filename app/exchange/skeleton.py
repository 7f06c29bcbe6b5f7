"""The skeleton of a robot for files of other programs, from its figure."""

import numpy as np

from app.picture.robot_tree import Body, Floats, RobotTree
from shows.bvh_robot import RobotJoint

LEAST_TIP_M = 0.03  # of a part without a surface


def skeleton_of(tree: RobotTree) -> tuple[RobotJoint, ...]:
    """Return the joints of a robot at zero angles, the base first; fixed bodies are left out."""
    poses = tree.forward_kinematics({}, tree.bodies[0].frame)
    places: list[RobotJoint] = []
    index_of: dict[int, int] = {}
    for index, (body, pose) in enumerate(zip(tree.bodies, poses, strict=True)):
        if body.parent >= 0 and not body.joint:
            index_of[index] = index_of[body.parent]
            continue
        index_of[index] = len(places)
        before = sum(body.joint in (found.name, found.primary) for found in places[1:])
        name = f"{body.joint}_follower_{before}" if before else body.joint
        places.append(
            RobotJoint(
                name=name if body.parent >= 0 else tree.name,
                parent=-1 if body.parent < 0 else index_of[body.parent],
                place=pose[:3, 3].copy(),
                axis=pose[:3, :3] @ body.axis,
                slides=body.slides,
                tip=_tip(body, pose),
                primary=body.joint if before else "",
                ratio=body.ratio,
            )
        )
    return tuple(places)


def _tip(body: Body, pose: Floats) -> Floats:
    """Return the end of a body, as far behind the middle of its surface as its joint before (3)."""
    corners = [patch.mesh.positions for patch in body.patches if len(patch.mesh.positions)]
    if not corners:
        tip: Floats = pose[:3, 3] - np.array([0.0, 0.0, LEAST_TIP_M])
        return tip
    points = np.concatenate(corners).astype(np.float64)
    end = points.max(axis=0) + points.min(axis=0)  # twice the middle
    tip = pose[:3, :3] @ end + pose[:3, 3]
    return tip
