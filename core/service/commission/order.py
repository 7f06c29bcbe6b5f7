"""A technician's order: one frozen struct, passed as JSON in argv."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from core.robot.folders import default_robot
from core.run.launch import Argument, Robot

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
Unit: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9][a-z0-9_-]{0,31}\Z")]
ActuatorId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=255)]
Degrees: TypeAlias = Annotated[float, msgspec.Meta(ge=-360.0, le=360.0)]


class CommissionOrder(Argument, frozen=True):
    """A commissioning command for the actuators of a robot unit.

    Attributes:
        action: scan lists the actuators, look shows the joints' angles; id, sign and zero set
            these; supply switches the motors' supply.
        names: joints, or lines for all on them; empty for all.
        robot: name of the profile.
        body: the robot, or a twin of it for practice.
        ports: folder with the serial lines; None for the robot's usual one, or a twin that is
            started for the command.
        faults: file with the fault script of a twin that is started; None without one.
        calibration: file of the unit's calibration; None for the usual place.
        unit: name of the robot unit; a missing calibration is begun for it.
        old_id: present id of the actuator; None if it is alone on its line.
        new_id: new id; None for that of the calibration.
        posture: `straight` (every joint at 0) or one of the profile's, in which zeros are measured.
        angles: different positions of some joints [deg].
    """

    what = "commissioning order"
    action: Literal["scan", "id", "sign", "zero", "look", "supply"]
    names: tuple[Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_]{1,48}\Z")], ...] = ()
    robot: Robot = msgspec.field(default_factory=default_robot)
    body: Literal["real", "twin"] = "real"
    ports: Text | None = None
    faults: Text | None = None
    calibration: Text | None = None
    unit: Unit | None = None
    old_id: ActuatorId | None = None
    new_id: ActuatorId | None = None
    posture: Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z0-9_]{0,47}\Z")] = "straight"
    angles: dict[str, Degrees] = {}
