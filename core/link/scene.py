"""The pose, contacts and planned footstep of the robot, for a picture."""

from core.link.message import Outbound, Vector3


class Scene(Outbound, frozen=True):
    """The data of a picture of the robot, 30 times a second; world frame.

    Attributes:
        stamp_s: time on the core's clock [s].
        q: measured joint positions (n) [rad].
        q_reference: commanded joint positions, legs included; the measured position where none is
            commanded, as for a joint that only damps (n) [rad].
        base_position: estimated position of the torso [m].
        base_rpy: roll, pitch, yaw of the torso [rad].
        com: centre of mass [m].
        com_velocity: its velocity [m/s].
        capture_point: point at which the robot would come to rest by a step, x and y [m].
        soles: origin of the left and the right sole [m].
        sole_yaws: heading of each [rad].
        contact: each foot carries weight.
        contact_forces: planned force of the ground on left heel, left toe, right heel, right
            toe; zero while nothing is planned [N].
        support: corners of the support polygon, counter-clockwise: of both feet four or fewer, of
            one foot the two ends of its line, of none none [m].
        footstep: where the swing foot shall land, None while none swings [m].
        footstep_yaw: its heading there [rad].
        swing_side: 0 left, 1 right, -1 none.
        velocity: measured velocity of the torso in its heading frame, forward and left [m/s],
            and yaw rate [rad/s].
        body: measured coordinates of the body as a limb, in the order of `shows.body_limb.ROLES`;
            empty for a robot without it, or that does not balance [rad, m].
        body_reference: the commanded ones, likewise.
        external_force: force of every push on a simulated robot [N].
    """

    stamp_s: float
    q: tuple[float, ...] = ()
    q_reference: tuple[float, ...] = ()
    base_position: Vector3 = (0.0, 0.0, 0.0)
    base_rpy: Vector3 = (0.0, 0.0, 0.0)
    com: Vector3 = (0.0, 0.0, 0.0)
    com_velocity: Vector3 = (0.0, 0.0, 0.0)
    capture_point: tuple[float, float] = (0.0, 0.0)
    soles: tuple[Vector3, ...] = ()
    sole_yaws: tuple[float, ...] = ()
    contact: tuple[bool, ...] = ()
    contact_forces: tuple[Vector3, ...] = ()
    support: tuple[Vector3, ...] = ()
    footstep: Vector3 | None = None
    footstep_yaw: float = 0.0
    swing_side: int = -1
    velocity: Vector3 = (0.0, 0.0, 0.0)
    body: tuple[float, ...] = ()
    body_reference: tuple[float, ...] = ()
    external_force: Vector3 = (0.0, 0.0, 0.0)
