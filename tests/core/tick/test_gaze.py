"""A simulated robot holds a point of the room: the head leads, the torso follows, it may turn."""

import math

import numpy as np
import pinocchio as pin

from core.link.commands import Command, ReleaseHead, StandUp, Walk
from core.link.place import LookAt, ShiftPoint
from core.robot.line_of_sight import LineOfSight
from core.safety.modes import Mode
from core.tick.sight_line import SpacePoint, seen_from
from tests.core.rig import SimulatedRig, profile

BEYOND = LookAt(1.2, 1.8, 1.2)  # farther to the side than is comfortable


class Watched:
    """A robot that looks, and how far its line of sight is truly from the point by hand."""

    def __init__(self) -> None:
        self.rig, self.sight = SimulatedRig(), LineOfSight(profile())
        self.last(0.2)
        self.last(2.2, StandUp())
        assert self.rig.mode is Mode.READY

    def last(self, time_s: float, first: Command | None = None, every: int = 0) -> list[float]:
        """Let time pass; return the error of the line of sight every 20 ms [rad].

        Args:
            time_s: time [s].
            first: command in the first tick.
            every: ticks after which it is repeated; 0: it is not.
        """
        found = []
        for tick in range(round(time_s / 1e-3)):
            due = first is not None and (tick % every == 0 if every else tick == 0)
            self.rig.tick(*((first,) if due and first is not None else ()))
            if tick % 20 == 19:
                found.append(self.error())
        return found

    def error(self) -> float:
        gaze = self.rig.performer.hand.gaze
        if gaze.asked is None:
            return math.nan
        truth, q = self.rig.body.truth(), self.rig.performer.plant.state.q
        rotation = pin.rpy.rpyToMatrix(truth.base_rpy)
        eye = self.sight.eye(q, rotation, truth.base_position)
        way = gaze._in_world(gaze.asked) - eye
        looks = self.sight.direction(q, rotation)
        return math.acos(min(1.0, float(looks @ way / np.linalg.norm(way))))

    def eye_bearing(self, point: SpacePoint) -> float:
        """Return the azimuth of a point of the stage, as seen from the eye [rad]."""
        state = self.rig.performer.plant.state
        rotation, base = state.rotation_base_to_world, state.position_base_in_world
        at = self.rig.performer.hand.gaze._in_world(point)
        return seen_from(self.sight.eye(state.q, rotation, base), at).azimuth

    @property
    def head(self) -> float:
        joint = profile().joint_names.index("head_yaw")
        return float(self.rig.performer.plant.state.q[joint])

    @property
    def torso(self) -> float:
        """Yaw of the torso from the heading of the soles [rad]."""
        plant = self.rig.performer.plant
        return float(plant.state.rpy[2] - plant.place()[2])


def test_the_head_leads_the_torso_follows_and_a_turning_robot_keeps_its_eyes_on_the_point() -> None:
    robot = Watched()
    robot.last(0.5, BEYOND)
    assert robot.head > 0.7 and abs(robot.torso) < 0.05, "the head is there before the torso"
    errors = robot.last(2.5)
    assert robot.torso > 0.15 and robot.head < 0.85, "the torso takes over"
    assert max(errors[30:]) < math.radians(1.0), "while it turns, the eyes stay"
    turns = robot.last(5.0, Walk(yaw_rate=0.3), every=100)
    assert robot.rig.performer.plant.place()[2] > 0.5
    assert np.median(turns) < math.radians(0.6) and max(turns) < math.radians(3.0)
    asked = robot.rig.performer.hand.gaze.asked
    assert asked is not None
    before = robot.eye_bearing(asked)
    shifted = robot.last(1.0, ShiftPoint(left=-0.5), every=40)
    asked = robot.rig.performer.hand.gaze.asked
    assert asked is not None
    moved = robot.eye_bearing(asked) - before
    assert -0.55 < moved < -0.3, "the stick moves the point, not the head"
    assert max(shifted) < math.radians(6.0)
    robot.last(1.5, ReleaseHead())
    assert robot.rig.performer.hand.gaze.asked is None and abs(robot.head) < 0.3
    assert robot.rig.performer.falls == 0
