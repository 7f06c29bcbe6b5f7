"""The joints that behaviour moves, in upper order: limb by limb, without the legs.

The coordinates of the body, if it is a limb, count as joints and come last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from core.behave.errors import BehaveError
from devices.interface import Floats
from shows.joints import JointTable
from shows.limbs import Limb


@dataclass(frozen=True, slots=True)
class GazeColumns:
    """The joints that turn the gaze.

    Attributes:
        limb: index of the limb that owns both joints.
        yaw: index of the yaw joint in upper order.
        pitch: index of the pitch joint in upper order.
    """

    limb: int
    yaw: int
    pitch: int


@dataclass(frozen=True, slots=True, eq=False)
class UpperJoints:
    """Names, limits and limbs of the joints that behaviour moves.

    Attributes:
        limbs: the limbs, in the order of every array with one entry for each limb (l).
        names: the joints in upper order (u).
        columns: each limb's slice of upper order (l).
        table_index: each joint's index in the joint table (u).
        units: of each joint's position: rad, or m for a length of the body (u).
        lower: smallest position (u).
        upper: largest position (u).
        velocity_limit: largest speed (u) [1/s].
        live_acceleration: largest acceleration of one that follows a person (u) [1/s²].
        index: joint name to index in upper order.
        mirror: index of each joint's mirror image in upper order, -1 without one (u).
        mirror_sign: sign of each joint in a mirror (u).
        gaze: None if the robot has no joints that turn a gaze.
        joint_count: number of joints, without the coordinates of the body.
    """

    limbs: tuple[Limb, ...]
    names: tuple[str, ...]
    columns: tuple[slice, ...]
    table_index: tuple[int, ...]
    units: tuple[str, ...]
    lower: Floats
    upper: Floats
    velocity_limit: Floats
    live_acceleration: Floats
    index: Mapping[str, int]
    mirror: tuple[int, ...]
    mirror_sign: tuple[float, ...]
    gaze: GazeColumns | None
    joint_count: int

    @classmethod
    def from_table(cls, table: JointTable) -> Self:
        """Pick the joints of the limbs that behaviour moves out of a robot's joint table."""
        limbs = table.moved_limbs
        names = tuple(joint for limb in limbs for joint in table.joints_of[limb.name])
        columns: list[slice] = []
        for limb in limbs:
            start = columns[-1].stop if columns else 0
            columns.append(slice(start, start + len(table.joints_of[limb.name])))
        index = {name: i for i, name in enumerate(names)}
        picked = [table.index[name] for name in names]
        gaze: GazeColumns | None = None
        if table.gaze is not None:
            owners = [limb.name for limb in limbs]
            owner = owners.index(table.limb_of[table.gaze.yaw])
            gaze = GazeColumns(owner, index[table.gaze.yaw], index[table.gaze.pitch])
        return cls(
            limbs=limbs,
            names=names,
            columns=tuple(columns),
            table_index=tuple(picked),
            units=tuple(table.unit(name) for name in names),
            lower=table.lower[picked],
            upper=table.upper[picked],
            velocity_limit=table.velocity_limit[picked],
            live_acceleration=table.acceleration_led[picked],
            index=index,
            mirror=tuple(index.get(table.mirror.get(name, ""), -1) for name in names),
            mirror_sign=tuple(-1.0 if table.flips(name) else 1.0 for name in names),
            gaze=gaze,
            joint_count=sum(row < table.joint_count for row in picked),
        )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def limb_names(self) -> tuple[str, ...]:
        """The limbs' names, in their order."""
        return tuple(limb.name for limb in self.limbs)

    def numbers(self, limbs: Sequence[str] | None) -> tuple[int, ...]:
        """Return the indices of limbs by their names, ascending; None means all limbs.

        Raises:
            BehaveError: the robot has no limb of that name.
        """
        known = self.limb_names
        if limbs is None:
            return tuple(range(len(known)))
        for limb in limbs:
            if limb not in known:
                choice = ", ".join(known) or "none: it has no limbs that behaviour moves"
                raise BehaveError(limb, f"is not a limb of this robot; its limbs are {choice}")
        return tuple(sorted({known.index(limb) for limb in limbs}))
