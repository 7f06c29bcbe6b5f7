"""What operators ask of the core: commands in an envelope, and heartbeats."""

from typing import TypeAlias

from core.link.handset import HandsetMap
from core.link.message import (
    Angle,
    CueNumber,
    DeviceName,
    Force,
    Groups,
    Inbound,
    Level,
    Name,
    PathText,
    PlaybackSpeed,
    PushTime,
    Sender,
    Sequence,
    Speed,
    Stamp,
    YawRate,
)


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
    """Walk at a velocity; `step` steps in place even at zero velocity.

    Attributes:
        vx: forward velocity in the heading frame [m/s].
        vy: velocity to its left in the heading frame [m/s].
        yaw_rate: turning rate, positive to its left [rad/s].
        step: keep stepping when the velocity is zero.
    """

    vx: Speed = 0.0
    vy: Speed = 0.0
    yaw_rate: YawRate = 0.0
    step: bool = False


class Gesture(Inbound, tag=True, frozen=True):
    """Play a gesture of the loaded show or of the library.

    Attributes:
        name: of the gesture; where both have one of that name, the show's is meant.
        groups: limbs that it may have; None gives it every limb that it moves.
        speed: 1 is as authored.
        loop: play until cancelled.
        mirror: swap the sides.
    """

    name: Name
    groups: Groups | None = None
    speed: PlaybackSpeed = 1.0
    loop: bool = False
    mirror: bool = False


class Cancel(Inbound, tag=True, frozen=True):
    """End the gesture on these limbs and go back to rest."""

    groups: Groups | None = None


class Freeze(Inbound, tag=True, frozen=True):
    """Stop these limbs in the middle of a motion (the photo pose)."""

    groups: Groups | None = None


class Unfreeze(Inbound, tag=True, frozen=True):
    """Resume a frozen motion from exactly where it stopped."""

    groups: Groups | None = None


class Head(Inbound, tag=True, frozen=True):
    """Turn the head by hand: yaw positive to its left, pitch positive downward [rad]."""

    yaw: Angle
    pitch: Angle


class ReleaseHead(Inbound, tag=True, frozen=True):
    """Give the head back to the show."""


class Go(Inbound, tag=True, frozen=True):
    """Start a cue, or the standby cue, and move the playhead."""

    cue: CueNumber | None = None


class PauseShow(Inbound, tag=True, frozen=True):
    """Hold the show's clock."""


class ResumeShow(Inbound, tag=True, frozen=True):
    """Let the show's clock run on."""


class GoTo(Inbound, tag=True, frozen=True):
    """Put a cue on standby without starting it."""

    cue: CueNumber


class ResetShow(Inbound, tag=True, frozen=True):
    """End every cue and put the first on standby."""


class LoadShow(Inbound, tag=True, frozen=True):
    """Load a show: the stagehand reads and checks it, the loaded one stays until it is ready.

    Refused while a cue runs, and then nothing changes.

    Attributes:
        path: of its folder or zip; empty unloads the show, and the library's gestures stay.
        keep_standby: it is another version of the show that is loaded: the cue on standby stays,
            or the next one behind it that this version has. Else the first is on standby.
    """

    path: PathText
    keep_standby: bool = False


class Push(Inbound, tag=True, frozen=True):
    """Push the simulated torso with a constant force in the world frame [N] for a time [s].

    A sender's push ends the one before, so that a hand which pulls may be streamed.
    """

    fx: Force
    fy: Force
    fz: Force
    duration_s: PushTime


class SetHandsetMap(Inbound, tag=True, frozen=True):
    """Give the handset's controls another layout, and keep it for this robot.

    Refused unless the robot is OFF or DAMPED.

    Attributes:
        map: what the controls do from now on; None: what the robot's profile says.
    """

    map: HandsetMap | None = None


class Volume(Inbound, tag=True, frozen=True):
    """Set the volume of everything that sounds, 0 to 1; it may be streamed."""

    level: Level


class Mute(Inbound, tag=True, frozen=True):
    """Let everything go on unheard, or be heard again at the volume that is set."""

    on: bool = True


class UseSound(Inbound, tag=True, frozen=True):
    """Play through the sound device of this name; empty is the one that the core began with."""

    device: DeviceName = ""


class Shutdown(Inbound, tag=True, frozen=True):
    """End the core: settle if it stands, close the log, leave."""


Command: TypeAlias = (
    StandUp
    | Settle
    | Stop
    | Reset
    | Hold
    | Walk
    | Gesture
    | Cancel
    | Freeze
    | Unfreeze
    | Head
    | ReleaseHead
    | Go
    | PauseShow
    | ResumeShow
    | GoTo
    | ResetShow
    | LoadShow
    | Push
    | SetHandsetMap
    | Volume
    | Mute
    | UseSound
    | Shutdown
)


class Envelope(Inbound, frozen=True):
    """A command with who sent it.

    Attributes:
        sender: name of the sending process, unique to its life.
        sequence: increases by one with every message of this sender.
        stamp_s: when it was sent, on the host's monotonic clock [s].
        command: what is asked.
    """

    sender: Sender
    sequence: Sequence
    stamp_s: Stamp
    command: Command


class Heartbeat(Inbound, frozen=True):
    """A process says that it lives, every 100 ms.

    Attributes:
        sender: name of the sending process, unique to its life.
        sequence: increases by one with every message of this sender.
        stamp_s: when it was sent, on the host's monotonic clock [s].
        operator: a person stands behind it, whose absence holds the robot.
    """

    sender: Sender
    sequence: Sequence
    stamp_s: Stamp
    operator: bool = False
