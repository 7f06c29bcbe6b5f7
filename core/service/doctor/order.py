"""The scope of an examination: one frozen struct, passed as JSON in argv."""

from typing import Annotated, Literal

import msgspec

from core.robot.folders import default_robot
from core.run.launch import Argument, Robot

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]


class DoctorOrder(Argument, frozen=True):
    """The scope of an examination.

    Attributes:
        robot: name of the profile.
        body: `real` examines the robot as well, `twin` a twin of it, `sim` only the needs of a
            rehearsal.
        ports: folder with the serial lines; None for the robot's usual one, or a twin that is
            started for the examination.
        faults: file with the fault script of a twin that is started; None without one.
        calibration: file of the unit's calibration; None takes the only one there is.
        records: folder of records.
        sound: name of the voice's output, None for the default.
    """

    what = "doctor's order"
    robot: Robot = msgspec.field(default_factory=default_robot)
    body: Literal["real", "twin", "sim"] = "real"
    ports: Text | None = None
    faults: Text | None = None
    calibration: Text | None = None
    records: Text = "."
    sound: Text | None = None
