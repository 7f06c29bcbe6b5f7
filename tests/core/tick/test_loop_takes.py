"""Takes in the loop: an earlier take that plays in time, and what ends it."""

import msgspec
import numpy as np
import pytest

from core.behave.clip import Clip
from core.behave.reference import MotionState
from core.link import commands as m
from core.link import topics
from core.link.catalogue import takes as words
from core.link.sound import EARLIER, VoiceCue, VoiceLoad, VoiceStop
from core.link.take import (
    BackingRefused,
    BackingRequest,
    TakeBegin,
    TakeEnd,
    TakePlan,
    TakeReport,
    TakeZero,
)
from core.safety.modes import Mode
from core.stage.backing import Backing
from tests.core.tick.test_loop import Stage

PLAN = TakePlan(path="/takes/arm.take", limbs=("left_arm",), backing_take="/takes/nod.take")


class Studio(Stage):
    """A standing statue with a recorder that writes."""

    def __init__(self) -> None:
        super().__init__()
        self.stand()
        self.tick(ticks=1500)  # until its limbs are at rest

    def head_is(self, state: MotionState) -> bool:
        """Return whether the head is in a state."""
        return self.performer.manager.state("head") is state

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.5)):
            self.port.put(topics.TAKEN, TakeReport(PLAN.path, "writing", 1.0))
            self.tick(ticks=500)

    def backing(self, number: int = 1, pace: float = 1.0, seconds: float = 6.0) -> bytes:
        joints = self.performer.manager.joints
        columns = joints.columns[joints.limb_names.index("head")]
        names = tuple(range(columns.start, columns.stop))
        times_s = np.arange(round(50 * seconds)) / 50.0
        positions = 0.2 * pace * np.sin(pace * times_s[:, None] + np.arange(len(names)))
        clip = Clip.from_positions("nod", names, 50.0, positions)
        return Backing(number, clip, sound="/takes/nod.wav").to_bytes()

    def start(self, plan: TakePlan = PLAN) -> None:
        self.tick(m.StartTake(plan), ticks=20)

    def count_in(self) -> float:
        """Begin the take over the earlier one; return when it begins [s]."""
        self.start()
        self.port.put(topics.BACKED, self.backing())
        self.tick(ticks=40)
        (begin,) = self.port.of(TakeBegin)
        return begin.start_s


@pytest.fixture
def studio() -> Studio:
    return Studio()


def test_an_earlier_take_plays_within_a_tick_of_the_take(studio: Studio) -> None:
    studio.start()
    assert studio.port.of(BackingRequest) == [BackingRequest(1, PLAN.backing_take)]
    studio.tick(ticks=500)
    assert studio.head_is(MotionState.REST) and not studio.port.of(TakeBegin)
    studio.port.put(topics.BACKED, studio.backing())
    studio.tick(ticks=40)
    (begin,) = studio.port.of(TakeBegin)
    assert studio.head_is(MotionState.TRANSITION)
    studio.wait(2.0)
    (zero,) = studio.port.of(TakeZero)
    assert zero.stamp_s == begin.start_s
    assert zero.head.backing_take == "nod" and zero.head.backing_limbs == ("head",)
    playing = studio.performer.manager.playing("head")
    now_s = studio.loop._sample.stamp_s
    assert playing is not None and playing[0] == "nod"
    assert playing[1] == pytest.approx(now_s - begin.start_s, abs=1e-9)
    assert VoiceLoad(EARLIER, "/takes/nod.wav") in studio.port.sent
    (sound,) = studio.port.of(VoiceCue)
    assert sound.phrase == EARLIER
    assert sound.start_stamp_s == pytest.approx(zero.host_s, abs=1.0)
    assert studio.loop.failure is None


@pytest.mark.parametrize("after_s", [0.0, 0.5])
def test_limbs_that_are_released_in_the_count_in_are_a_persons(
    studio: Studio, after_s: float
) -> None:
    studio.tick(m.BackDrive({"left_arm": "held"}), ticks=20)
    studio.start(msgspec.structs.replace(PLAN, count_in_s=1.5))
    studio.port.put(topics.BACKED, studio.backing())
    studio.tick(ticks=200)
    studio.wait(after_s)  # the limbs are then led to the beginning, or not yet
    studio.tick(m.BackDrive({"left_arm": "floating", "head": "held"}), ticks=20)
    studio.wait(2.0)
    (zero,) = studio.port.of(TakeZero)
    assert zero.head.backing_limbs == ()
    assert (zero.head.freedoms["left_arm"], zero.head.freedoms["head"]) == ("floating", "held")


@pytest.mark.parametrize("command", [m.EndTake(), m.Hold()])
def test_its_end_ends_what_plays(studio: Studio, command: m.Command) -> None:
    studio.count_in()
    studio.wait(2.0)
    assert studio.head_is(MotionState.ACTION)
    studio.tick(command)
    assert studio.port.of(TakeEnd)
    assert VoiceStop() in studio.port.voices
    assert studio.head_is(MotionState.TRANSITION)
    studio.tick(ticks=2500)
    assert studio.head_is(MotionState.REST)


def test_a_take_that_is_cancelled_before_it_is_ready_moves_nothing(studio: Studio) -> None:
    studio.start()
    studio.tick(m.EndTake(), ticks=20)
    studio.port.put(topics.BACKED, studio.backing())
    studio.tick(ticks=1500)
    assert studio.head_is(MotionState.REST) and not studio.port.of(TakeBegin)


def test_a_refused_one_begins_nothing(studio: Studio) -> None:
    studio.start()
    studio.port.put(topics.UNBACKED, BackingRefused(1, "nod.take is of another robot"))
    studio.tick(ticks=30)
    assert studio.port.said(words.BACKING_REFUSED, text="nod.take is of another robot")
    assert not studio.port.of(TakeBegin)


@pytest.mark.parametrize("damage", [slice(0, 0), slice(0, 100), slice(0, -8)])
def test_damaged_bytes_begin_nothing_and_the_loop_goes_on(studio: Studio, damage: slice) -> None:
    studio.start()
    studio.port.put(topics.BACKED, studio.backing()[damage])
    studio.tick(ticks=40)
    assert studio.port.said(words.BACKING_REFUSED) and studio.loop.failure is None
    studio.start()
    studio.port.put(topics.BACKED, studio.backing(2))
    studio.tick(ticks=40)
    assert studio.port.of(TakeBegin)


def test_one_that_is_too_fast_ends_the_take_and_not_the_core(studio: Studio) -> None:
    studio.start()
    studio.port.put(topics.BACKED, studio.backing(pace=15.0))
    studio.tick(ticks=1500)
    assert studio.loop.failure is None and studio.performer.mode is Mode.READY
    assert [end.reason for end in studio.port.of(TakeEnd)]
    assert studio.head_is(MotionState.REST)


def test_a_long_one_is_checked_in_parts(studio: Studio) -> None:
    studio.start()
    studio.port.put(topics.BACKED, studio.backing(seconds=600.0))
    studio.tick(ticks=200)
    assert not studio.port.of(TakeBegin)  # 30000 knots, 64 in a tick
    studio.tick(ticks=400)
    assert studio.port.of(TakeBegin)
