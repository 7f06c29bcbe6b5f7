"""The look at a point in the room, as an operator or a cue asks for it."""

from typing import TypeAlias

import numpy as np

from core.behave.errors import BehaveError
from core.behave.manager import MotionManager
from core.link.catalogue import marks as words
from core.link.catalogue import refusals as why
from core.link.place import LookAt
from core.link.statement import Statement
from core.plants.interface import Plant
from core.robot.line_of_sight import LineOfSight
from core.robot.profile import Profile
from core.tick.stage_place import StagePlace
from shows.marks import Place

EVERY_TICKS = 10  # between two computations of the angles
AHEAD_RAD = 3.0  # a point farther around is behind: the head stays on its side
SpacePoint: TypeAlias = tuple[float, float, float]


class GazeAtPoint:
    """Owns the point in the room at which the robot looks; the head follows it at every tick.

    Args:
        profile: profile of the robot.
        plant: owns the state of the body.
        manager: owns the head.
        place: the frame of the stage.

    Attributes:
        asked: the request by hand; None without one.
    """

    def __init__(
        self, profile: Profile, plant: Plant, manager: MotionManager, place: StagePlace
    ) -> None:
        self.asked: LookAt | None = None
        self._sight = None if profile.gaze is None else LineOfSight(profile)
        self._plant, self._manager, self._place = plant, manager, place
        self._looks = False
        self._shown: SpacePoint | None = None  # point of a cue
        self._refused: SpacePoint | None = None  # the one that a stick has ended
        self._tick = 0
        self._yaw = self._pitch = 0.0

    def start(self, command: LookAt) -> Statement | None:
        """Look at a point, or return the reason of the refusal."""
        if self._sight is None:
            return why.CANNOT_MOVE(text="this robot has no joints that turn a gaze")
        if not self._place.known:
            return words.PLACE_UNKNOWN()
        self.asked = command
        return None

    def end(self) -> None:
        """End the look by hand."""
        self.asked = None

    def hand_over(self) -> None:
        """End the look by hand; a stick has the head from now on."""
        self.asked, self._looks, self._refused = None, False, self._shown

    def follow(self, now_s: float, shown: SpacePoint | None, held: bool, active: bool) -> None:
        """Turn the head to the point of a cue or by hand; the hand precedes.

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
        asked = self.asked
        point = shown if asked is None else (asked.x, asked.y, asked.z)
        if point is None or self._sight is None or not (active and self._place.known):
            if self._looks:
                self._looks = False
                if not held:
                    self._manager.release_gaze(now_s)
            return
        if not self._looks or self._tick % EVERY_TICKS == 0:
            self._aim(self._sight, point)
        self._tick += 1
        self._looks = True
        self._turn(now_s)

    def _aim(self, sight: LineOfSight, point: SpacePoint) -> None:
        """Compute the angles of the head."""
        x, y, _ = self._place.in_world(Place(point[0], point[1], 0.0))
        state = self._plant.state
        at = np.array([x, y, point[2]])
        rotation, base = state.rotation_base_to_world, state.position_base_in_world
        yaw, pitch = sight.angles(state.q, rotation, base, at)
        if abs(yaw) > AHEAD_RAD and self._looks:
            yaw = abs(yaw) if self._yaw >= 0.0 else -abs(yaw)
        self._yaw, self._pitch = yaw, pitch

    def _turn(self, now_s: float) -> None:
        """Let the head follow; one that a person holds, or that cannot turn, does not."""
        try:
            turned = self._manager.joystick(now_s, self._yaw, self._pitch)
        except BehaveError:
            turned = False
        if not turned:
            self.asked = None
