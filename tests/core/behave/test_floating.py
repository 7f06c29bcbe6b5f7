"""Limbs that a person moves: the law of a joint, and hand-overs without a jump."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.behave.errors import BehaveError
from core.behave.floating import Floating, Freedom
from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.robot.joint_table import joint_table
from devices.interface import Floats, JointCommand
from shows.body_limb import without_body
from tests.core.rig import floating_of, profile

ARM = "left_arm"
DRIVEN, HELD, FLOATING, LIMP = Freedom


class Bench:
    """The limbs of a robot at rest whose joints a test turns by hand."""

    def __init__(self) -> None:
        robot = profile()
        self.manager = MotionManager(joint_table(robot), robot.posture("rest"))
        self.q: Floats = robot.posture("rest")
        self.floating: Floating = floating_of(self.manager, self.q)
        self.gravity = np.full(len(self.q), 0.5)
        self.columns = [i for i, joint in enumerate(robot.joints.rows) if joint.limb == ARM]
        self.now_s = 1.0
        self.manager.update(self.now_s)

    def choose(self, freedom: Freedom, limb: str = ARM) -> None:
        self.floating.choose(self.now_s, {limb: freedom}, "normal")

    def tick(self) -> tuple[JointCommand, Floats]:
        """Return the command, and the reference of the arm."""
        self.now_s += 0.001
        self.floating.follow()
        reference = self.manager.update(self.now_s)
        command = JointCommand.zeros(len(self.q))
        joints = self.manager.joints
        index = list(joints.table_index[: joints.joint_count])
        command.q[index], command.kp[:], command.kd[:] = reference.q, profile().column("kp"), 1.0
        self.floating.apply(command, self.gravity)
        upper = [index.index(column) for column in self.columns]
        return command, reference.q[upper].copy()

    def torque(self, command: JointCommand) -> Floats:
        """Return what the arm's drives add at rest (3) [N·m]."""
        at = self.columns
        return command.tau[at] + command.kp[at] * (command.q[at] - self.q[at])


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_floating_joint_holds_until_it_is_turned_and_then_yields(bench: Bench) -> None:
    bench.choose(FLOATING)
    command, _ = bench.tick()
    assert bench.torque(command) == pytest.approx(bench.gravity[bench.columns])
    assert (command.kd[bench.columns] < 0.4).all() and (command.dq[bench.columns] == 0.0).all()
    start = bench.q.copy()
    pushes = []
    for step in range(400):
        bench.q[bench.columns] = start[bench.columns] + 0.001 * step
        command, _ = bench.tick()
        pushes.append(bench.torque(command) - bench.gravity[bench.columns])
    resistance = -np.array(pushes)
    most = 0.13 * np.array([2.819, 2.867, 1.069])
    assert resistance.max(axis=0) == pytest.approx(most, rel=0.02)
    assert (np.diff(resistance[:, 0]) > -1e-9).all()  # a spring first, then a constant


@given(st.lists(st.floats(-0.5, 0.5), min_size=1, max_size=8))
def test_the_anchor_is_never_farther_than_its_band(steps: list[float]) -> None:
    bench = Bench()
    bench.choose(FLOATING)
    for step in steps:
        bench.q[bench.columns] += step
        for _ in range(1000):  # it follows at 3 rad/s, and slower toward a wall
            command, _ = bench.tick()
        joints = without_body(joint_table(profile()))
        spring = np.abs(bench.torque(command) - bench.gravity[bench.columns])
        inside = (bench.q > joints.lower + 0.06) & (bench.q < joints.upper - 0.06)
        assert (spring[inside[bench.columns]] < 0.38).all()


def test_the_limits_are_walls(bench: Bench) -> None:
    bench.choose(FLOATING)
    limit = joint_table(profile()).upper[bench.columns[2]]
    bench.q[bench.columns[2]] = limit + 0.02
    for _ in range(4000):
        command, _ = bench.tick()
    push = bench.torque(command)[2] - bench.gravity[bench.columns[2]]
    assert push == pytest.approx(-20.0 * 0.07)  # from the wall, with the joint's stiffness


def test_a_limb_brakes_before_a_wall(bench: Bench) -> None:
    bench.choose(FLOATING)
    elbow, settings = bench.columns[2], profile().floating
    wall = joint_table(profile()).upper[elbow] - settings.wall_rad
    bench.q[elbow] = wall + 0.02
    anchors, damping = [], []
    for _ in range(3000):
        command, _ = bench.tick()
        anchors.append(bench.floating.anchor[bench.manager.joints.table_index.index(elbow)])
        damping.append(command.kd[elbow])
    speed, room = np.diff(anchors) / 0.001, wall - np.array(anchors)
    assert speed.max() == pytest.approx(settings.yield_speed)
    assert (speed <= room[:-1] / settings.brake_s + 1e-9).all()
    assert speed[-1] == pytest.approx(0.0, abs=1e-3)
    loose, firm = settings.damping * 0.7, 0.7
    assert damping[0] == pytest.approx(loose) and damping[-1] == pytest.approx(firm, rel=1e-3)
    bench.q[elbow] = wall - 1.0  # the way back is free
    bench.tick()
    bench.tick()
    anchor = bench.floating.anchor[bench.manager.joints.table_index.index(elbow)]
    assert anchors[-1] - anchor == pytest.approx(0.002 * settings.yield_speed)


def test_a_limb_that_is_torn_away_is_braked(bench: Bench) -> None:
    bench.choose(FLOATING)
    bench.tick()
    start = bench.floating.anchor.copy()
    bench.q[bench.columns] += 0.4
    command, _ = bench.tick()
    assert np.abs(bench.floating.anchor - start).max() == pytest.approx(0.003)
    assert (bench.torque(command) - bench.gravity[bench.columns] < -7.0).all()
    for _ in range(400):
        command, _ = bench.tick()
    assert (np.abs(bench.torque(command) - bench.gravity[bench.columns]) < 0.38).all()


def test_a_limp_limb_gets_nothing(bench: Bench) -> None:
    bench.choose(LIMP)
    command, _ = bench.tick()
    at = bench.columns
    for numbers in (command.tau, command.kp, command.kd, command.dq):
        assert (numbers[at] == 0.0).all()
    others = [i for i in range(18) if i not in at]
    assert (command.kp[others] > 0.0).all()


@pytest.mark.parametrize("before", Freedom)
@pytest.mark.parametrize("after", [HELD, FLOATING])
def test_no_torque_drops_when_the_freedom_changes(
    bench: Bench, before: Freedom, after: Freedom
) -> None:
    bench.choose(before)
    bench.tick()
    if before is LIMP:  # it has fallen meanwhile
        bench.q[bench.columns] += 0.3
        bench.tick()
    else:
        bench.q[bench.columns] -= 0.004  # the drives hold a little weight
    held = bench.torque(bench.tick()[0])
    bench.choose(after)
    now = bench.torque(bench.tick()[0])
    if before is LIMP:
        full = bench.gravity[bench.columns] if after is FLOATING else np.zeros(3)
        assert now == pytest.approx(full, abs=0.9)
        return
    # Only a floating limb gets gravity's torque here; the plant adds that of the others.
    for freedom, torque in ((before, held), (after, now)):
        if freedom is FLOATING:
            torque -= bench.gravity[bench.columns]
    assert now == pytest.approx(held, abs=1e-6)
    assert np.abs(held).max() > 0.05  # there was a torque to keep


def test_a_limb_that_is_left_is_where_it_was_left(bench: Bench) -> None:
    bench.choose(FLOATING)
    bench.q[bench.columns] += 0.4
    _, floating = bench.tick()
    assert bench.floating.hold(bench.now_s) == (ARM,)
    bench.q[bench.columns] += 0.2  # somebody pulls in vain
    _, held = bench.tick()
    assert held == pytest.approx(floating, abs=1e-9)
    assert bench.manager.state(ARM) is MotionState.STOP


def test_the_end_of_record_leads_to_rest_without_a_jump(bench: Bench) -> None:
    bench.choose(FLOATING)
    bench.q[bench.columns] += 0.5
    _, before = bench.tick()
    bench.choose(DRIVEN)
    path = np.array([bench.tick()[1] for _ in range(2000)])
    assert path[0] == pytest.approx(before, abs=1e-3)
    assert np.abs(np.diff(path, axis=0)).max() < 0.002
    assert path[-1] == pytest.approx(profile().posture("rest")[bench.columns], abs=1e-6)
    assert not bench.floating.active


def test_only_limbs_that_exist_and_yield_are_released(bench: Bench) -> None:
    with pytest.raises(BehaveError):
        bench.choose(FLOATING, "tail")
    assert not bench.floating.active
    assert bench.floating.movable(ARM) and not bench.floating.movable("left_hand")


def test_a_released_limb_obeys_neither_gestures_nor_the_stick(bench: Bench) -> None:
    bench.choose(FLOATING)
    bench.floating.choose(bench.now_s, {"head": HELD}, "stiff")
    angles = {"left_elbow": 0.5, "right_elbow": 0.5, "head_yaw": 0.2}
    assert bench.manager.pose(bench.now_s, angles) == ("right_arm",)
    assert not bench.manager.sticks.lead_gaze(bench.now_s, 0.1, 0.0)
    assert bench.manager.freeze(bench.now_s, (ARM,)) == ()
    bench.manager.cancel(bench.now_s)
    bench.tick()
    assert bench.floating.freedoms[1] is FLOATING
    bench.manager.rest(bench.now_s)
    assert bench.manager.state(ARM) is MotionState.TRANSITION


def test_a_pose_is_refused_as_a_whole(bench: Bench) -> None:
    for angles in ({"left_elbow": 9.0}, {"left_knee": 0.1}, {"tail": 0.0, "left_elbow": 0.5}):
        with pytest.raises(BehaveError):
            bench.manager.pose(bench.now_s, angles)
    assert bench.manager.state(ARM) is MotionState.REST
