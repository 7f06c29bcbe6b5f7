"""The horizontal force of a push on the robot, as an offset of its centre of mass."""

import math

import numpy as np

from core.compiled import bind, compiled
from core.constants import GRAVITY
from core.plants.biped.settings import Pushed
from core.records import Record, make_record, record_of
from devices.interface import Floats

PATIENCE_S = 2.0  # a force that lasts longer is the robot's own
SETTLING_S = 1.2  # of standing or stepping after a start, in which every force is its own
KNOWN_S = 0.3  # of standing with a small bias that does not change: then it is known sooner
KNOWN_SHARE = 0.25  # of the offset that is noticed, below which no force changes
SETTLING_RATE = 20.0  # at which it is learned then [1/s]


@compiled
def velocity_about_ground(body: Record, mass: float, scale: float) -> tuple[float, float]:
    """Return the effective velocity about the ground below the CoM, world axes (2) [m/s].

    Args:
        body: `RobotModel.body`.
        mass: [kg].
        scale: 1 / (m h) of the pendulum [1/(kg·m)].
    """
    momentum = body[0].momentum
    return momentum[0] / mass + scale * momentum[4], momentum[1] / mass - scale * momentum[3]


@compiled
def planned_rate(
    body: Record, feet: Record, points: Floats, forces: Floats, mass: float, scale: float
) -> tuple[float, float]:
    """Return the rate of the effective velocity that contact forces make, world axes (2) [m/s²].

    Args:
        body: `RobotModel.body`.
        feet: `RobotModel.feet`.
        points: of the contacts, in the frames of the soles (2, p, 3) [m].
        forces: at the points, world axes (2 p, 3) [N].
        mass: [kg].
        scale: 1 / (m h) of the pendulum [1/(kg·m)].
    """
    com, count = body[0].com, points.shape[1]
    rate_x = rate_y = 0.0
    for side in range(2):
        sole, r = feet[0].positions[side], feet[0].rotations[side]
        for k in range(count):
            p, f = points[side, k], forces[side * count + k]
            x = sole[0] - com[0] + r[0, 0] * p[0] + r[0, 1] * p[1] + r[0, 2] * p[2]
            y = sole[1] - com[1] + r[1, 0] * p[0] + r[1, 1] * p[1] + r[1, 2] * p[2]
            z = sole[2] - com[2] + r[2, 0] * p[0] + r[2, 1] * p[1] + r[2, 2] * p[2]
            rate_x += f[0] / mass + scale * (z * f[0] - x * f[2])
            rate_y += f[1] / mass + scale * (z * f[1] - y * f[2])
    return rate_x, rate_y


@compiled
def observe_force(
    constants: Record,
    memory: Record,
    offset: Floats,
    bias: Floats,
    body: Record,
    feet: Record,
    points: Floats,
    forces: Floats,
    mass: float,
    omega2: float,
    yaw: float,
    bias_rate: float,
) -> bool:
    """Advance the observer by a tick (a Luenberger observer); return whether it finds a push.

    Args:
        constants: `rate`, the double pole of the observer [1/s], `largest`, `noticed` and
            `largest_bias` [m], and the period `dt` of the tick [s].
        memory: in place, the observed effective `velocity` (2) [m/s], the `raw` offset (2) [m],
            and the `bias` in the heading frame (2) [m].
        offset: output, world axes (2) [m].
        bias: output, world axes (2) [m].
        body: `RobotModel.body`; a momentum that is not finite teaches nothing.
        feet: see `planned_rate`.
        points: see `planned_rate`.
        forces: of the last command at the points (2 p, 3) [N].
        mass: [kg].
        omega2: square of the pendulum's natural frequency [1/s²].
        yaw: of the heading [rad]; one that is not finite leaves the bias as it is.
        bias_rate: at which the raw offset becomes bias [1/s].
    """
    rate, largest, noticed = constants[0].rate, constants[0].largest, constants[0].noticed
    dt = constants[0].dt
    observed, raw, own = memory[0].velocity, memory[0].raw, memory[0].bias
    cos, sin = math.cos(yaw), math.sin(yaw)
    if bias_rate > 0.0 and np.isfinite(yaw):
        share, most = bias_rate * dt, constants[0].largest_bias
        own[0] = min(most, max(-most, own[0] + share * (cos * raw[0] + sin * raw[1])))
        own[1] = min(most, max(-most, own[1] + share * (cos * raw[1] - sin * raw[0])))
    turned = cos * own[0] - sin * own[1], sin * own[0] + cos * own[1]
    scale = omega2 / (mass * GRAVITY)
    planned = planned_rate(body, feet, points, forces, mass, scale)
    measured = velocity_about_ground(body, mass, scale)
    for i in range(2):
        error = measured[i] - observed[i]
        # The push does not explain what the bias now explains.
        if np.isfinite(turned[i]):
            raw[i] -= turned[i] - bias[i]
            bias[i] = turned[i]
        step = dt * (planned[i] + omega2 * (bias[i] + raw[i]) + 2.0 * rate * error)
        if np.isfinite(step):
            observed[i] += step
            found = raw[i] + dt * rate * rate / omega2 * error
            raw[i] = min(largest, max(-largest, found))
    size = np.hypot(raw[0], raw[1])
    # Friction and noise make a small offset of no push: it counts in full from twice as much on.
    share = min(1.0, max(0.0, size / noticed - 1.0))
    for i in range(2):
        offset[i] = share * raw[i]
    return bool(share > 0.0)


class ForceObserver:
    """Finds the horizontal force of a push, whatever the feet do.

    The weight, the forces at the contacts and the push turn the robot about the ground. Joints
    controlled by torque realise the contact forces of the command almost exactly, and the rest is
    the push's. A horizontal force F at the height z turns a pendulum of mass m like an offset
    F z / (m g) of its centre of mass.

    The turning is observed as the effective velocity u = v + L / (m h), with the angular momentum L
    about the centre of mass (`pendulum`), because the controller shares what it cannot realise
    between acceleration and rotation: the velocity alone tells about a third of an offset.

    A robot that differs from its model, or whose IMU is turned in its mount, seems to be pushed
    for ever. While it stands still it learns this bias as an offset of its own centre of mass, so
    that only a change counts as a push; a push teaches nothing unless it lasts.

    Args:
        settings: of a robot that answers to pushes; None: `offset` and `bias` stay zero.
        body: `RobotModel.body`.
        feet: `RobotModel.feet`.
        offset: array that takes the offset (2).
        bias: array that takes the bias (2).
        dt: period of the tick [s].

    Attributes:
        offset: of the centre of mass, world axes (2) [m]; friction and noise give none, nor does a
            force from a robot that has not stood for long enough to know its bias.
        raw: the same without a threshold (2) [m].
        bias: true minus modelled centre of mass, world axes (2) [m].
    """

    def __init__(
        self,
        settings: Pushed | None,
        body: Record,
        feet: Record,
        offset: Floats,
        bias: Floats,
        dt: float,
    ) -> None:
        self._watches = settings is not None
        rate, largest, noticed, most, self._bias_rate = 0.0, 0.0, 1.0, 0.0, 0.0
        if settings is not None:
            rate, largest, most = (
                settings.observer_rate,
                settings.largest_offset,
                settings.largest_bias,
            )
            noticed, self._bias_rate = max(settings.noticed_offset, 1e-6), settings.bias_rate
        self._constants = record_of(
            rate=rate, largest=largest, noticed=noticed, largest_bias=most, dt=dt
        )
        self._memory = make_record(velocity=2, raw=2, bias=2)
        self.offset = offset
        self.bias = bias
        self.raw: Floats = self._memory["raw"][0]
        self._velocity: Floats = self._memory["velocity"][0]
        self._body, self._feet = body, feet
        self._dt = dt
        self._fresh = True
        self._pushed_s = self._stood_s = self._known_s = 0.0
        self._noticed = noticed
        self.attach(np.zeros((2, 3)), np.zeros((2, 1, 3)))

    def attach(self, forces: Floats, points: Floats) -> None:
        """Learn from the contact forces of the command.

        Args:
            forces: overwritten at every tick (2 p, 3) [N].
            points: where they act, in the frames of the soles (2, p, 3) [m].
        """
        assert forces.shape == (points.shape[0] * points.shape[1], 3)
        memory = self._constants, self._memory, self.offset, self.bias
        self._observe = bind(observe_force, *memory, self._body, self._feet, points, forces)

    def watch(
        self, mass: float, omega: float, yaw: float, stands: bool, rests: bool, steps: bool
    ) -> None:
        """Learn from a tick.

        Args:
            mass: of the robot [kg].
            omega: the pendulum's natural frequency [1/s].
            yaw: of the heading [rad].
            stands: it stands on both feet, and nobody is known to hold or pull it.
            rests: its centre of mass hardly moves.
            steps: it steps.
        """
        if not self._watches:
            return
        if self._fresh:
            scale = omega * omega / (mass * GRAVITY)
            self._velocity[:] = velocity_about_ground(self._body, mass, scale)
            self._fresh = not np.isfinite(self._velocity).all()
        bias_rate = 0.0
        if stands and self.settles:
            bias_rate = SETTLING_RATE
        elif stands and rests and not 0.0 < self._pushed_s < PATIENCE_S:
            bias_rate = self._bias_rate
        if stands or steps:
            self._stood_s += self._dt
        pushed = self._observe(mass, omega * omega, yaw, bias_rate)
        if self.settles:
            # A large offset may be the hand of somebody who has not let go yet.
            small = math.hypot(*(self.raw + self.bias)) < self._noticed
            known = stands and small and math.hypot(*self.raw) < KNOWN_SHARE * self._noticed
            self._known_s = self._known_s + self._dt if known else 0.0
            self.offset[:], pushed = 0.0, False
        self._pushed_s = self._pushed_s + self._dt if pushed else 0.0

    @property
    def settles(self) -> bool:
        """The robot has not been on its feet for long enough since its start to know its bias."""
        return self._watches and self._stood_s < SETTLING_S and self._known_s < KNOWN_S

    def forget(self) -> None:
        """Begin anew: the robot flies."""
        self._fresh = True
        self.raw[:] = self.offset[:] = 0.0

    def start(self) -> None:
        """Begin anew, without a bias: people have held the robot, and may have changed it."""
        self.forget()
        self._memory["bias"][0] = self.bias[:] = 0.0
        self._pushed_s = self._stood_s = self._known_s = 0.0
