"""A motion as the text of a file for this program and for others."""

from collections.abc import Callable
from dataclasses import replace

from app.exchange.skeleton import skeleton_of
from app.picture.robot_tree import RobotError, tree_of
from core.link.figure import Figure
from shows.bvh import encode_bvh
from shows.bvh_robot import bvh_of_motion
from shows.csv_motion import encode_csv
from shows.errors import ShowError
from shows.motion import Motion, encode_motion, motion_name


def encode_data(
    motion: Motion, suffix: str, stem: str, figure: Callable[[], Figure]
) -> tuple[bytes, str]:
    """Return a motion as a file, and what it is in words.

    Args:
        motion: the motion.
        suffix: .json, .csv or .bvh.
        stem: name of the file without ending; a motion of this program has the same name.
        figure: returns the figure of the robot.

    Raises:
        ShowError: the name is no motion's, the motion is too long, or the robot has no figure.
    """
    length = f"{motion.duration_s:.2f} s of {len(motion.joint_names)} joints"
    if suffix == ".csv":
        return encode_csv(motion), f"{length}, seconds and radians"
    if suffix == ".json":
        if stem != motion_name(stem):
            advice = f"name the file {motion_name(stem)}.json"
            raise ShowError(f"{stem}.json", "", "is no motion's name in snake case", advice)
        return encode_motion(replace(motion, name=stem)), length
    try:
        skeleton = skeleton_of(tree_of(figure()))
    except RobotError as error:
        raise ShowError(motion.name, "", str(error)) from error
    bvh = bvh_of_motion(motion, skeleton)
    return encode_bvh(bvh), f"{length}, in centimetres, y upward, rotations in the order Z, X, Y"
