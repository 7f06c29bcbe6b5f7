"""The steps of a recipe as data, and their functions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from shows.errors import ShowError
from shows.fields import MAX_MOTION_S, MotionSeconds, Name, Text
from shows.joints import JointTable
from shows.motion import Motion, mirror_motion
from shows.process.amplitude import scale_amplitude
from shows.process.curves import Curve, evaluate
from shows.process.layer import LayerMode, layer
from shows.process.loop import loop
from shows.process.repair import MAX_WINDOW_S, repair
from shows.process.retime import retime, retime_between, retime_markers
from shows.process.reverse import reverse
from shows.process.sampling import sample_times
from shows.process.slow import slow_to_limits
from shows.process.smooth import smooth
from shows.process.trim import trim

Find: TypeAlias = Callable[[str], Motion]
Positive: TypeAlias = Annotated[float, Meta(gt=0.0, le=1000.0)]
Duration: TypeAlias = Annotated[float, Meta(gt=0.0, le=MAX_MOTION_S)]
Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Position: TypeAlias = Annotated[float, Meta(ge=-100.0, le=100.0)]


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="step"):
    """A step: immutable; refuses unknown keys."""


class Trim(_Step, frozen=True, tag="trim"):
    """Keep a span (see `trim`)."""

    start_s: MotionSeconds
    end_s: MotionSeconds


class Smooth(_Step, frozen=True, tag="smooth"):
    """Remove the components above a bandwidth (see `smooth`)."""

    bandwidth_hz: Positive


class Repair(_Step, frozen=True, tag="repair", kw_only=True):
    """Replace outliers, dropouts and lost spans (see `repair`)."""

    tolerance_rad: Positive = 0.02
    window_s: Annotated[float, Meta(gt=0.0, le=MAX_WINDOW_S)] = 0.1
    threshold: Positive = 5.0
    longest_dropout_s: Duration = 0.5
    lost: Annotated[tuple[tuple[MotionSeconds, MotionSeconds], ...], Meta(max_length=1000)] = ()


class Keys(_Step, frozen=True, tag="keys"):
    """Replace some joints by curves that a person has edited.

    Attributes:
        curves: the curve of each joint, by the joint's name.
        fitted_rad: largest error of the fit that made them; None once a key was edited [rad].
    """

    curves: Annotated[dict[str, Curve], Meta(min_length=1, max_length=256)]
    fitted_rad: Annotated[float, Meta(gt=0.0, le=1.0)] | None = None


class Mirror(_Step, frozen=True, tag="mirror"):
    """Exchange left and right (see `mirror_motion`)."""


class Retime(_Step, frozen=True, tag="retime"):
    """Change the duration by a factor (see `retime`)."""

    factor: Positive


class RetimeBetween(_Step, frozen=True, tag="retime_between"):
    """Move moments to other times (see `retime_between`)."""

    anchors: Annotated[
        tuple[tuple[MotionSeconds, MotionSeconds], ...], Meta(min_length=1, max_length=1000)
    ]


class RetimeMarkers(_Step, frozen=True, tag="retime_markers"):
    """Move markers to other times (see `retime_markers`)."""

    times_s: Annotated[dict[Text, MotionSeconds], Meta(min_length=1, max_length=1000)]


class SlowToLimits(_Step, frozen=True, tag="slow_to_limits"):
    """Slow down where the robot's limits demand it (see `slow_to_limits`)."""


class Loop(_Step, frozen=True, tag="loop"):
    """Fade the end into the beginning (see `loop`)."""

    blend_s: Duration


class Layer(_Step, frozen=True, tag="layer", kw_only=True):
    """Lay another motion over this one (see `layer`).

    Attributes:
        motion: name of the motion above.
    """

    motion: Name
    weight: Share = 1.0
    mode: LayerMode = "replace"
    start_s: MotionSeconds = 0.0
    fade_in_s: MotionSeconds = 0.5
    fade_out_s: MotionSeconds = 0.5


class Reverse(_Step, frozen=True, tag="reverse"):
    """Play backward (see `reverse`)."""


class ScaleAmplitude(_Step, frozen=True, tag="scale_amplitude"):
    """Make the motion larger or smaller about a pose (see `scale_amplitude`)."""

    factor: Annotated[float, Meta(ge=0.0, le=100.0)]
    about: Literal["mean", "first"] | dict[str, Position] = "mean"


Step: TypeAlias = (
    Trim
    | Smooth
    | Repair
    | Keys
    | Mirror
    | Retime
    | RetimeBetween
    | RetimeMarkers
    | SlowToLimits
    | Loop
    | Layer
    | Reverse
    | ScaleAmplitude
)


def perform(step: Step, motion: Motion, joints: JointTable, find: Find) -> Motion:
    """Return a motion after one step.

    Args:
        step: the step.
        motion: the motion before it.
        joints: the robot's joints and limits.
        find: returns the motion of a name, for a layer.

    Raises:
        ShowError: the step does not fit the motion; or `find` refused.
    """
    match step:
        case Trim():
            return trim(motion, step.start_s, step.end_s)
        case Smooth():
            return smooth(motion, step.bandwidth_hz)
        case Repair():
            return repair(motion, **msgspec.structs.asdict(step))[0]
        case Keys():
            return _with_curves(motion, step.curves)
        case Mirror():
            return mirror_motion(motion, joints)
        case Retime():
            return retime(motion, step.factor)
        case RetimeBetween():
            return retime_between(motion, step.anchors)
        case RetimeMarkers():
            return retime_markers(motion, step.times_s)
        case SlowToLimits():
            return slow_to_limits(motion, joints)
        case Loop():
            return loop(motion, step.blend_s)
        case Layer():
            return layer(
                motion,
                find(step.motion),
                step.weight,
                mode=step.mode,
                start_s=step.start_s,
                fade_in_s=step.fade_in_s,
                fade_out_s=step.fade_out_s,
            )
        case Reverse():
            return reverse(motion)
        case ScaleAmplitude():
            return scale_amplitude(motion, step.factor, step.about)
        case _:
            assert_never(step)


def _with_curves(motion: Motion, curves: dict[str, Curve]) -> Motion:
    """Return a motion with some joints replaced by curves."""
    positions = motion.positions.copy()
    times_s = sample_times(len(positions), motion.rate_hz)
    for joint, curve in curves.items():
        if joint not in motion.joint_names:
            raise ShowError(
                motion.name,
                f"curve of {joint}",
                "the motion does not move this joint",
                f"give curves of {', '.join(motion.joint_names)} only",
            )
        positions[:, motion.joint_names.index(joint)] = evaluate(curve, times_s)
    return replace(motion, positions=positions)
