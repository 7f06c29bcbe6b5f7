"""The walker's kernels: what every tick of a step computes, in one call each."""

import math

from core.compiled import compiled
from core.plants.biped.walk.adaptation import learn_offset, rise
from core.plants.biped.walk.footstep import Reach, Walking, footstep
from core.plants.biped.walk.pendulum import effective_velocity
from core.plants.biped.walk.swing import swing_path
from devices.interface import Floats

STILL_SPEED = 1e-3  # commands below this are no wish to walk [m/s], [rad/s]
LEAST_SHARE = 0.02  # of the force limit that a foot on the ground has


@compiled
def follow_command(command: Floats, limits: Floats, velocity: Floats) -> bool:
    """Lead the velocity (3) toward a command within limits; tell whether either is a motion.

    Args:
        command: forward, to the left, and yaw rate (3) [m/s, m/s, rad/s]; what is not finite
            counts as zero.
        limits: largest magnitudes, and largest changes in this tick (2, 3).
        velocity: the velocity that is being walked, in place (3).
    """
    moves = False
    for i in range(3):
        wish = command[i] if math.isfinite(command[i]) else 0.0
        wish = min(limits[0, i], max(-limits[0, i], wish))
        velocity[i] += min(limits[1, i], max(-limits[1, i], wish - velocity[i]))
        moves = moves or command[i] != 0.0 or abs(velocity[i]) > STILL_SPEED
    return moves


@compiled
def follow_height(
    wish: float, height: float, rate: float, fastest: float, largest_change: float, dt: float
) -> tuple[float, float]:
    """Lead the CoM's height and its rate toward a height asked for; return both.

    Args:
        wish: the height asked for [m].
        height: that is being kept [m].
        rate: of it [m/s].
        fastest: largest rate [m/s].
        largest_change: of the rate in this tick [m/s].
        dt: of the tick [s].
    """
    wanted = min(fastest, max(-fastest, 4.0 * (wish - height)))
    rate += min(largest_change, max(-largest_change, wanted - rate))
    return height + rate * dt, rate


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
    soles: Floats,
    stance_side: int,
    momentum: Floats,
    scale: float,
    yaw: float,
    omega: float,
    dt: float,
    gain: float,
    learns: bool,
    offset: Floats,
    pendulum: Floats,
) -> None:
    """Advance the pendulum's observer by a tick, and learn from its surprise if it is one.

    Args:
        com: modelled centre of mass (3) [m].
        soles: the left and the right one (2, 3) [m].
        stance_side: the foot that the robot stands on.
        momentum: centroidal momentum, linear then angular (6).
        scale: 1 / (m h) [1/(kg·m)].
        yaw: of the heading [rad].
        omega: the pendulum's natural frequency [1/s].
        dt: of the tick [s].
        gain: of the surprise.
        learns: the weight is surely on one foot.
        offset: true minus modelled centre of mass, forward and to the left, in place (2) [m].
        pendulum: in world axes, the believed CoM from the stance sole [m], the effective velocity
            as measured [m/s], and as the observer has it [m/s], in place (3, 2).
    """
    sole, lever, measured, u = soles[stance_side], pendulum[0], pendulum[1], pendulum[2]
    cos, sin = math.cos(yaw), math.sin(yaw)
    ahead, left = offset[0], offset[1]
    lever[0] = com[0] - sole[0] + (cos * ahead - sin * left)
    lever[1] = com[1] - sole[1] + (sin * ahead + cos * left)
    effective_velocity(com, sole, momentum, scale, measured)
    rate = omega * omega * dt
    u[0] += rate * lever[0]
    u[1] += rate * lever[1]
    x, y = measured[0] - u[0], measured[1] - u[1]
    u[0] += gain * x
    u[1] += gain * y
    if learns:
        learn_offset(offset, cos * x + sin * y, cos * y - sin * x)


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
    reach: Floats,
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
        reach: see `Reach` (4) [m].
        slope_x: of the ground, along the world's x.
        slope_y: along its y.
        target: where to.
    """
    cos, sin = math.cos(yaw), math.sin(yaw)
    ahead, side = footstep(
        Reach(reach[0], reach[1], reach[2], reach[3]),
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


@compiled
def advance_swing(
    now_s: float,
    since_s: Floats,
    load_s: float,
    force_max: float,
    stance_side: int,
    soles: Floats,
    places: bool,
    yaw: float,
    pendulum: Floats,
    until_s: float,
    step_s: float,
    omega: float,
    velocity: Floats,
    correction: Floats,
    reach: Floats,
    slope_x: float,
    slope_y: float,
    elapsed_s: float,
    duration_s: float,
    apex: float,
    descent: float,
    path: Floats,
    swing: Floats,
    limit: Floats,
) -> None:
    """Place the next footstep if it is open, move the swing foot toward it, share the load.

    Args:
        now_s: see `share_load`, as the next three and `limit` [s].
        since_s: likewise.
        load_s: likewise.
        force_max: likewise.
        stance_side: the foot that the robot stands on.
        soles: the left and the right one (2, 3) [m].
        places: the footstep is open still.
        yaw: see `place_foot`, as all down to the slopes.
        pendulum: see `observe`.
        until_s: see `place_foot`.
        step_s: likewise.
        omega: likewise.
        velocity: likewise.
        correction: likewise.
        reach: likewise.
        slope_x: likewise.
        slope_y: likewise.
        elapsed_s: since the foot left the ground [s].
        duration_s: of the swing [s].
        apex: of the path above the ground [m].
        descent: how fast a foot that is late looks for the ground [m/s].
        path: where the foot left the ground, and where it shall land, in place (2, 3) [m].
        swing: see `swing_path`'s `out`.
        limit: see `share_load`.
    """
    lift_off, target = path[0], path[1]
    if places:
        place_foot(
            soles[stance_side],
            yaw,
            pendulum[0],
            pendulum[2],
            1.0 if stance_side == 1 else -1.0,
            until_s,
            step_s,
            omega,
            velocity,
            correction,
            reach,
            slope_x,
            slope_y,
            target,
        )
    height = apex - 0.5 * (lift_off[2] - target[2])
    swing_path(lift_off, target, height, elapsed_s / duration_s, duration_s, swing)
    late_s = elapsed_s - duration_s
    if late_s > 0.0:
        swing[0, 2] -= descent * late_s
        swing[1, 2] = -descent
    share_load(now_s, since_s, load_s, force_max, 1 - stance_side, stance_side, limit)
