"""The joints of the upper body in upper order: limb after limb, as LIMBS names them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from core.behave.errors import BehaveError
from core.behave.reference import LIMBS
from devices.interface import Floats
from shows.joints import JointTable


@dataclass(frozen=True, slots=True, eq=False)
class UpperJoints:
    """Names, limits and limbs of the upper body.

    Attributes:
        names: the u joints in upper order.
        columns: the columns of each limb in upper order (5).
        table_index: each joint's place in the joint table (u).
        lower: smallest position (u) [rad].
        upper: largest position (u) [rad].
        velocity_limit: largest speed (u) [rad/s].
        index: joint name to its column.
    """

    names: tuple[str, ...]
    columns: tuple[slice, ...]
    table_index: tuple[int, ...]
    lower: Floats
    upper: Floats
    velocity_limit: Floats
    index: Mapping[str, int]

    @classmethod
    def from_table(cls, table: JointTable) -> Self:
        """Pick the limbs' joints out of a robot's joint table.

        Raises:
            BehaveError: the table lacks one of LIMBS.
        """
        names: list[str] = []
        columns: list[slice] = []
        for limb in LIMBS:
            if not table.groups.get(limb):
                raise BehaveError(limb, "the robot's profile gives this limb no joint; name them")
            columns.append(slice(len(names), len(names) + len(table.groups[limb])))
            names.extend(table.groups[limb])
        picked = [table.index[name] for name in names]
        return cls(
            names=tuple(names),
            columns=tuple(columns),
            table_index=tuple(picked),
            lower=table.lower[picked],
            upper=table.upper[picked],
            velocity_limit=table.velocity_limit[picked],
            index={name: i for i, name in enumerate(names)},
        )

    def __len__(self) -> int:
        return len(self.names)

    def limbs(self, groups: Sequence[str] | None) -> tuple[int, ...]:
        """Return the numbers of named limbs, in order; None means all.

        Raises:
            BehaveError: no limb has that name.
        """
        if groups is None:
            return tuple(range(len(LIMBS)))
        for group in groups:
            if group not in LIMBS:
                raise BehaveError(group, f"is no limb; choose from {', '.join(LIMBS)}")
        return tuple(sorted({LIMBS.index(group) for group in groups}))
