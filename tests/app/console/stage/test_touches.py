"""Touches are judged by geometry: a straight arm reaches, an arm before it parries."""

import math
from dataclasses import replace

import numpy as np

from app.console.stage.placing import before
from app.console.stage.touches import (
    AGAIN_S,
    PARRIED_S,
    SHOWN_S,
    Bout,
    Fighter,
    RobotFighter,
    Sparring,
    Touch,
    judged,
)
from app.picture.capsules import Capsules
from app.picture.robot_tree import Floats, tree_of
from assets.takes.scenes import takes
from core.report.figure import figure_of
from core.robot.profile_file import load_profile
from tests.app.console.rig import HELLO

TAKES = {take.name: take.normalised() for take in takes()}
PLACE, SCALE = (0.5, -1.0, 0.7), 0.65
NONE = Capsules(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))


def sphere(place: Floats, radius: float) -> Capsules:
    return Capsules(place[None], place[None], np.array([radius]))


def sparring() -> Sparring:
    return Sparring.of(PLACE, SCALE, TAKES["punch"].positions[0])


def ahead(distance: float, height: float) -> Floats:
    """Return a point before the robot's place [m]."""
    x, y, yaw = PLACE
    return np.array([x + distance * math.cos(yaw), y + distance * math.sin(yaw), height])


def dummy(guard: Floats | None = None) -> Fighter:
    """Return a robot of two spheres, chest and head, and perhaps a forearm."""
    chest, head = ahead(0.0, SCALE * 1.25), ahead(0.0, SCALE * 1.5)
    trunk = Capsules(np.array([chest, head]), np.array([chest, head]), np.array([0.08, 0.07]))
    limbs = {} if guard is None else {"left_arm": sphere(guard, 0.05)}
    return Fighter(limbs, frozenset(limbs), trunk)


def fought(name: str, robot: Fighter) -> tuple[Bout, list[float]]:
    """Return the bout of a take, and when the person touched [s]."""
    bout, times_s = Bout(), []
    for place, joints in enumerate(TAKES[name].positions):
        time_s = place / TAKES[name].rate_hz
        before_it, bout = bout, judged(bout, time_s, sparring().person(joints), robot)
        if bout.person > before_it.person:
            times_s.append(time_s)
    return bout, times_s


def test_two_punches_touch_when_the_arm_is_straight() -> None:
    bout, times_s = fought("punch", dummy())
    assert (bout.person, bout.robot) == (2, 0)
    reach = [
        np.linalg.norm(joints[:, :2] - joints[0, :2], axis=1).max()
        for joints in TAKES["punch"].positions
    ]
    for touched_s in times_s:
        assert reach[round(touched_s * TAKES["punch"].rate_hz)] > 0.8 * max(reach)
    assert fought("t_pose", dummy())[0] == Bout()


def test_a_forearm_in_the_way_parries_and_one_beside_it_does_not() -> None:
    person = [sparring().person(joints) for joints in TAKES["punch"].positions]
    ends = np.array([one.limbs["right_arm"].ends[0] for one in person])
    lefts = np.array([one.limbs["left_arm"].ends[0] for one in person])
    fist = min((*ends, *lefts), key=lambda end: float(np.linalg.norm(end - ahead(0.0, end[2]))))
    assert fought("punch", dummy(guard=fist))[0].person == 0
    assert fought("punch", dummy(guard=fist + (0.0, 0.0, 0.3)))[0].person == 2


def test_a_limb_touches_again_after_it_left_and_not_at_once() -> None:
    fist, away = ahead(0.0, 1.0), ahead(0.5, 1.0)
    robot = Fighter({}, frozenset(), sphere(fist, 0.1))

    def at(place: Floats) -> Fighter:
        return Fighter({"left_arm": sphere(place, 0.05)}, frozenset({"left_arm"}), NONE)

    bout = judged(Bout(), 1.0, at(fist), robot)
    assert bout.person == 1 and [touch.time_s for touch in bout.newest] == [1.0]
    bout = judged(bout, 1.0 + AGAIN_S, at(fist), robot)
    assert bout.person == 1  # it stayed
    soon = judged(judged(bout, 1.1, at(away), robot), 1.0 + 0.5 * AGAIN_S, at(fist), robot)
    assert soon.person == 1
    again = judged(judged(bout, 2.0, at(away), robot), 2.1, at(fist), robot)
    assert again.person == 2 and len(again.newest) == 2
    later = judged(again, 2.1 + SHOWN_S, at(away), robot)
    assert later.newest == () and later.person == 2
    guarded = replace(robot, limbs={"arm": sphere(away, 0.05)}, arms=frozenset({"arm"}))
    parried = judged(Bout(), 1.0, at(away), guarded)
    assert judged(parried, 1.0 + 0.5 * PARRIED_S, at(fist), robot).person == 0
    assert judged(parried, 1.1 + PARRIED_S, at(fist), robot).person == 1


def test_a_touch_of_the_robot_is_drawn_at_the_person_two_metres_away() -> None:
    joints = TAKES["wave"].positions[20]
    near = sparring().person(joints)
    drawn = np.array(before(PLACE, tuple(map(tuple, joints.tolist()))))
    elbow, hand = near.limbs["left_arm"].starts[0], near.limbs["left_arm"].ends[0]
    for place in (elbow, hand):
        x, y, z = place.tolist()
        found = np.array(sparring().drawn(Touch("robot", 0.0, (x, y, z))))
        assert np.linalg.norm(drawn - found, axis=1).min() < 1e-9
    assert sparring().drawn(Touch("person", 0.0, (1.0, 2.0, 3.0))) == (1.0, 2.0, 3.0)


def test_a_robot_strikes_with_forearms_and_is_struck_at_trunk_and_head() -> None:
    tree = tree_of(figure_of(load_profile("kid_cosmo")))
    fighter = RobotFighter(HELLO, tree)
    poses = tree.forward_kinematics({})
    found = fighter.at(poses)
    assert found.arms == found.limbs.keys() == {"left_arm", "right_arm"}
    names = [body.link for body in tree.bodies]
    places = poses[:, :3, 3]
    for side in ("left", "right"):
        forearm, hand = (places[names.index(f"{side}_{part}")] for part in ("forearm", "hand"))
        limb = found.limbs[f"{side}_arm"]
        assert limb.gap(sphere(0.5 * (forearm + hand), 0.01))[0] < 0.0
        assert limb.gap(sphere(places[names.index(f"{side}_upper_arm")], 0.01))[0] > 0.0
    head = places[names.index("head")] + (0.0, 0.0, 0.1)
    assert found.trunk.gap(sphere(head, 0.01))[0] < 0.0
    foot = places[names.index("left_foot")]
    assert found.trunk.gap(sphere(foot, 0.01))[0] > 0.1
