"""Figures of real robots, made once for all tests."""

from functools import cache

from app.picture.robot_tree import RobotTree, tree_of
from core.link.figure import Figure
from core.report.figure import figure_of
from core.robot.profile_file import load_profile


@cache
def figure(robot: str = "kid_cosmo") -> Figure:
    """Return the figure that the stagehand of a robot publishes."""
    return figure_of(load_profile(robot))


@cache
def tree(robot: str = "kid_cosmo") -> RobotTree:
    """Return the robot as the picture has it."""
    return tree_of(figure(robot))
