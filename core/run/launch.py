"""What a run of the core is asked to do: one frozen struct that travels as JSON in argv."""

import math
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

import msgspec

from core.errors import CoreError
from core.link.message import Force, Name, PushTime, Sequence, Speed, YawRate
from core.robot.folders import default_robot

Robot: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_]{1,48}\Z")]
BodyName: TypeAlias = Literal["sim", "twin", "real"]
Pace: TypeAlias = Literal["real", "max"]
SupportName: TypeAlias = Literal["seated", "gantry", "floor", "mounted"]
StartTime: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=86400.0)]
WalkTime: TypeAlias = Annotated[float, msgspec.Meta(gt=0.0, le=86400.0)]
Slope: TypeAlias = Annotated[float, msgspec.Meta(ge=-15.0, le=15.0)]
Friction: TypeAlias = Annotated[float, msgspec.Meta(gt=0.0, le=3.0)]
Payload: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=5.0)]
SoundName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
Endpoint: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"\A(tcp/127\.0\.0\.1:\d{1,5}|unixsock-stream/.{1,100})\Z")
]


class LaunchError(CoreError):
    """A launch configuration is refused."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the launch configuration: every number in it is finite."""

    def __post_init__(self) -> None:
        """Refuse NaN and infinity.

        Raises:
            ValueError: a number is not finite.
        """
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{name} is {value}, which is not a finite number")


class WalkOrder(Settings, frozen=True):
    """Walk at one velocity for a time, after the first 5 s of standing up and settling.

    Attributes:
        vx: forward velocity in the heading frame [m/s].
        vy: velocity to its left in the heading frame [m/s].
        yaw: turning rate, positive to its left [rad/s].
        dur: for how long [s].
        step: step in place even when the velocity is zero.
    """

    vx: Speed = 0.0
    vy: Speed = 0.0
    yaw: YawRate = 0.0
    dur: WalkTime = 10.0
    step: bool = False


class PushOrder(Settings, frozen=True):
    """Push the torso with a constant force in the world frame.

    Attributes:
        t: when, since the start of the record [s].
        dur: for how long [s].
        fx: force along x [N].
        fy: force along y [N].
        fz: force along z [N].
    """

    t: StartTime
    dur: PushTime
    fx: Force = 0.0
    fy: Force = 0.0
    fz: Force = 0.0


class Argument(Settings, frozen=True):
    """What a process is asked to do, as one argument of its command line."""

    what: ClassVar[str]

    def to_json(self) -> str:
        """Return it as one argument of a command line."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return what a command line carries.

        Raises:
            LaunchError: it is malformed, has unknown keys or is out of bounds.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, ValueError) as error:
            raise LaunchError(f"the {cls.what} is refused: {error}") from error


class LaunchConfig(Argument, frozen=True):
    """A run of the core.

    Attributes:
        endpoint: where the core listens, on this machine only.
        robot: name of the profile.
        body: what stands below the core.
        pace: hold real time, or run as fast as it goes (simulation only).
        seed: seed of the simulated noise and of the idle life.
        support: what carries the robot; None for the first one of its profile.
        autopilot: the core operates itself: stand up, GO or walk, settle, leave.
        show: folder or zip of the show, None when it walks or only waits.
        walk: velocities one after the other, empty when a show plays.
        gestures: names of gestures to play, one after the other, while walking.
        pushes: pushes on the simulated torso.
        slope: slope of the ground, positive uphill along x [deg].
        friction: coefficient of friction of the ground, None for the profile's.
        payload_kg: mass in the right hand [kg].
        stepping: False balances standing and never steps.
        log: path of the MCAP that the scribe writes, None writes none.
        sound: name of the sound device, or a part of it; empty is the system's usual one.
        headless: no picture, not even the live display.
        ports: folder of the serial lines of a real robot or a twin; None for the usual one.
        hardware: file that says what hangs on which line; None for the robot's own.
        faults: file with the fault script of a twin; None without one.
        calibration: file with the calibration of the real unit; None for the only one that is kept.
        siblings: names of the processes whose heartbeat the core awaits before it starts.
    """

    what = "launch configuration"
    endpoint: Endpoint
    robot: Robot = msgspec.field(default_factory=default_robot)
    body: BodyName = "sim"
    pace: Pace = "real"
    seed: Sequence = 0
    support: SupportName | None = None
    autopilot: bool = True
    show: str | None = None
    walk: tuple[WalkOrder, ...] = ()
    gestures: tuple[Name, ...] = ()
    pushes: tuple[PushOrder, ...] = ()
    slope: Slope = 0.0
    friction: Friction | None = None
    payload_kg: Payload = 0.0
    stepping: bool = True
    log: str | None = None
    sound: SoundName = ""
    headless: bool = False
    ports: str | None = None
    hardware: str | None = None
    faults: str | None = None
    calibration: str | None = None
    siblings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what a robot must not be asked.

        Raises:
            ValueError: a number is not finite, or a real robot shall run by itself, in another
                time than its own, or as only a simulation can.
        """
        super().__post_init__()
        if self.body != "real":
            return
        if self.pace != "real":
            raise ValueError("the real robot runs at --pace real only")
        if self.autopilot:
            raise ValueError("the real robot is run by people, not by itself")
        if self.slope or self.friction is not None or self.payload_kg or self.pushes:
            raise ValueError("ground, payload and pushes are for a simulation, not for the robot")
