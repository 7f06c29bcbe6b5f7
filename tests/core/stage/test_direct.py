"""The player's output in the hands of the real motion manager."""

from core.behave.manager import MotionManager
from core.behave.reference import MotionState
from core.link.catalogue.show import NO_MOTION
from core.link.wording import text
from core.stage.direct import direct
from core.stage.output import StageOutput
from tests.core.stage.cues import cue, end, freeze, gesture, show, unfreeze
from tests.core.stage.robot import body

CLIPS = show(cue("1")).clips


def manager() -> MotionManager:
    return MotionManager(body().table, body().rest_q)


def test_starts_freezes_and_ends_reach_the_limbs_in_their_order() -> None:
    m, output = manager(), StageOutput()
    output.limbs = [gesture(0.0, "wave", ("head",))]
    direct(output, CLIPS, m, 0.0)
    assert m.state("head") == MotionState.TRANSITION
    output.limbs = [freeze(0.0, ("head",))]
    direct(output, CLIPS, m, 1.5)
    assert m.state("head") == MotionState.STOP
    output.limbs = [unfreeze(0.0, ("head",)), end(0.0, ("head",))]
    direct(output, CLIPS, m, 2.0)
    m.update(2.0)
    assert m.state("head") == MotionState.TRANSITION
    m.update(6.0)
    assert m.state("head") == MotionState.REST
    assert output.notes == []


def test_the_head_is_held_and_let_go() -> None:
    m, output = manager(), StageOutput()
    output.head_held, output.head[0] = True, 0.5
    for i in range(200):
        direct(output, CLIPS, m, i * 0.01)
        reference = m.update(i * 0.01)
    assert m.state("head") == MotionState.JOYSTICK
    assert abs(reference.q[m.joints.index["head_yaw"]] - 0.5) < 0.01
    output.head_held, output.head_released = False, True
    direct(output, CLIPS, m, 2.0)
    m.update(8.0)
    assert m.state("head") == MotionState.REST


def test_what_cannot_be_played_becomes_a_note_and_moves_nothing() -> None:
    m, output = manager(), StageOutput()
    output.limbs = [gesture(0.0, "nothing"), gesture(0.0, "wave", ("right_arm",))]
    direct(output, CLIPS, m, 0.0)
    assert output.notes[0] == NO_MOTION(motion="nothing")
    assert "does not move right_arm" in text(output.notes[1])
    assert m.state("left_arm") == m.state("right_arm") == MotionState.REST
