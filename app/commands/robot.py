"""The robot that a command is for."""

from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.robot.profile import Profile


def robot_of(options: Namespace) -> str:
    """Return the name of the robot that the options choose.

    Raises:
        ProfileError: there is no such robot, or none is the default.
    """
    from core.robot.folders import default_robot, robot_folder

    name: str = options.robot or default_robot()
    robot_folder(name)
    return name


def profile_of(options: Namespace) -> "Profile":
    """Return the profile of the robot that the options choose.

    Raises:
        ProfileError: there is no such robot, or its profile cannot be used.
    """
    from core.robot.profile_file import load_profile

    return load_profile(robot_of(options))
