"""The look at a point in the room, as an operator or a cue asks for it."""

import math

import numpy as np

from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.link.catalogue import marks as words
from core.link.catalogue import refusals as why
from core.link.place import LookAt, ShiftPoint
from core.link.statement import Statement
from core.plants.interface import Plant
from core.robot.line_of_sight import LineOfSight
from core.robot.profile import Profile
from core.tick.sight_line import Seen, SpacePoint, point_of, seen_from, turned
from core.tick.stage_place import StagePlace
from core.tick.torso_turn import TorsoTurn
from devices.interface import Floats
from shows.body_limb import KIND
from shows.marks import Place

EVERY_TICKS = 10  # between two computations of the angles
AHEAD_RAD = 3.0  # a point farther around is behind: the head stays on its side
SHIFT_SILENCE_S = 0.25  # a shift that is not repeated within this time ends
_STILL = ShiftPoint()


class GazeAtPoint:
    """Owns the point in the room at which the robot looks.

    The head follows it at every tick, and the torso turns after the head where the point is far to
    the side.

    Args:
        profile: profile of the robot.
        plant: owns the state of the body.
        manager: owns head and body.
        place: the frame of the stage.

    Attributes:
        asked: the point by hand, frame of the stage [m]; None without one.
    """

    def __init__(
        self, profile: Profile, plant: Plant, manager: MotionManager, place: StagePlace
    ) -> None:
        self.asked: SpacePoint | None = None
        self._sight = None if profile.gaze is None else LineOfSight(profile)
        self._settings = look = profile.look
        self._plant, self._manager, self._place = plant, manager, place
        self._torso = TorsoTurn(look, manager.turn_reach)
        # A follower of a target that moves lags behind it by this time.
        self._lead_s = 2.0 / profile.motion.joystick_stiffness + 0.5 * EVERY_TICKS * profile.tick_s
        self._looks = False
        self._point: SpacePoint | None = None  # at which it looks
        self._shown: SpacePoint | None = None  # point of a cue
        self._refused: SpacePoint | None = None  # the one that a stick has ended
        self._shift, self._shift_s = _STILL, -math.inf
        self._far_m: float | None = None  # distance of the point by hand since its first shift
        self._tick, self._aimed_s = 0, -math.inf
        self._yaw = self._pitch = self._azimuth = 0.0

    def start(self, command: LookAt) -> Statement | None:
        """Look at a point, or return the reason of the refusal."""
        refusal = self._refusal()
        if refusal is None:
            self._ask((command.x, command.y, command.z))
        return refusal

    def hold(self) -> Statement | None:
        """Hold the point at which the robot looks, or return the reason of the refusal."""
        refusal = self._refusal()
        if refusal is None and self._sight is not None:
            self._ask(self._point or self._ahead(self._sight))
        return refusal

    def shift(self, now_s: float, command: ShiftPoint) -> None:
        """Shift the point by hand until a silence; without one nothing happens."""
        self._shift, self._shift_s = command, now_s

    def end(self) -> None:
        """End the look by hand."""
        self.asked = None

    def hand_over(self) -> None:
        """End the look by hand; a stick has the head from now on."""
        self.asked, self._looks, self._refused = None, False, self._shown

    def follow(self, now_s: float, shown: SpacePoint | None, held: bool, active: bool) -> None:
        """Turn head and torso to the point of a cue or by hand; the hand precedes.

        Args:
            now_s: time of the tick [s].
            shown: point of a cue, frame of the stage [m]; None without one.
            held: a cue holds the head in a direction.
            active: the mode lets the robot move.
        """
        self._shown = shown
        if shown is None or shown != self._refused:
            self._refused = None
        else:
            shown = None
        if not active:
            self.asked = None
        sight, looked = self._sight, self._looks
        self._point = self.asked or shown
        if self._point is None or sight is None or not (active and self._place.known):
            self._looks, self._point = False, None
            if looked and not held:
                self._manager.sticks.release_gaze(now_s)
        else:
            if not looked or self._tick % EVERY_TICKS == 0:
                self._aim(now_s, sight, self._point)
            self._tick += 1
            self._looks = True
            self._turn(now_s)
        self._turn_torso(now_s)

    def _refusal(self) -> Statement | None:
        """Return the reason for which the robot cannot look at a point now."""
        if self._sight is None:
            return why.CANNOT_MOVE(text="this robot has no joints that turn a gaze")
        return None if self._place.known else words.PLACE_UNKNOWN()

    def _ask(self, point: SpacePoint) -> None:
        self.asked, self._far_m, self._shift = point, None, _STILL

    def _ahead(self, sight: LineOfSight) -> SpacePoint:
        """Return the point at which the head looks, frame of the stage [m]."""
        state = self._plant.state
        rotation, base = state.rotation_base_to_world, state.position_base_in_world
        eye = sight.eye(state.q, rotation, base)
        seen = seen_from(eye, eye + sight.direction(state.q, rotation))
        return self._on_stage(point_of(eye, seen._replace(distance=self._settings.distance)))

    def _aim(self, now_s: float, sight: LineOfSight, point: SpacePoint) -> None:
        """Compute the angles of the head, and the azimuth for the torso."""
        elapsed_s, self._aimed_s = now_s - self._aimed_s, now_s
        state = self._plant.state
        rotation, base = state.rotation_base_to_world, state.position_base_in_world
        eye, at = sight.eye(state.q, rotation, base), self._in_world(point)
        seen = seen_from(eye, at)
        if self.asked is not None and now_s - self._shift_s <= SHIFT_SILENCE_S:
            seen = self._shifted(seen, min(elapsed_s, SHIFT_SILENCE_S))
            at = point_of(eye, seen)
            self.asked = self._on_stage(at)
        azimuth = math.remainder(seen.azimuth - self._plant.place()[2], 2.0 * math.pi)
        self._azimuth = self._on_its_side(azimuth, self._azimuth)
        # As the body moves, the point comes to meet it.
        turn = rotation @ state.angular_velocity_base_in_base
        drift = state.velocity_base_in_world + np.cross(turn, at - base)
        yaw, pitch = sight.angles(state.q, rotation, base, at - self._lead_s * drift)
        self._yaw, self._pitch = self._on_its_side(yaw, self._yaw), pitch

    def _on_its_side(self, angle: float, before: float) -> float:
        """Return the angle to a point [rad]; one that is behind stays on the side of before."""
        if abs(angle) > AHEAD_RAD and self._looks:
            return math.copysign(angle, before)
        return angle

    def _shifted(self, seen: Seen, elapsed_s: float) -> Seen:
        """Return the point by hand after a time of its shift, within the reach of the head."""
        if self._shift == _STILL:
            return seen
        if self._far_m is None:
            self._far_m = seen.distance
        gaze, joints = self._manager.joints.gaze, self._manager.joints
        assert gaze is not None, "the robot has a gaze"
        step = self._settings.shift_speed * elapsed_s
        left, up = step * self._shift.left, step * self._shift.up
        for angle, joint, wish in ((self._yaw, gaze.yaw, left), (self._pitch, gaze.pitch, -up)):
            if not joints.lower[joint] < angle < joints.upper[joint] and angle * wish > 0.0:
                left, up = (0.0, up) if joint == gaze.yaw else (left, 0.0)
        return turned(seen._replace(distance=self._far_m), left, up)

    def _turn(self, now_s: float) -> None:
        """Let the head follow; one that a person holds, or that cannot turn, does not."""
        try:
            is_turned = self._manager.sticks.lead_gaze(now_s, self._yaw, self._pitch)
        except BehaveError:
            is_turned = False
        if not is_turned:
            self.asked = None

    def _turn_torso(self, now_s: float) -> None:
        """Let the torso follow the head, or return."""
        torso, manager = self._torso, self._manager
        if manager.turn_reach > 0.0 and (self._looks or torso.active):
            frozen = manager.state(KIND) is MotionState.STOP
            torso.follow(now_s, self._azimuth if self._looks else None, frozen)
            manager.turn_body(torso.motion if torso.active else None)

    def _in_world(self, stage: SpacePoint) -> Floats:
        """Return a point of the stage in the world (3) [m]."""
        x, y, _ = self._place.in_world(Place(stage[0], stage[1], 0.0))
        return np.array([x, y, stage[2]])

    def _on_stage(self, world: Floats) -> SpacePoint:
        """Return a point of the world in the frame of the stage [m]."""
        x, y, z = world.tolist()
        on_stage = self._place.on_stage(Place(x, y, 0.0))
        return on_stage.x, on_stage.y, z
