"""The launch configuration of a run: one frozen struct, passed as JSON in argv."""

import math
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

import msgspec

from core.errors import CoreError
from core.link.message import Cycles, Force, Name, PushTime, Sequence, Speed, YawRate
from core.robot.folders import default_robot
from shows.fields import (
    FlightTime,
    JumpCount,
    JumpTurn,
    JumpWay,
    StanceHeight,
    SwayAmplitude,
    SwayDirection,
    SwayFrequency,
)

Robot: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_]{1,48}\Z")]
BodyName: TypeAlias = Literal["sim", "twin", "real"]
Pace: TypeAlias = Literal["real", "max"]
OrderedGait: TypeAlias = Literal["walk", "run", "jump"]
SupportName: TypeAlias = Literal["seated", "gantry", "floor", "mounted"]
StartTime: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=86400.0)]
WalkTime: TypeAlias = Annotated[float, msgspec.Meta(gt=0.0, le=86400.0)]
Slope: TypeAlias = Annotated[float, msgspec.Meta(ge=-15.0, le=15.0)]
Friction: TypeAlias = Annotated[float, msgspec.Meta(gt=0.0, le=3.0)]
Payload: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=5.0)]
PlantNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=999)]
Spread: TypeAlias = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]
SoundName: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]
SourceText: TypeAlias = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A((vmc|mvn|natnet)(:[0-9]{1,5})?(@[0-9]{1,3}(\.[0-9]{1,3}){3})?"
        r"|camera(:([0-9]{1,3}|/[^\x00-\x1f]{1,1000}))?)?\Z"
    ),
]
Endpoint: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"\A(tcp/127\.0\.0\.1:\d{1,5}|unixsock-stream/.{1,100})\Z")
]


class LaunchError(CoreError):
    """A launch configuration is invalid."""


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
    """Walk or run at one velocity for a time, or jump, after the first 5 s of standing up.

    Attributes:
        vx: forward velocity in the heading frame [m/s].
        vy: velocity to the left in the heading frame [m/s].
        yaw: turning rate, positive to the left [rad/s].
        dur: duration [s].
        step: step in place at zero velocity.
        gait: walk, run or jump; a run at zero velocity is a run in place.
        count: number of jumps.
        flight: duration of a flight [s]; 0: as the robot's profile says.
        dx: way of a jump forward [m].
        dy: way of a jump to the left [m].
        turn: turn of a jump to the left [rad].
        period: time from jump to jump [s]; 0: as the profile says.
        step_s: time from step to step [s]; 0: as the profile says.
        height: of the CoM between flights [m]; 0: as the profile says.
    """

    vx: Speed = 0.0
    vy: Speed = 0.0
    yaw: YawRate = 0.0
    dur: WalkTime = 10.0
    step: bool = False
    gait: OrderedGait = "walk"
    count: JumpCount = 1
    flight: FlightTime = 0.0
    dx: JumpWay = 0.0
    dy: JumpWay = 0.0
    turn: JumpTurn = 0.0
    period: FlightTime = 0.0
    step_s: FlightTime = 0.0
    height: StanceHeight = 0.0


class PushOrder(Settings, frozen=True):
    """Push the torso with a constant force in the world frame.

    Attributes:
        t: time of its start since the start of the record [s].
        dur: duration [s].
        fx: force along x [N].
        fy: force along y [N].
        fz: force along z [N].
    """

    t: StartTime
    dur: PushTime
    fx: Force = 0.0
    fy: Force = 0.0
    fz: Force = 0.0


class SwayOrder(Settings, frozen=True):
    """Sway or squat over standing feet.

    Attributes:
        t: time of its start since the start of the record [s].
        amplitude: amplitude of the centre of mass, to each side [m].
        frequency: cycles in a second [Hz].
        direction: direction in which the sine begins.
        cycles: number of cycles; 0: to the end of the run.
    """

    t: StartTime
    amplitude: SwayAmplitude
    frequency: SwayFrequency
    direction: SwayDirection = "left"
    cycles: Cycles = 0


class PlantOrder(Settings, frozen=True):
    """A simulated robot that is drawn around the model.

    Attributes:
        number: of the plant.
        spread: how far it is from the model; at 0 it is the model.
        seed: of the draw.
    """

    number: PlantNumber
    spread: Spread
    seed: Sequence = 0


class Argument(Settings, frozen=True):
    """The configuration of a process, as one argument of its command line."""

    what: ClassVar[str]

    def to_json(self) -> str:
        """Return the configuration as one argument of a command line."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the configuration of one argument of a command line.

        Raises:
            LaunchError: it is malformed, has unknown keys or values out of bounds.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, ValueError) as error:
            raise LaunchError(f"the {cls.what} is refused: {error}") from error


class LaunchConfig(Argument, frozen=True):
    """A run of the core.

    Attributes:
        endpoint: endpoint of the core, on this machine only.
        robot: name of the profile.
        body: the body that the core drives.
        pace: real time, or as fast as possible (simulation only).
        seed: seed of the simulated noise and of the idle motion.
        support: support of the robot; None for the first one of its profile.
        autopilot: the core operates itself: stand up, GO or walk, settle, exit.
        show: folder or zip of the show; None if the robot walks or waits.
        walk: walks, runs and jumps in sequence; empty if a show plays.
        gestures: names of gestures to play in sequence while the robot walks.
        pushes: pushes on the simulated torso.
        sways: sways of a robot that stands.
        slope: slope of the ground, positive uphill along x [deg].
        friction: coefficient of friction of the ground; None for the profile's.
        payload_kg: mass in the right hand [kg].
        plant: the simulated robot that deviates from the model; None for the model itself.
        stepping: False makes the robot balance without steps.
        log: path of the MCAP file that the scribe writes; None writes none.
        sound: name of the sound device, or a part of it; empty: the system's default.
        source: motion capture to which the partner listens from the start, PROTOCOL[:PORT][@HOST];
            without a host it is paired with nobody. Empty: none.
        headless: no picture and no live display.
        ports: folder of the serial ports of a real robot or a twin; None for the default one.
        hardware: file with the devices on each bus; None for the robot's own.
        faults: file with the fault script of a twin; None without one.
        calibration: calibration file of the real unit; None for the only saved one.
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
    sways: tuple[SwayOrder, ...] = ()
    slope: Slope = 0.0
    friction: Friction | None = None
    payload_kg: Payload = 0.0
    plant: PlantOrder | None = None
    stepping: bool = True
    log: str | None = None
    sound: SoundName = ""
    source: SourceText = ""
    headless: bool = False
    ports: str | None = None
    hardware: str | None = None
    faults: str | None = None
    calibration: str | None = None
    siblings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an invalid configuration of a real robot.

        Raises:
            ValueError: a number is not finite, or a real robot has an autopilot, another pace than
                real time, or settings of a simulation.
        """
        super().__post_init__()
        if self.body != "real":
            return
        if self.pace != "real":
            raise ValueError("the real robot runs at --pace real only")
        if self.autopilot:
            raise ValueError("the real robot is operated by people, not by the autopilot")
        room = self.slope or self.friction is not None or self.payload_kg or self.pushes
        if room or self.plant is not None:
            text = "ground, payload, pushes and plants are for a simulation, not for the robot"
            raise ValueError(text)
