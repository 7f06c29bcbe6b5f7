"""What the doctor is asked to look at: one frozen struct that travels as JSON in argv."""

from typing import Annotated, Literal

import msgspec

from core.launch import Argument, Robot

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]


class DoctorOrder(Argument, frozen=True):
    """What to look at.

    Attributes:
        robot: name of the profile.
        body: `real` looks at the robot as well, `sim` only at what a rehearsal needs.
        ports: folder with the robot's serial lines.
        calibration: file of the piece's calibration; None takes the only one there is.
        records: folder that records will be written to.
        sound: name of the output that the voice shall use, None for the default.
    """

    what = "doctor's order"
    robot: Robot = "kid_cosmo"
    body: Literal["real", "sim"] = "real"
    ports: Text = "/dev/footlight"
    calibration: Text | None = None
    records: Text = "."
    sound: Text | None = None
