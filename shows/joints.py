"""The joints that a show may move, as plain data from whoever has read the robot's profile."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shows.errors import ShowError

Floats: TypeAlias = npt.NDArray[np.float64]

FULL_SPEED_TIME_S = 0.05
"""From rest to the velocity limit, where the table names no acceleration limit [s]."""


@dataclass(frozen=True, eq=False)
class JointTable:
    """Names, groups and limits of a robot's joints.

    Attributes:
        names: every joint, in the profile's order (n).
        groups: limb group to the joints that it owns; a gesture moves joints of groups only.
        lower: smallest position (n) [rad].
        upper: largest position (n) [rad].
        velocity_limit: largest speed (n) [rad/s].
        acceleration_limit: largest acceleration (n) [rad/s²]; by default the velocity limit
            reached within FULL_SPEED_TIME_S.

    Raises:
        ShowError: the arrays do not fit the names, are not finite, or leave no range.
    """

    names: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    lower: Floats
    upper: Floats
    velocity_limit: Floats
    acceleration_limit: Floats | None = None

    def __post_init__(self) -> None:
        """Copy what was given into read-only arrays and check that it fits together."""
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "groups", {k: tuple(v) for k, v in self.groups.items()})
        if self.acceleration_limit is None:
            fastest = np.asarray(self.velocity_limit, dtype=np.float64)
            object.__setattr__(self, "acceleration_limit", fastest / FULL_SPEED_TIME_S)
        for field in ("lower", "upper", "velocity_limit", "acceleration_limit"):
            values = np.array(getattr(self, field), dtype=np.float64)
            if values.shape != (len(self.names),) or not np.isfinite(values).all():
                raise ShowError(
                    "joint table", field, f"needs {len(self.names)} finite numbers, one a joint"
                )
            values.flags.writeable = False
            object.__setattr__(self, field, values)
        if len(set(self.names)) != len(self.names):
            raise ShowError("joint table", "names", "a joint is named twice")
        strangers = {j for g in self.groups.values() for j in g} - set(self.names)
        if strangers:
            raise ShowError("joint table", "groups", f"unknown joint {min(strangers)!r}")
        if not (self.lower < self.upper).all() or not (self.velocity_limit > 0.0).all():
            raise ShowError("joint table", "lower, upper", "a joint has no range or no speed")

    @cached_property
    def index(self) -> dict[str, int]:
        """Joint name to its place in the arrays."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def group_of(self) -> dict[str, str]:
        """Joint name to the limb group that owns it; legs have none."""
        return {joint: group for group, joints in self.groups.items() for joint in joints}

    @property
    def acceleration(self) -> Floats:
        """The acceleration limit (n) [rad/s²], given or derived."""
        assert self.acceleration_limit is not None
        return self.acceleration_limit
