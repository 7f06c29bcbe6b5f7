"""The idle motion of a robot as data: the table [idle] of its profile.

Amplitudes are added to the rest posture; those of a body's lengths are in m. A wander is a smooth
random walk between -1 and 1 between turning points at irregular times.
"""

from collections.abc import Collection, Iterator
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

Amplitude: TypeAlias = Annotated[float, Meta(ge=-1.0, le=1.0)]  # [rad]
Bound: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.5)]  # [rad]
Chance: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Period: TypeAlias = Annotated[float, Meta(ge=0.5, le=1000.0)]  # [s]
Seconds: TypeAlias = Annotated[float, Meta(ge=0.0, le=100.0)]
Frequency: TypeAlias = Annotated[float, Meta(gt=0.0, le=5.0)]  # [Hz]
Speed: TypeAlias = Annotated[float, Meta(gt=0.0, le=10.0)]  # [rad/s]
Number: TypeAlias = Annotated[float, Meta(ge=-10.0, le=10.0)]
Range: TypeAlias = Annotated[tuple[Number, ...], Meta(min_length=2, max_length=2)]
"""A draw of equal probability between two numbers."""
Figure: TypeAlias = Number | Range | str
"""A number, a draw, or the name of one of the fidget's common draws."""


PEAK_SPEED = 1.875
"""Largest speed of the quintic of `core.behave.idle.ease`, for a unit distance in unit time."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML table that refuses unknown keys."""


class Sway(Table, frozen=True, array_like=True):
    """A joint that wanders on its own: its name, amplitude [rad] and mean turning time [s]."""

    joint: str
    amplitude: Amplitude
    period_s: Period


class JointAmplitude(Table, frozen=True, array_like=True):
    """A joint in a common movement: its name and amplitude [rad]."""

    joint: str
    amplitude: Amplitude


class Breath(Table, frozen=True):
    """An oscillation of several joints, each of another length and depth.

    Attributes:
        period_s: mean length of a breath [s].
        spread: of their lengths, as the deviation of their logarithm.
        depth: largest deviation of their depth, as a fraction.
        joints: the joints and their amplitudes.
    """

    period_s: Period
    spread: Chance
    depth: Chance
    joints: tuple[JointAmplitude, ...]


class Weight(Table, frozen=True):
    """A common wander of several joints, as when the weight shifts from leg to leg.

    Attributes:
        period_s: mean turning time [s].
        joints: the joints and their amplitudes.
    """

    period_s: Period
    joints: tuple[JointAmplitude, ...]


class Fingers(Table, frozen=True):
    """Joints that wander together, such as the fingers of one hand.

    Attributes:
        name: seeds the wander; unique.
        joints: the joints.
        amplitude: [rad].
        period_s: turning time [s].
    """

    name: str
    joints: tuple[str, ...]
    amplitude: Amplitude
    period_s: Period


class Glances(Table, frozen=True):
    """Saccades of the gaze at irregular times, with the gaze held between them.

    Attributes:
        period_s: mean time from one glance to the next [s].
        saccade_speed: largest speed [rad/s].
        least_s: shortest duration of a saccade [s].
        near: largest yaw of a near glance [rad].
        near_chance: share of near glances.
        far: largest yaw of all others [rad].
        pitch: largest pitch [rad].
        pitch_by_yaw: pitch added for each radian of yaw, downward.
    """

    period_s: Period
    saccade_speed: Speed
    least_s: Seconds
    near: Bound
    near_chance: Chance
    far: Bound
    pitch: Bound
    pitch_by_yaw: Number

    @property
    def longest_s(self) -> float:
        """Duration of the longest saccade [s]."""
        pitch = 2.0 * self.pitch + abs(self.pitch_by_yaw) * self.far
        return max(self.least_s, PEAK_SPEED * max(2.0 * self.far, pitch) / self.saccade_speed)


class Swing(Table, frozen=True, array_like=True):
    """A joint's part in a fidget: an offset, and an oscillation about it.

    Attributes:
        joint: its name.
        lift: offset [rad].
        amplitude: of the oscillation [rad]; 0: none.
        frequency_hz: of the oscillation [Hz].
        phase: of the oscillation [rad].
    """

    joint: str
    lift: Figure
    amplitude: Figure = 0.0
    frequency_hz: Figure = 0.0
    phase: Figure = 0.0


class FidgetKind(Table, frozen=True, kw_only=True):
    """A small movement with random figures.

    Attributes:
        name: of the movement.
        draws: common draws by name, in the order of drawing.
        variants: lists of swings, of which one is chosen first.
    """

    name: str
    draws: dict[str, Range] = {}
    variants: Annotated[tuple[tuple[Swing, ...], ...], Meta(min_length=1)]


class Fidgets(Table, frozen=True):
    """Fidgets at irregular times; doing nothing is as likely as each kind.

    Attributes:
        period_s: mean time from one fidget to the next [s].
        length_s: range of its duration [s].
        fade_s: time in which it fades in, and out [s].
        kinds: the kinds of fidgets.
    """

    period_s: Period
    length_s: Range
    fade_s: Annotated[float, Meta(gt=0.0, le=10.0)]
    kinds: Annotated[tuple[FidgetKind, ...], Meta(min_length=1)]


class Idle(Table, frozen=True):
    """The idle motion of a robot; a part that is missing does not happen.

    Attributes:
        sway: joints that wander on their own.
        breath: breathing.
        weight: shifts of the weight.
        fingers: joints that wander together.
        glances: saccades of the gaze.
        fidgets: small movements of some seconds.
    """

    sway: tuple[Sway, ...] = ()
    breath: Breath | None = None
    weight: Weight | None = None
    fingers: tuple[Fingers, ...] = ()
    glances: Glances | None = None
    fidgets: Fidgets | None = None


def idle_faults(idle: Idle, joints: Collection[str], gaze: bool) -> Iterator[tuple[str, str]]:
    """Yield the place and the reason of each fault.

    Args:
        idle: the idle motion.
        joints: the joints that behaviour moves.
        gaze: whether the robot has joints that turn a gaze.
    """
    named = [("idle.sway", sway.joint) for sway in idle.sway]
    if idle.breath is not None:
        named += [("idle.breath.joints", row.joint) for row in idle.breath.joints]
    if idle.weight is not None:
        named += [("idle.weight.joints", row.joint) for row in idle.weight.joints]
    named += [("idle.fingers", joint) for fingers in idle.fingers for joint in fingers.joints]
    for kind in idle.fidgets.kinds if idle.fidgets is not None else ():
        place = f"idle.fidgets.kinds, {kind.name}"
        for swing in (swing for variant in kind.variants for swing in variant):
            named.append((place, swing.joint))
            for figure in (swing.lift, swing.amplitude, swing.frequency_hz, swing.phase):
                if isinstance(figure, str) and figure not in kind.draws:
                    yield place, f"draws has no {figure!r}; add it"
    for place, joint in named:
        if joint not in joints:
            yield place, f"no limb that behaviour moves has a joint {joint!r}; correct it"
    for name, found, least_s in (
        ("glances", idle.glances, 0.0 if idle.glances is None else idle.glances.longest_s),
        ("fidgets", idle.fidgets, 0.0 if idle.fidgets is None else idle.fidgets.length_s[1]),
    ):
        if found is not None and found.period_s <= least_s:
            yield f"idle.{name}.period_s", f"must be above {least_s:.2f} s, the length of one"
    if idle.glances is not None and not gaze:
        yield "idle.glances", "the robot has no gaze; add the table [gaze] or remove this one"
