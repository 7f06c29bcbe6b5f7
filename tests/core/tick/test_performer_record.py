"""Limbs that a person moves: refusals, HOLD, faults and stops leave them with less motion."""

import pytest

from core.behave.reference import MotionState
from core.link import commands as m
from core.link.catalogue import refusals as why
from core.link.catalogue import safety
from core.link.catalogue import takes as take_words
from core.link.take import TakePlan, TakeReport
from core.safety.modes import Mode
from core.tick.performer import Actuation
from tests.core.rig import Rig, profile
from tests.core.stage.cues import cue, gesture, show

SHOW = show(cue("1", gesture(0.0)))
HEAD, ARM, OTHER = "head", "left_arm", "right_arm"
PLAN = TakePlan(path="/takes/one.take", limbs=(ARM,), count_in_s=3.0, backing="wave")


def standing() -> Rig:
    rig = Rig()
    rig.performer.load(SHOW)
    rig.tick()
    rig.tick(m.StandUp())
    rig.wait(0.01)
    rig.expect(Mode.READY)
    return rig


def released() -> Rig:
    rig = standing()
    rig.tick(m.BackDrive({ARM: "floating", HEAD: "held"}))
    rig.expect(Mode.RECORD)
    assert freedoms(rig)[ARM] == "floating"
    return rig


def freedoms(rig: Rig) -> dict[str, str]:
    names = rig.performer.manager.joints.limb_names
    return dict(zip(names, (f.word for f in rig.performer.floating.freedoms), strict=True))


def lose_operator(rig: Rig) -> None:
    rig.performer.facts.operator_age_s = 1.0
    rig.wait(0.3)
    assert rig.performer.action.name == "HOLD"


def test_a_fault_that_holds_keeps_limbs_where_they_are_and_refuses_others() -> None:
    rig = released()
    lose_operator(rig)
    rig.expect(Mode.RECORD)
    assert freedoms(rig)[ARM] == "held" and rig.said(safety.LIMBS_HELD)
    rig.tick(m.BackDrive({ARM: "limp", OTHER: "floating"}))
    rig.wait(0.01)
    assert rig.said(why.REFUSED, command="back_drive")
    assert set(freedoms(rig).values()) == {"held", "driven"}
    rig.performer.facts.operator_age_s = 0.0
    rig.wait(0.1)
    rig.tick(m.BackDrive({ARM: "floating"}))
    assert freedoms(rig)[ARM] == "floating"


@pytest.mark.parametrize("asked", [m.Hold(), m.Stop(), m.Settle()], ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("first", [True, False])
def test_a_stop_in_the_same_tick_wins(asked: m.Command, first: bool) -> None:
    rig = released()
    limp = m.BackDrive({ARM: "limp", OTHER: "limp"})
    rig.tick(*((asked, limp) if first else (limp, asked)))
    rig.wait(0.01)
    assert "limp" not in freedoms(rig).values()
    assert rig.said(why.REFUSED, command="back_drive", reason=why.STOPPED())


@pytest.mark.parametrize("by_fault", [True, False])
def test_a_hold_ends_the_motion_of_driven_limbs(by_fault: bool) -> None:
    rig = standing()
    rig.tick(m.BackDrive({ARM: "floating"}))
    rig.tick(m.Gesture("wave", loop=True))
    rig.wait(1.5)
    assert rig.performer.manager.gestures()[0] == "wave"
    if by_fault:
        lose_operator(rig)
    else:
        rig.tick(m.Hold())
    rig.wait(1.5)
    assert set(rig.performer.manager.gestures()) == {""}
    assert rig.performer.manager.state(HEAD) is MotionState.REST


def test_stop_leaves_no_limb_released() -> None:
    rig = released()
    assert rig.tick(m.Stop()) is Actuation.DAMP
    rig.expect(Mode.FAULT)
    assert set(freedoms(rig).values()) == {"driven"}


def test_all_releases_of_a_tick_are_obeyed() -> None:
    rig = standing()
    rig.tick(m.BackDrive({ARM: "floating"}), m.BackDrive({OTHER: "held"}))
    assert (freedoms(rig)[ARM], freedoms(rig)[OTHER]) == ("floating", "held")


def test_a_fault_that_holds_ends_the_count_in_so_that_nothing_moves_later() -> None:
    rig = standing()
    assert rig.performer.takes.start(rig.now_s, PLAN) is None
    rig.wait(0.5)
    lose_operator(rig)
    status = rig.performer.takes.status(rig.now_s)
    assert status is not None and status.stage == "saving"
    assert status.ended == take_words.HELD_BY_FAULT()
    rig.performer.facts.operator_age_s = 0.0
    rig.tick(m.StandUp())
    for _ in range(30):
        rig.wait(0.1)
        assert set(rig.performer.manager.gestures()) == {""}


def test_a_backing_that_cannot_play_moves_no_limb() -> None:
    rig = standing()
    takes, manager = rig.performer.takes, rig.performer.manager
    assert takes.start(rig.now_s, PLAN) is None
    rig.tick(m.Freeze((HEAD,)))
    rig.performer.orders.clips = {}  # the show was replaced during the count-in
    for _ in range(25):
        rig.wait(0.1)
        takes.hear(rig.now_s, TakeReport(path=PLAN.path, state="writing"))
    status = takes.status(rig.now_s)
    assert status is not None and status.ended == take_words.NO_BACKING(gesture="wave")
    assert manager.state(HEAD) is MotionState.STOP


def test_a_pose_takes_the_time_that_is_asked() -> None:
    rig = standing()
    joint = next(row.name for row in profile().joints.rows if row.limb == ARM)
    rig.tick(m.GoToPose({joint: 0.3}, 6.0))
    rig.wait(5.8)
    assert rig.performer.manager.state(ARM) is MotionState.TRANSITION
    rig.wait(0.4)
    assert rig.performer.manager.state(ARM) is MotionState.ACTION


def test_a_load_that_could_throw_the_robot_is_refused() -> None:
    rig = standing()
    hand = rig.performer.floating.grips[0]
    rig.tick(m.BackDrive({ARM: "floating"}, loads_kg={hand: 4.0}))
    assert rig.said(why.REFUSED, command="back_drive")
    rig.expect(Mode.READY)
    rig.tick(m.BackDrive({ARM: "floating"}, loads_kg={hand: 0.4}))
    rig.expect(Mode.RECORD)
    assert rig.performer.plant.loads_kg == {hand: 0.4}
