"""The joints of the robot that plays, as the core told them, now or the last time."""

from pathlib import Path

import msgspec
import numpy as np

from core.link.hello import Hello
from shows.errors import ShowError
from shows.files import read_capped, write_atomically
from shows.joints import JointTable

MAX_BYTES = 2**20


def joint_table(hello: Hello) -> JointTable | None:
    """Return the joints that a show may move; legs belong to no limb group.

    None where the core does not tell groups and speeds, or where they do not fit together.
    """
    groups: dict[str, tuple[str, ...]] = {}
    for joint, group in zip(hello.joint_names, hello.joint_groups, strict=False):
        if not group.endswith("_leg"):
            groups[group] = (*groups.get(group, ()), joint)
    if not groups:
        return None
    try:
        return JointTable(
            names=hello.joint_names,
            groups=groups,
            lower=np.array(hello.lower),
            upper=np.array(hello.upper),
            velocity_limit=np.array(hello.velocity_limit),
        )
    except ShowError:
        return None


class RobotMemory:
    """Keeps what the core last said of its robot, so that shows open without one.

    Attributes:
        path: its file.
        table: the joints; None as long as no core was ever there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table: JointTable | None = None
        try:
            hello = msgspec.json.decode(read_capped(path, MAX_BYTES, path.name), type=Hello)
        except (ShowError, msgspec.MsgspecError, ValueError):
            return  # the next core tells it again
        self.table = joint_table(hello)

    def take(self, hello: Hello) -> bool:
        """Take what a core says; return whether its joints are known from it."""
        table = joint_table(hello)
        if table is not None:
            self.table = table
        return table is not None

    def keep(self, hello: Hello) -> None:
        """Write it down; for a worker thread.

        Raises:
            ShowError: the disk refused.
        """
        write_atomically(self.path, msgspec.json.encode(hello))
