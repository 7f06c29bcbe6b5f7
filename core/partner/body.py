"""The body of a person as a robot may follow it: centre of mass, trunk, feet and support.

Everything is in the robot's scale, on the floor, in the heading frame of the place where following
began. The centre of mass is fitted at the source, from samples as they come: a difference of two
samples would make the pressure jump by decimetres.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from devices.interface import Floats
from shows.human import INDEX, SIDES, heading, trunk_axes

FIT_S: Final = 0.24
MOST_SAMPLES: Final = 64
LEAST_SAMPLES: Final = 5
ON_SPEED, OFF_SPEED = 0.25, 0.5  # of a foot [m/s]
ON_HEIGHT_M, OFF_HEIGHT_M = 0.03, 0.05
DWELL_S: Final = 0.06

# Masses of the segments as shares, and where along each its centre lies, from its first joint
# (de Leva, Journal of Biomechanics 29(9), 1996, means of women and men).
_SEGMENTS: Final = (
    ("hips", "neck", 0.430, 0.45),
    ("neck", "head", 0.068, 1.00),
    *(
        (f"{side}_{first}", f"{side}_{last}", mass, along)
        for side in SIDES
        for first, last, mass, along in (
            ("upper_arm", "lower_arm", 0.0263, 0.576),
            ("lower_arm", "hand", 0.0150, 0.457),
            ("hand", "hand", 0.0059, 0.0),
            ("upper_leg", "lower_leg", 0.1447, 0.385),
            ("lower_leg", "foot", 0.0457, 0.443),
            ("foot", "toe", 0.0133, 0.421),
        )
    ),
)
_FIRST: Final = np.array([INDEX[first] for first, _, _, _ in _SEGMENTS])
_LAST: Final = np.array([INDEX[last] for _, last, _, _ in _SEGMENTS])
_MASS: Final = np.array([mass for _, _, mass, _ in _SEGMENTS]) / sum(m for _, _, m, _ in _SEGMENTS)
_ALONG: Final = np.array([along for _, _, _, along in _SEGMENTS])
_FEET: Final = np.array([[INDEX[f"{side}_{part}"] for part in ("foot", "toe")] for side in SIDES])


def centre_of_mass(positions: Floats) -> Floats:
    """Return the centre of mass of postures (..., 3) [m].

    Args:
        positions: of the joints (..., 22, 3) [m].
    """
    first, last = positions[..., _FIRST, :], positions[..., _LAST, :]
    centres = first + _ALONG[:, None] * (last - first)
    result: Floats = (_MASS[:, None] * centres).sum(axis=-2)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The body of a person at one instant, in the robot's scale.

    Attributes:
        stamp_s: [s].
        com: centre of mass (3) [m].
        com_velocity: (3) [m/s].
        com_acceleration: (3) [m/s²].
        trunk: roll, pitch and yaw of the trunk (3) [rad].
        feet: between ankle and toe, left and right (2, 3) [m].
        on: whether each foot stands (2).
    """

    stamp_s: float
    com: Floats
    com_velocity: Floats
    com_acceleration: Floats
    trunk: Floats
    feet: Floats = field(repr=False)
    on: tuple[bool, bool]


class BodyTracker:
    """Follows the body of one person.

    Args:
        scale: height of the robot by that of the person.
    """

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self.restart()

    def restart(self) -> None:
        """Forget the samples; the next one is the place where following begins."""
        self._samples: deque[tuple[float, Floats, Floats]] = deque(maxlen=MOST_SAMPLES)
        self._origin = np.zeros(3)
        self._turn = np.eye(3)
        self._heights = np.zeros(2)
        self._on = [True, True]
        self._differs_s = [0.0, 0.0]

    def follow(self, stamp_s: float, positions: Floats) -> Body | None:
        """Take a sample; return the body, or None until enough samples have come.

        A sample that is not newer than the one before is left out.

        Args:
            stamp_s: of the sample [s].
            positions: of the joints, the floor at z = 0 (22, 3) [m].
        """
        if self._samples and stamp_s <= self._samples[-1][0]:
            return None
        if not self._samples:
            self._begin(positions)
        placed = self._scale * (positions - self._origin) @ self._turn.T
        feet = placed[_FEET].mean(axis=1)
        self._samples.append((stamp_s, centre_of_mass(placed), feet))
        while stamp_s - self._samples[0][0] > FIT_S:
            self._samples.popleft()
        if len(self._samples) < LEAST_SAMPLES:
            return None
        times = np.array([time_s for time_s, _, _ in self._samples]) - stamp_s
        powers = np.stack((np.ones_like(times), times, 0.5 * times**2), axis=1)
        paths = np.array([np.concatenate((com[None], soles)) for _, com, soles in self._samples])
        fitted = np.linalg.lstsq(powers, paths.reshape(len(times), -1), rcond=None)[0]
        position, velocity, acceleration = fitted.reshape(3, 3, 3)
        self._judge_feet(stamp_s, feet, velocity[1:])
        axes = trunk_axes(placed)
        return Body(
            stamp_s,
            position[0],
            velocity[0],
            acceleration[0],
            _roll_pitch_yaw(axes),
            feet,
            (self._on[0], self._on[1]),
        )

    def _begin(self, positions: Floats) -> None:
        """Take the middle of the feet for the origin, and where the person faces for x."""
        feet = positions[_FEET].mean(axis=1)
        yaw = heading(positions)
        cosine, sine = np.cos(yaw), np.sin(yaw)
        self._turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        self._origin = np.array([*feet[:, :2].mean(axis=0), 0.0])
        self._heights = self._scale * feet[:, 2]

    def _judge_feet(self, stamp_s: float, feet: Floats, velocities: Floats) -> None:
        """Note which feet stand; a change counts once it has lasted."""
        for side in range(2):
            speed = float(np.linalg.norm(velocities[side]))
            height = float(feet[side, 2] - self._heights[side])
            if self._on[side]:
                differs = speed > OFF_SPEED or height > OFF_HEIGHT_M
            else:
                differs = speed < ON_SPEED and height < ON_HEIGHT_M
            if not differs:
                self._differs_s[side] = stamp_s
            elif stamp_s - self._differs_s[side] >= DWELL_S:
                self._on[side] = not self._on[side]
                self._differs_s[side] = stamp_s


def _roll_pitch_yaw(axes: Floats) -> Floats:
    """Return roll, pitch and yaw of a rotation (3, 3) [rad]."""
    roll = np.arctan2(axes[2, 1], axes[2, 2])
    pitch = np.arcsin(np.clip(-axes[2, 0], -1.0, 1.0))
    return np.array([roll, pitch, np.arctan2(axes[1, 0], axes[0, 0])])
