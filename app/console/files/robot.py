"""The joints of the connected robot, or of the last one that was connected."""

from pathlib import Path

import msgspec
import numpy as np

from core.link.hello import Hello
from shows.body_limb import with_body
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.joints import JointTable

MAX_BYTES = 2**20


def joint_table(hello: Hello) -> JointTable | None:
    """Return the robot's joints; None if the core does not give limbs and speeds that fit."""
    if not hello.limbs:
        return None
    try:
        joints = JointTable(
            robot=hello.robot,
            names=hello.joint_names,
            limbs=hello.limbs,
            joint_limbs=hello.joint_limbs,
            roles=hello.joint_roles,
            lower=np.array(hello.lower),
            upper=np.array(hello.upper),
            velocity_limit=np.array(hello.velocity_limit),
            gaze=hello.gaze,
            hand_poses=hello.hand_poses,
            body=hello.body_range,
            sway=hello.sway_range,
            gaits=hello.gaits,
        )
        return with_body(joints, hello.body_limb)
    except ShowError:
        return None


class RobotMemory:
    """Keeps the last description of a robot, so that shows open without a core.

    Attributes:
        path: its file.
        table: the joints; None before the first connection.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table: JointTable | None = None
        try:
            hello = msgspec.json.decode(read_capped(path, MAX_BYTES, path.name), type=Hello)
        except (ShowError, msgspec.MsgspecError, ValueError):
            return  # the next core sends it again
        self.table = joint_table(hello)

    @property
    def name(self) -> str:
        """Name of the robot; empty before the first connection."""
        return "" if self.table is None else self.table.robot

    def take(self, hello: Hello) -> bool:
        """Take a core's description of its robot; return whether it has the joints."""
        table = joint_table(hello)
        if table is not None:
            self.table = table
        return table is not None

    def keep(self, hello: Hello) -> None:
        """Write the description to the file; for a worker thread.

        Raises:
            ShowError: the file could not be written.
        """
        write_atomically(self.path, msgspec.json.encode(hello))
