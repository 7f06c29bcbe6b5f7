"""The description of a robot's body for the simulator: `body.toml` in the robot's folder.

Points are in the frame of the body they belong to, lengths in metres.
"""

import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from devices.errors import DeviceError

BODY_FILE = "body.toml"
MAX_BYTES = 1_000_000

Coordinate: TypeAlias = Annotated[float, Meta(ge=-3.0, le=3.0)]
Point: TypeAlias = tuple[Coordinate, Coordinate, Coordinate]
Radius: TypeAlias = Annotated[float, Meta(gt=0.0, le=1.0)]
Stiffness: TypeAlias = Annotated[float, Meta(gt=0.0, le=1e6)]
Positive: TypeAlias = Annotated[float, Meta(gt=0.0, le=1e6)]
Rms: TypeAlias = Annotated[float, Meta(ge=0.0, le=10.0)]
Force: TypeAlias = Annotated[float, Meta(ge=0.0, le=1000.0)]
Watts: TypeAlias = Annotated[float, Meta(ge=0.0, le=10_000.0)]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A TOML table that refuses unknown keys."""


class Shape(Table, frozen=True):
    """A hard capsule that meets the floor; a sphere where both ends are the same point.

    Attributes:
        body: body of the model that carries it.
        start: centre of one end (3) [m].
        end: centre of the other end (3) [m].
        radius: of the capsule [m].
        sits: whether it can rest on the stool.
        mirrored_to: body that carries the mirror image in the x-z plane; empty for none.
    """

    body: str
    start: Point
    end: Point
    radius: Radius
    sits: bool = False
    mirrored_to: str = ""

    def image(self) -> "Shape":
        """Return the mirror image on the other body."""
        (a, b, c), (d, e, f) = self.start, self.end
        return Shape(
            body=self.mirrored_to,
            start=(a, -b, c),
            end=(d, -e, f),
            radius=self.radius,
            sits=self.sits,
        )


class GroundSpring(Table, frozen=True):
    """A point of a soft shell that the floor presses along its normal.

    Attributes:
        body: body of the model that carries it.
        point: where the undeformed shell touches the floor (3) [m].
        stiffness: along the normal of the floor [N/m].
    """

    body: str
    point: Point
    stiffness: Stiffness


class Bumper(Table, frozen=True):
    """Two points of the robot that push each other apart when they are closer than a gap.

    Attributes:
        body: body of the model that carries the first point.
        point: the first point (3) [m].
        other_body: body of the model that carries the second point.
        other_point: the second point (3) [m].
        gap: distance at which the force begins [m].
        stiffness: along the line between the points [N/m].
    """

    body: str
    point: Point
    other_body: str
    other_point: Point
    gap: Annotated[float, Meta(gt=0.0, le=3.0)]
    stiffness: Stiffness


class Noise(Table, frozen=True):
    """The errors of the sensors; by default they measure exactly.

    Attributes:
        encoder_bits: positions are rounded to one turn / 2^bits.
        velocity: white noise of joint velocities, rms [rad/s].
        torque: white noise of the torque estimate, rms as a fraction of the torque.
        torque_floor: white noise of the torque estimate of an idle joint, rms as a fraction of
            its stall torque.
        gyro: white noise of the gyro, rms of a sample [rad/s].
        gyro_bias: standard deviation of the gyro's bias after switching on [rad/s].
        gyro_walk: growth of that bias, rms [rad/s/√s].
        accel: white noise of the accelerometer, rms of a sample [m/s²].
        accel_bias: standard deviation of the accelerometer's bias after switching on [m/s²].
        accel_walk: growth of that bias, rms [m/s²/√s].
        contact_on: normal force that closes a contact switch [N].
        contact_off: normal force below which it opens again [N].
        debounce_s: time for which a switch must have changed before it is reported [s].
    """

    encoder_bits: Annotated[int, Meta(ge=4, le=32)] = 32
    velocity: Rms = 0.0
    torque: Rms = 0.0
    torque_floor: Rms = 0.0
    gyro: Rms = 0.0
    gyro_bias: Rms = 0.0
    gyro_walk: Rms = 0.0
    accel: Rms = 0.0
    accel_bias: Rms = 0.0
    accel_walk: Rms = 0.0
    contact_on: Force = 15.0
    contact_off: Force = 8.0
    debounce_s: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0


class Handlers(Table, frozen=True):
    """The people who hold the base of a legged robot until its legs carry it.

    Attributes:
        stiffness: of their grip [N/m].
        damping: of their grip [N·s/m].
        turn_stiffness: of their grip [N·m/rad].
        turn_damping: of their grip [N·m·s/rad].
        fade_s: time in which they let go [s].
        tilt: they take hold only of a base that leans less than this [rad].
        speed: they take hold only of a base slower than this [m/s].
        rise_m: they take hold only of a base no higher than this above its first height [m].
    """

    stiffness: Positive
    damping: Positive
    turn_stiffness: Positive
    turn_damping: Positive
    fade_s: Annotated[float, Meta(gt=0.0, le=10.0)]
    tilt: Annotated[float, Meta(ge=0.0, le=1.6)]
    speed: Annotated[float, Meta(ge=0.0, le=5.0)]
    rise_m: Annotated[float, Meta(ge=0.0, le=1.0)]


class Windings(Table, frozen=True):
    """The heat path of an actuator that turns one kilowatt into heat at stall.

    The values scale with the power that each actuator turns into heat at stall. By default the
    time constants are 8 s of the winding and 4 min of the housing.

    Attributes:
        winding_capacity: heat capacity of the winding [J/K].
        winding_to_housing: thermal resistance from the winding to the housing [K/W].
        housing_capacity: heat capacity of the housing [J/K].
        housing_to_room: thermal resistance from the housing to the room [K/W].
    """

    winding_capacity: Positive = 100.0
    winding_to_housing: Positive = 0.077
    housing_capacity: Positive = 1500.0
    housing_to_room: Positive = 0.155


class BodyDescription(Table, frozen=True):
    """What the simulator must know of a robot besides its model and its profile.

    Attributes:
        schema: version of the file's form.
        idle_w: power of computer, radio and electronics [W].
        rope_point: where a gantry's rope holds the base (3) [m]; None if no gantry fits.
        noise: errors of the sensors.
        handlers: people who hold a legged robot; None if there are none.
        windings: heat path of the actuators.
        shapes: parts that meet the floor besides the contacts of the profile.
        leg_shapes: parts of legs that meet another leg besides their `shapes`, and never the floor.
        ground_springs: points of soft shells that the floor presses.
        bumpers: points of the robot that push each other apart.
    """

    schema: Annotated[int, Meta(ge=1, le=1)]
    idle_w: Watts
    rope_point: Point | None = None
    noise: Noise = Noise()
    handlers: Handlers | None = None
    windings: Windings = Windings()
    shapes: tuple[Shape, ...] = ()
    leg_shapes: tuple[Shape, ...] = ()
    ground_springs: tuple[GroundSpring, ...] = ()
    bumpers: tuple[Bumper, ...] = ()

    @property
    def every_shape(self) -> tuple[Shape, ...]:
        """The shapes, each followed by its mirror image if it has one."""
        return _with_images(self.shapes)

    @property
    def every_leg_shape(self) -> tuple[Shape, ...]:
        """The shapes between legs, each followed by its mirror image if it has one."""
        return _with_images(self.leg_shapes)


def _with_images(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    found: list[Shape] = []
    for shape in shapes:
        found += [shape, shape.image()] if shape.mirrored_to else [shape]
    return tuple(found)


def load_description(path: Path) -> BodyDescription:
    """Read and check a robot's `body.toml`.

    Raises:
        DeviceError: the file cannot be read, has unknown or missing keys, or contradicts itself.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        reason = f"the folder {path.parent.name!r} has no such file; the simulator needs it"
        raise DeviceError(path.name, reason) from None
    except OSError as error:
        raise DeviceError(path.name, f"cannot be read ({error.strerror})") from error
    if len(raw) > MAX_BYTES:
        raise DeviceError(path.name, "is larger than 1 MB; put the right file there")
    try:
        table: dict[str, Any] = tomllib.loads(raw.decode("utf-8"))
        found = msgspec.convert(table, BodyDescription)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DeviceError(path.name, f"is not valid TOML ({error}); correct it") from error
    except msgspec.ValidationError as error:
        reason, _, place = " ".join(str(error).split()).partition(" - at ")
        where = place.strip("`$.") or "top level"
        raise DeviceError(path.name, f"{where}: {reason}; correct it") from error
    if found.noise.contact_off > found.noise.contact_on:
        raise DeviceError(path.name, "noise.contact_off: must not exceed contact_on; correct it")
    return found
