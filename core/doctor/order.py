"""What the doctor is asked to look at: one frozen struct that travels as JSON in argv."""

from typing import Annotated, Literal, Self

import msgspec

from core.launch import LaunchError, Robot, Settings

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]


class DoctorOrder(Settings, frozen=True):
    """What to look at.

    Attributes:
        robot: name of the profile.
        body: `real` looks at the robot as well, `sim` only at what a rehearsal needs.
        ports: folder with the robot's serial lines.
        calibration: file of the piece's calibration; None takes the only one there is.
        records: folder that records will be written to.
        sound: name of the output that the voice shall use, None for the default.
    """

    robot: Robot = "kid_cosmo"
    body: Literal["real", "sim"] = "real"
    ports: Text = "/dev/footlight"
    calibration: Text | None = None
    records: Text = "."
    sound: Text | None = None

    def to_json(self) -> str:
        """Return the order as one argument of a command line."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the order that a command line carries.

        Raises:
            LaunchError: it is malformed, has unknown keys or is out of bounds.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, ValueError) as error:
            raise LaunchError(f"the doctor's order is refused: {error}") from error
