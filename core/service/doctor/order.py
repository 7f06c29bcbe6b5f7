"""What the doctor is asked to look at: one frozen struct that travels as JSON in argv."""

from typing import Annotated, Literal

import msgspec

from core.run.launch import Argument, Robot

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]


class DoctorOrder(Argument, frozen=True):
    """What to look at.

    Attributes:
        robot: name of the profile.
        body: `real` looks at the robot as well, `twin` at a twin of it, `sim` only at what a
            rehearsal needs.
        ports: folder with the serial lines; None for the robot's usual one, or a twin that is
            started for the look.
        faults: file with the fault script of a twin that is started; None without one.
        calibration: file of the unit's calibration; None takes the only one there is.
        records: folder that records will be written to.
        sound: name of the output that the voice shall use, None for the default.
    """

    what = "doctor's order"
    robot: Robot = "kid_cosmo"
    body: Literal["real", "twin", "sim"] = "real"
    ports: Text | None = None
    faults: Text | None = None
    calibration: Text | None = None
    records: Text = "."
    sound: Text | None = None
