"""What a technician asks for: one frozen struct that travels as JSON in argv."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from core.run.launch import Argument, Robot

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
Unit: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9][a-z0-9_-]{0,31}\Z")]
BearId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=252)]
Degrees: TypeAlias = Annotated[float, msgspec.Meta(ge=-360.0, le=360.0)]


class CommissionOrder(Argument, frozen=True):
    """What to do with the actuators of a unit.

    Attributes:
        action: scan tells who answers, look where the joints are; id, sign and zero take these;
            supply gives the motors theirs.
        names: joints, or lines for all on them; empty for all.
        robot: name of the profile.
        body: the robot, or a twin of it to learn it with.
        ports: folder with the serial lines; None for the robot's usual one, or a twin that is
            started for it.
        faults: file with the fault script of a twin that is started; None without one.
        calibration: file of the unit's calibration; None for the usual place.
        unit: which one it is; a calibration that is not there yet is begun for it.
        old_id: at which the actuator answers; None if it is alone on its line.
        new_id: that it shall have; None for that of the calibration.
        posture: `straight` (every joint at 0) or one of the profile's, in which zeros are taken.
        angles: where some joints are instead [deg].
    """

    what = "commissioning order"
    action: Literal["scan", "id", "sign", "zero", "look", "supply"]
    names: tuple[Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_]{1,48}\Z")], ...] = ()
    robot: Robot = "kid_cosmo"
    body: Literal["real", "twin"] = "real"
    ports: Text | None = None
    faults: Text | None = None
    calibration: Text | None = None
    unit: Unit | None = None
    old_id: BearId | None = None
    new_id: BearId | None = None
    posture: Literal["straight", "rest", "crouch", "seat"] = "straight"
    angles: dict[str, Degrees] = {}
