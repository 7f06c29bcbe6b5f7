"""Commands from operators to the core."""

from typing import Annotated, TypeAlias

import msgspec

from core.link.body import LeadBody, ReleaseBody
from core.link.handset import HandsetMap
from core.link.improvised import PoseHands, Say, SetIdle
from core.link.message import (
    Angle,
    BlendTime,
    CueNumber,
    Cycles,
    DeviceName,
    Force,
    Groups,
    Inbound,
    JointAngle,
    Level,
    LoadKg,
    Name,
    PathText,
    PhraseName,
    PlaybackSpeed,
    Point,
    PushTime,
    Speed,
    YawRate,
)
from core.link.partner import EndFollow, Follow
from core.link.place import HoldPoint, LookAt, ShiftPoint, StandsAt, WalkTo
from core.link.take import TakePlan
from shows.fields import (
    FlightTime,
    MovingGait,
    StanceHeight,
    SwayAmplitude,
    SwayDirection,
    SwayFrequency,
)
from shows.gaits import Jump
from shows.limbs import LimbFeel, LimbFreedom


class StandUp(Inbound, tag=True, frozen=True):
    """Stand up from DAMPED and balance."""


class Settle(Inbound, tag=True, frozen=True):
    """Crouch under control, then go limp with damping."""


class Stop(Inbound, tag=True, frozen=True):
    """Software STOP: damp every joint now and latch. Needs no lease and is never refused."""


class Reset(Inbound, tag=True, frozen=True):
    """Release a latched stop or fault; leads to DAMPED only."""


class Hold(Inbound, tag=True, frozen=True):
    """Stand still and keep balancing."""


class Walk(Inbound, tag=True, frozen=True):
    """Walk at a velocity.

    Attributes:
        vx: forward velocity in the heading frame [m/s].
        vy: velocity to the left in the heading frame [m/s].
        yaw_rate: turning rate, positive to the left [rad/s].
        step: step in place at zero velocity.
        gait: walk or run; a run at zero velocity is a run in place.
        step_s: time from step to step [s]; 0: as the robot's profile says.
        flight_s: duration of a flight of a run [s]; 0: as the profile says.
        height: of the CoM between flights [m]; 0: as the profile says.
    """

    vx: Speed = 0.0
    vy: Speed = 0.0
    yaw_rate: YawRate = 0.0
    step: bool = False
    gait: MovingGait = "walk"
    step_s: FlightTime = 0.0
    flight_s: FlightTime = 0.0
    height: StanceHeight = 0.0


# Two commands are equal by their values, as all commands are; two requests never are.
class StartJump(Jump, Inbound, tag=True, frozen=True, eq=True):
    """Jump with both feet, once or several times in sequence.

    Refused unless the robot is READY or walks. HOLD, `Cancel` of all limbs and a velocity end it
    after the flight that has been pushed for.
    """


class Gesture(Inbound, tag=True, frozen=True):
    """Play a gesture of the loaded show or of the library.

    Attributes:
        name: name of the gesture; the show's gesture precedes the library's.
        groups: limbs that the gesture may use; None: all limbs that it moves.
        speed: playback speed; 1 is the authored speed.
        loop: play until cancelled.
        mirror: swap the sides.
        phrase: phrase that begins with the gesture; empty: none.
    """

    name: Name
    groups: Groups | None = None
    speed: PlaybackSpeed = 1.0
    loop: bool = False
    mirror: bool = False
    phrase: PhraseName = ""


class Cancel(Inbound, tag=True, frozen=True):
    """End the gesture of these limbs and return them to rest."""

    groups: Groups | None = None


class Freeze(Inbound, tag=True, frozen=True):
    """Stop these limbs in the middle of a motion (the photo pose)."""

    groups: Groups | None = None


class Unfreeze(Inbound, tag=True, frozen=True):
    """Resume a frozen motion at the point where it stopped."""

    groups: Groups | None = None


class Head(Inbound, tag=True, frozen=True):
    """Turn the head by hand: yaw positive to the left, pitch positive downward [rad]."""

    yaw: Angle
    pitch: Angle


class ReleaseHead(Inbound, tag=True, frozen=True):
    """Return the head to the show."""


class StartSway(Inbound, tag=True, frozen=True):
    """Sway or squat over standing feet: a sine of the body, blended in and out.

    Refused unless the robot is READY. HOLD, `Cancel` of all limbs, and every other motion of the
    legs end it.

    Attributes:
        direction: where the sine begins: to its left, forward, or up.
        amplitude_m: to each side, of the centre of mass; upward, of the body whose height the robot
            holds [m].
        frequency_hz: cycles in a second [Hz].
        cycles: number of cycles; 0: until it is ended.
    """

    direction: SwayDirection
    amplitude_m: SwayAmplitude
    frequency_hz: SwayFrequency
    cycles: Cycles = 0


class EndSway(Inbound, tag=True, frozen=True):
    """End the sway: the body returns to rest."""


class BackDrive(Inbound, tag=True, frozen=True):
    """Release limbs, so that a person can move them: mode RECORD.

    Refused unless the robot is READY or in RECORD already.

    Attributes:
        limbs: freedom of limbs by name; the others keep theirs. `driven`: behaviour moves it;
            `held`: it stays where it is; `floating`: it yields to a hand and stays where it is
            left; `limp`: without torque.
        feel: resistance of the floating limbs.
        loads_kg: mass at the grip of limbs by name; the others keep theirs, at first the one that
            the robot estimates [kg].
    """

    limbs: Annotated[dict[Name, LimbFreedom], msgspec.Meta(max_length=16)]
    feel: LimbFeel = "normal"
    loads_kg: Annotated[dict[Name, LoadKg], msgspec.Meta(max_length=16)] = {}


class EndBackDrive(Inbound, tag=True, frozen=True):
    """Take back every released limb and lead it to rest: RECORD ends."""


class StartTake(Inbound, tag=True, frozen=True):
    """Record a take, after its count-in."""

    plan: TakePlan


class EndTake(Inbound, tag=True, frozen=True):
    """End the take that is recorded, or cancel its count-in."""


class MarkTake(Inbound, tag=True, frozen=True):
    """Set a marker in the take; without a name it gets a number."""

    name: Annotated[str, msgspec.Meta(max_length=100)] = ""


class ArmTake(Inbound, tag=True, frozen=True):
    """Prepare the take that `ToggleTake` starts; None: it starts none."""

    plan: TakePlan | None = None


class ToggleTake(Inbound, tag=True, frozen=True):
    """End the take that is recorded, or start the one that is prepared."""


class GoToPose(Inbound, tag=True, frozen=True):
    """Lead limbs to a pose through TRANSITION, and keep it until it is cancelled.

    Attributes:
        angles: joint angles by name; the other joints of these limbs keep their present ones [rad].
        duration_s: duration of the transition; None: the default [s].
    """

    angles: Annotated[dict[Name, JointAngle], msgspec.Meta(min_length=1, max_length=256)]
    duration_s: BlendTime | None = None


class Go(Inbound, tag=True, frozen=True):
    """Start a cue, or the standby cue, and move the playhead."""

    cue: CueNumber | None = None


class PauseShow(Inbound, tag=True, frozen=True):
    """Pause the show clock."""


class ResumeShow(Inbound, tag=True, frozen=True):
    """Resume the show clock."""


class GoTo(Inbound, tag=True, frozen=True):
    """Put a cue on standby without starting it."""

    cue: CueNumber


class ResetShow(Inbound, tag=True, frozen=True):
    """End every cue and put the first one on standby."""


class LoadShow(Inbound, tag=True, frozen=True):
    """Load a show. The stagehand reads and checks it; the loaded show stays until it is ready.

    Refused while a cue runs; then nothing changes.

    Attributes:
        path: path of the folder or zip; empty unloads the show and keeps the library's gestures.
        keep_standby: the path holds another version of the loaded show: the cue on standby stays,
            or the next later cue of this version. Otherwise the first cue is on standby.
    """

    path: PathText
    keep_standby: bool = False


class Push(Inbound, tag=True, frozen=True):
    """Push the simulated torso with a constant force in the world frame [N] for a time [s].

    A new push of a sender replaces its last one, so that a pull by hand can be streamed.
    """

    fx: Force
    fy: Force
    fz: Force
    duration_s: PushTime


class Pull(Inbound, tag=True, frozen=True):
    """Pull a link of the simulated robot by hand: a spring of bounded force.

    A new pull of a sender replaces its last one, so that a pull can be streamed.

    Attributes:
        link: name of the link.
        point: point that the hand holds, in the link's frame [m].
        target: position to which the hand pulls it, in the world frame [m].
        duration_s: time after which the hand lets go [s].
    """

    link: Name
    point: Point
    target: Point
    duration_s: PushTime


class PutBack(Inbound, tag=True, frozen=True):
    """Put the simulated robot back where it started, and stand it up; the show stays as it is.

    Refused on a real robot, and while the joints are driven.
    """


class SetHandsetMap(Inbound, tag=True, frozen=True):
    """Change the layout of the handset's controls and save it for this robot.

    Refused unless the robot is OFF or DAMPED.

    Attributes:
        map: the new layout; None: the layout of the robot's profile.
    """

    map: HandsetMap | None = None


class Volume(Inbound, tag=True, frozen=True):
    """Set the master volume, 0 to 1; it may be streamed."""

    level: Level


class Mute(Inbound, tag=True, frozen=True):
    """Mute the sound while it plays on, or unmute it at the set volume."""

    on: bool = True


class UseSound(Inbound, tag=True, frozen=True):
    """Select the sound device with this name; empty: the device at the start of the core."""

    device: DeviceName = ""


class Shutdown(Inbound, tag=True, frozen=True):
    """End the core: settle if the robot stands, close the log, exit."""


Command: TypeAlias = (
    StandUp
    | Settle
    | Stop
    | Reset
    | Hold
    | Walk
    | Gesture
    | Say
    | PoseHands
    | SetIdle
    | Cancel
    | Freeze
    | Unfreeze
    | Head
    | ReleaseHead
    | LeadBody
    | ReleaseBody
    | StartJump
    | WalkTo
    | StandsAt
    | LookAt
    | HoldPoint
    | ShiftPoint
    | Follow
    | EndFollow
    | StartSway
    | EndSway
    | BackDrive
    | EndBackDrive
    | GoToPose
    | StartTake
    | EndTake
    | MarkTake
    | ArmTake
    | ToggleTake
    | Go
    | PauseShow
    | ResumeShow
    | GoTo
    | ResetShow
    | LoadShow
    | Push
    | Pull
    | PutBack
    | SetHandsetMap
    | Volume
    | Mute
    | UseSound
    | Shutdown
)
