"""The kernels of the walker: the computations of every tick of a step."""

import math
from typing import Any

from core.compiled import compiled
from core.plants.biped.walk.adaptation import learn_offset, rise
from core.plants.biped.walk.footstep import Reach, Walking, footstep, may_close
from core.plants.biped.walk.pendulum import effective_velocity, periodic
from core.plants.biped.walk.swing import swing_path
from core.records import Record
from devices.interface import Floats

STILL_SPEED = 1e-3  # commands below this do not start a walk [m/s], [rad/s]
LEAST_SHARE = 0.02  # of the force limit that a foot on the ground has


@compiled
def follow_command(command: Floats, limits: Floats, velocity: Floats) -> bool:
    """Lead the velocity (3) toward a command within limits; return whether either is a motion.

    Args:
        command: forward, to the left, and yaw rate (3) [m/s, m/s, rad/s]; NaN and infinity
            count as zero.
        limits: largest magnitudes, and largest changes in this tick (2, 3).
        velocity: the velocity that is being walked, in place (3).
    """
    moves = False
    for i in range(3):
        target = command[i] if math.isfinite(command[i]) else 0.0
        target = min(limits[0, i], max(-limits[0, i], target))
        velocity[i] += min(limits[1, i], max(-limits[1, i], target - velocity[i]))
        moves = moves or command[i] != 0.0 or abs(velocity[i]) > STILL_SPEED
    return moves


@compiled
def follow_height(
    target: float,
    height: float,
    rate: float,
    fastest: float,
    largest_change: float,
    gain: float,
    dt: float,
) -> tuple[float, float]:
    """Move the CoM's height and its rate toward the desired height; return both.

    Args:
        target: the desired height [m].
        height: the present reference [m].
        rate: its rate [m/s].
        fastest: largest rate [m/s].
        largest_change: of the rate in this tick [m/s].
        gain: of the rate, by the way to go [1/s].
        dt: of the tick [s].
    """
    wanted = min(fastest, max(-fastest, gain * (target - height)))
    rate += min(largest_change, max(-largest_change, wanted - rate))
    return height + rate * dt, rate


@compiled
def share_load(
    gait: Record,
    memory: Record,
    targets: Record,
    now_s: float,
    swing_side: int,
    stance_side: int,
) -> None:
    """Write the feet's force limits [N]: a new contact's rises, the leaving foot's falls.

    Args:
        gait: `gait_record`.
        memory: `walk_memory`.
        targets: `LegReference.record`, with the output `load_limit` (2).
        now_s: the tick's time [s].
        swing_side: the foot in the air, -1 if none is.
        stance_side: the foot that a step stands on, -1 between steps.
    """
    since_s, load_s = memory[0].loaded_since_s, gait[0].load_s
    for side in range(2):
        share = min(1.0, max(LEAST_SHARE, (now_s - since_s[side]) / load_s))
        if side == swing_side:
            share = 0.0
        elif stance_side >= 0 and side != stance_side:
            share = max(LEAST_SHARE, 1.0 - (now_s - since_s[stance_side]) / load_s)
        targets[0].load_limit[side] = gait[0].force_max * share


@compiled
def observe(
    gait: Record,
    memory: Record,
    body: Record,
    feet: Record,
    targets: Record,
    stance_side: int,
    scale: float,
    yaw: float,
    omega: float,
    dt: float,
    learns: bool,
) -> None:
    """Advance the pendulum's observer by a tick, and learn the CoM's offset from its innovation.

    The lever has the part of a push that the step expects, which follows the push slowly: a
    landing looks like a push for some hundredths of a second.

    Args:
        gait: `gait_record`.
        memory: `walk_memory`, in place.
        body: `RobotModel.body`.
        feet: `RobotModel.feet`.
        targets: `LegReference.record`, as the last tick left it.
        stance_side: the foot that the robot stands on.
        scale: 1 / (m h) [1/(kg·m)].
        yaw: of the heading [rad].
        omega: the pendulum's natural frequency [1/s].
        dt: of the tick [s].
        learns: the weight is surely on one foot.
    """
    com, sole, offset = body[0].com, feet[0].positions[stance_side], memory[0].offset[stance_side]
    lever, measured, u = memory[0].lever, memory[0].measured_velocity, memory[0].velocity
    cos, sin = math.cos(yaw), math.sin(yaw)
    ahead, left, bias, push = offset[0], offset[1], memory[0].bias, memory[0].push
    expected = memory[0].expected_push
    for i in range(2):
        wanted = gait[0].push_share * memory[0].believes[0] * push[i]
        expected[i] += gait[0].push_rate * dt * (wanted - expected[i])
    lever[0] = com[0] - sole[0] + bias[0] + (cos * ahead - sin * left) + expected[0]
    lever[1] = com[1] - sole[1] + bias[1] + (sin * ahead + cos * left) + expected[1]
    effective_velocity(com, sole, body[0].momentum, scale, measured)
    rate = omega * omega * dt
    u[0] += rate * (lever[0] - cos * targets[0].pressure[0])
    u[1] += rate * (lever[1] - sin * targets[0].pressure[0])
    x, y = measured[0] - u[0], measured[1] - u[1]
    gain = gait[0].momentum_rate * dt
    u[0] += gain * x
    u[1] += gain * y
    if learns:
        share, limit = gait[0].offset_rate * dt, gait[0].largest_offset
        ahead, left = cos * x + sin * y, cos * y - sin * x
        learn_offset(share, limit, memory[0].offset, stance_side, ahead, left)


@compiled
def place_foot(
    gait: Record,
    memory: Record,
    feet: Record,
    stance_side: int,
    yaw: float,
    until_s: float,
    step_s: float,
    omega: float,
) -> None:
    """Write where the swing foot shall land into `memory`.

    The step that begins with the landing ends with the desired velocity. A robot that turns has
    another heading then, to which the command is turned. The last step closes the stance if it can.

    Args:
        gait: `gait_record`.
        memory: `walk_memory`, with the outputs `target` (3) [m] and `closed` (1).
        feet: `RobotModel.feet`.
        stance_side: the foot that the robot stands on.
        yaw: of the heading [rad].
        until_s: time until the weight is on the swing foot [s].
        step_s: duration of a step [s].
        omega: the pendulum's natural frequency [1/s].
    """
    limits: Any = gait[0]
    walk: Any = memory[0]
    sole, lever, u = feet[0].positions[stance_side], walk.lever, walk.velocity
    cos, sin = math.cos(yaw), math.sin(yaw)
    forward, left = walk.command[0] + walk.correction[0], walk.command[1] + walk.correction[1]
    turn = walk.command[2] * (until_s + step_s)
    c, s = math.cos(turn), math.sin(turn)
    width, side_sign = walk.step_width[0], 1.0 if stance_side == 1 else -1.0
    position = (cos * lever[0] + sin * lever[1], cos * lever[1] - sin * lever[0])
    speed = (cos * u[0] + sin * u[1], cos * u[1] - sin * u[0])
    along = limits.closing_along
    # Without the corrections of the gait, which are learned of feet that land in a sway. By the
    # newest prediction: when it was decided 0.12 s before the landing, 8 of 160 leans made a
    # plant of spread 3 fall instead of 1.
    if walk.closes[0] > 0.0 and may_close(width, along, side_sign, position, speed, until_s, omega):
        walk.closed[0] = 1.0
        ahead, side = 0.0, side_sign * width
    else:
        walk.closed[0] = 0.0
        ahead, side = footstep(
            Reach(
                width + walk.widening[0], limits.reach_forward, limits.reach_out, limits.reach_in
            ),
            Walking(c * forward - s * left, s * forward + c * left, step_s, omega),
            side_sign,
            position,
            speed,
            until_s,
        )
        ahead += side_sign * walk.stagger[0]
        ahead = min(limits.reach_forward, max(-limits.reach_forward, ahead))
    dx, dy = cos * ahead - sin * side, sin * ahead + cos * side
    walk.target[0] = sole[0] + dx
    walk.target[1] = sole[1] + dy
    walk.target[2] = sole[2] + rise(walk.slope, limits.largest_rise, dx, dy)


@compiled
def move_pressure(
    gait: Record,
    memory: Record,
    body: Record,
    targets: Record,
    yaw: float,
    omega: float,
    step_s: float,
    until_s: float,
) -> None:
    """Write how far the pressure moves along a lone foot, so that the robot keeps its speed.

    A pendulum whose pressure is p ahead of its foot accelerates by omega² (x - p). In a periodic
    step the CoM is at x* and has the speed v*: p = x - x* + rate (v - v*) / omega² lets the error
    of the speed decay with the rate, whatever made it: a moving arm, a push or a misplaced foot.

    Args:
        gait: `gait_record`.
        memory: `walk_memory`.
        body: `RobotModel.body`.
        targets: `LegReference.record`, with the output `pressure` (1) [m].
        yaw: of the heading [rad].
        omega: the pendulum's natural frequency [1/s].
        step_s: expected duration of this step [s].
        until_s: time until the weight is on the next foot [s].
    """
    walk: Any = memory[0]
    velocity, lever, largest = body[0].com_velocity, walk.lever, gait[0].largest_pressure
    cos, sin = math.cos(yaw), math.sin(yaw)
    x, v = periodic(walk.command[0], omega, step_s, 0.5 * step_s - until_s)
    x_error = cos * lever[0] + sin * lever[1] - x
    v_error = cos * velocity[0] + sin * velocity[1] - v
    found = x_error + gait[0].pressure_rate * v_error / (omega * omega)
    targets[0].pressure[0] = min(largest, max(-largest, found)) if math.isfinite(found) else 0.0


@compiled
def advance_swing(
    gait: Record,
    memory: Record,
    feet: Record,
    targets: Record,
    stance_side: int,
    places: bool,
    yaw: float,
    until_s: float,
    step_s: float,
    omega: float,
    elapsed_s: float,
    duration_s: float,
) -> None:
    """Place the next footstep if that is open, and move the swing foot toward it.

    Args:
        gait: `gait_record`.
        memory: `walk_memory`.
        feet: `RobotModel.feet`.
        targets: `LegReference.record`, with the output `swing` (3, 3).
        stance_side: the foot that the robot stands on.
        places: the footstep may still change.
        yaw: see `place_foot`.
        until_s: see `place_foot`.
        step_s: see `place_foot`.
        omega: see `place_foot`.
        elapsed_s: since the foot left the ground [s].
        duration_s: of the swing [s].
    """
    if places:
        place_foot(gait, memory, feet, stance_side, yaw, until_s, step_s, omega)
    lift_off, target, swing = memory[0].lift_off, memory[0].target, targets[0].swing
    height = gait[0].apex - 0.5 * (lift_off[2] - target[2])
    swing_path(lift_off, target, height, elapsed_s / duration_s, duration_s, swing)
    late_s = elapsed_s - duration_s
    if late_s > 0.0:
        swing[0, 2] -= gait[0].late_descent_m_s * late_s
        swing[1, 2] = -gait[0].late_descent_m_s
