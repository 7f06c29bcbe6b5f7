"""The walker's kernels: what every tick of a step computes, in one call each."""

import math

from core.compiled import compiled
from core.walk.footstep import Reach, Walking, footstep
from core.walk.habits import rise
from core.walk.pendulum import effective_velocity
from devices.interface import Floats

STILL_SPEED = 1e-3  # commands below this are no wish to walk [m/s], [rad/s]
LEAST_SHARE = 0.02  # of the force limit that a foot on the ground has


@compiled
def follow_command(command: Floats, limits: Floats, steps: Floats, velocity: Floats) -> bool:
    """Lead the velocity (3) toward a command within limits; tell whether either is a motion.

    Args:
        command: forward, to the left, and yaw rate (3) [m/s, m/s, rad/s]; what is not finite
            counts as zero.
        limits: largest magnitudes (3).
        steps: largest changes in this tick (3).
        velocity: the velocity that is being walked, in place (3).
    """
    moves = False
    for i in range(3):
        wish = command[i] if math.isfinite(command[i]) else 0.0
        wish = min(limits[i], max(-limits[i], wish))
        velocity[i] += min(steps[i], max(-steps[i], wish - velocity[i]))
        moves = moves or command[i] != 0.0 or abs(velocity[i]) > STILL_SPEED
    return moves


@compiled
def share_load(
    now_s: float,
    since_s: Floats,
    load_s: float,
    force_max: float,
    swing_side: int,
    stance_side: int,
    limit: Floats,
) -> None:
    """Write the feet's force limits (2) [N]: a new contact's rises, the leaving foot's falls.

    Args:
        now_s: the tick's time [s].
        since_s: when each foot was loaded last (2) [s].
        load_s: how long loading takes [s].
        force_max: largest force of a contact point [N].
        swing_side: the foot in the air, -1 if none is.
        stance_side: the foot that a step stands on, -1 between steps.
        limit: where to.
    """
    for side in range(2):
        share = min(1.0, max(LEAST_SHARE, (now_s - since_s[side]) / load_s))
        if side == swing_side:
            share = 0.0
        elif stance_side >= 0 and side != stance_side:
            share = max(LEAST_SHARE, 1.0 - (now_s - since_s[stance_side]) / load_s)
        limit[side] = force_max * share


@compiled
def observe(
    com: Floats,
    sole: Floats,
    momentum: Floats,
    scale: float,
    yaw: float,
    ahead: float,
    left: float,
    omega: float,
    dt: float,
    gain: float,
    lever: Floats,
    measured: Floats,
    u: Floats,
) -> tuple[float, float]:
    """Advance the pendulum's observer by a tick; return its surprise forward and to the left.

    Args:
        com: modelled centre of mass (3) [m].
        sole: the stance sole (3) [m].
        momentum: centroidal momentum, linear then angular (6).
        scale: 1 / (m h) [1/(kg·m)].
        yaw: of the heading [rad].
        ahead: true minus modelled centre of mass, forward [m].
        left: the same, to the left [m].
        omega: the pendulum's natural frequency [1/s].
        dt: of the tick [s].
        gain: of the surprise.
        lever: where the believed CoM goes, from the stance sole, in world axes (2) [m].
        measured: where the measured effective velocity goes, in world axes (2) [m/s].
        u: the observer's effective velocity, in world axes (2) [m/s].

    Returns:
        Measured minus predicted effective velocity in the heading frame [m/s].
    """
    cos, sin = math.cos(yaw), math.sin(yaw)
    lever[0] = com[0] - sole[0] + (cos * ahead - sin * left)
    lever[1] = com[1] - sole[1] + (sin * ahead + cos * left)
    effective_velocity(com, sole, momentum, scale, measured)
    rate = omega * omega * dt
    u[0] += rate * lever[0]
    u[1] += rate * lever[1]
    x, y = measured[0] - u[0], measured[1] - u[1]
    u[0] += gain * x
    u[1] += gain * y
    return cos * x + sin * y, cos * y - sin * x


@compiled
def place_foot(
    sole: Floats,
    yaw: float,
    lever: Floats,
    u: Floats,
    side_sign: float,
    until_s: float,
    step_s: float,
    omega: float,
    velocity: Floats,
    correction: Floats,
    width: float,
    forward: float,
    out: float,
    inward: float,
    slope_x: float,
    slope_y: float,
    target: Floats,
) -> None:
    """Write where the swing foot shall land (3) [m].

    Args:
        sole: the stance sole (3) [m].
        yaw: of the heading [rad].
        lever: the CoM from the stance sole, in world axes (2) [m].
        u: effective velocity about the stance sole, in world axes (2) [m/s].
        side_sign: 1 if the swing foot is the left one, else -1.
        until_s: until the weight is over on it [s].
        step_s: how long a step takes [s].
        omega: the pendulum's natural frequency [1/s].
        velocity: asked for, in the heading frame (2 or more) [m/s].
        correction: to be added to it (2) [m/s].
        width: see `Reach` [m].
        forward: likewise.
        out: likewise.
        inward: likewise.
        slope_x: of the ground, along the world's x.
        slope_y: along its y.
        target: where to.
    """
    cos, sin = math.cos(yaw), math.sin(yaw)
    ahead, side = footstep(
        Reach(width, forward, out, inward),
        Walking(velocity[0] + correction[0], velocity[1] + correction[1], step_s, omega),
        side_sign,
        (cos * lever[0] + sin * lever[1], cos * lever[1] - sin * lever[0]),
        (cos * u[0] + sin * u[1], cos * u[1] - sin * u[0]),
        until_s,
    )
    dx, dy = cos * ahead - sin * side, sin * ahead + cos * side
    target[0] = sole[0] + dx
    target[1] = sole[1] + dy
    target[2] = sole[2] + rise(slope_x, slope_y, dx, dy)
