"""The show "Duel": its cues, the fighter's take within them, and the answers that it gets."""

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from assets.takes.duel import ANSWERED, SHOW, T_POSE_S, performance
from core.__main__ import simulated_body
from core.lab.measure.leader import AGE_S
from core.lab.rehearsal import rehearse
from core.link.catalogue import partner as words
from core.link.commands import Command
from core.link.partner import Reply
from core.link.topics import REPLY, Topic
from core.partner.clips import Clips
from core.partner.learned import learned
from core.partner.listener import Listener, build_of
from core.partner.person import Person
from core.partner.robot import robot_of
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from core.run.autopilot import Autopilot, Facts
from core.stage.preflight import preflight_show
from core.stage.stagehand import get_ready
from core.tick.performer import Performer
from devices.interface import PoseFrame
from shows.bvh_human import load_bvh
from shows.document import Cue, LiveClip
from shows.repertoire import load_repertoire
from shows.storage import load_show
from tests.core.partner.performer import samples_of
from tests.core.rig import launch, told

PROFILE = load_profile("kid_cosmo")
WANTED = {"wave": "wave", "punch": "recoil", "parry": "salute", "raise_arms": "cheer", "bow": "bow"}


def live_spans() -> list[tuple[Cue, LiveClip, float]]:
    """Return the live clips, each with its start from the first GO [s]."""
    loaded = load_show(SHOW, joint_table(PROFILE))
    assert loaded.warnings == ()
    found, clock_s = [], 0.0
    for cue in loaded.show.cues:
        found += [
            (cue, clip, clock_s + clip.start_s)
            for clip in cue.clips()
            if isinstance(clip, LiveClip)
        ]
        clock_s += cue.pre_wait_s + loaded.duration_s(cue.number) + cue.post_wait_s
    assert clock_s == pytest.approx(180.0, abs=5.0)
    return found


def test_it_passes_preflight_and_the_fighter_keeps_to_its_cues() -> None:
    found = preflight_show(SHOW, PROFILE)
    assert [(one.number, one.findings) for one in found.results] == [
        (str(i + 1), ()) for i in range(7)
    ]
    spans = live_spans()
    assert [clip.mode for _, clip, _ in spans] == ["mirror"] * 4 + ["answer"]
    assert [clip.legs for _, clip, _ in spans] == [False, False, False, True, False]
    assert T_POSE_S + 2.0 < spans[0][2], "the arms hang when the robot begins to follow"
    # Each order to follow counts from where the person stands: upright.
    take = performance()
    for _, clip, begin_s in spans:
        rows = slice(round(begin_s * take.rate_hz), round((begin_s + 1.0) * take.rate_hz))
        assert abs(take.positions[rows] - take.positions[rows][0]).max() < 1e-9
        if clip.mode == "answer":
            assert all(begin_s + 2.0 < at < begin_s + clip.length_s - 4.0 for at, _ in ANSWERED)


def test_every_motion_of_the_fighter_gets_its_answer() -> None:
    take = load_bvh(SHOW / "takes" / "performer.bvh").take.normalised()
    folder = SHOW / "repertoires" / "duel"
    known = learned(folder, load_repertoire(folder), Clips(PROFILE))
    begin_s = next(at for _, clip, at in live_spans() if clip.mode == "answer")
    listener = Listener(known, build_of(take.bone_lengths(), take.positions[round(15 * 30)]))
    heard = [
        (sample.stamp_s, found)
        for sample in list(samples_of(take))[round(begin_s * 30) : round(166 * 30)]
        if (found := listener.listen(sample, True)) is not None and found.answer is not None
    ]
    assert [(one.motion, one.answer) for _, one in heard] == [
        (motion, WANTED[motion]) for _, motion in ANSWERED
    ]
    assert all(0.2 < at - begun < 1.5 for (at, _), (begun, _) in zip(heard, ANSWERED, strict=True))


class Fighter:
    """The take of the show as frames of a source, before a simulated robot, on the core's clock."""

    def __init__(self) -> None:
        self.take = load_bvh(SHOW / "takes" / "performer.bvh").take
        self.person = Person(robot_of(PROFILE))
        folder = SHOW / "repertoires" / "duel"
        self.known = learned(folder, load_repertoire(folder), Clips(PROFILE))
        self.listener: Listener | None = None
        self.begun_s, self.next_s, self.number = math.inf, 0.0, 0
        self.due: list[Reply] = []
        self.presences: Counter[str] = Counter()
        self.lifts, self.swing = 0, -1
        self.person.calibrate(0.0)

    def __call__(self, performer: Performer) -> None:
        """Give the robot what it hears until now."""
        now_s = performer.plant.state.stamp_s
        if performer.player.plays and self.begun_s == math.inf:
            self.begun_s = now_s
        while now_s >= self.next_s + AGE_S:
            frame = self._frame(self.next_s)
            self.next_s += 1.0 / 60.0
            self._hear(performer, frame, now_s)
        if performer.hand.follow.order is not None:
            self.presences[performer.hand.follow.status(now_s).presence] += 1
        swing = performer.plant.view().swing_side
        self.lifts += swing >= 0 and swing != self.swing
        self.swing = swing

    def _frame(self, stamp_s: float) -> PoseFrame:
        row = max(0.0, stamp_s - self.begun_s) * self.take.rate_hz
        row = min(row, len(self.take.positions) - 1.001)
        low, share = int(row), row % 1.0
        ends = self.take.positions[low : low + 2]
        points = (1.0 - share) * ends[0] + share * ends[1]
        return PoseFrame(stamp_s, stamp_s, points, self.take.orientations[low])

    def _hear(self, performer: Performer, frame: PoseFrame, now_s: float) -> None:
        follow = performer.hand.follow
        order, person = follow.order, self.person
        if follow.number != self.number:
            self.number = follow.number
            person.restart(order is None or order.mirror_sides)
            if person.build is not None:
                self.listener = Listener(self.known, person.build)
        posture, samples = person.hear([frame], self.number, now_s)
        if posture is not None:
            follow.hear(now_s, posture.stamp_s, posture)
        for sample in samples if self.listener is not None else ():
            answers = order is not None and order.mode == "answer"
            heard = self.listener.listen(sample, answers) if self.listener is not None else None
            if heard is not None and heard.answer is not None:
                self.due.append(Reply(self.number, now_s, heard.answer, heard.motion))
                follow.listen(self._poll, now_s, now_s)

    def _poll(self, topic: Topic[Any]) -> Any:
        return self.due.pop() if topic is REPLY and self.due else None


class Sure(Autopilot):
    """Knows that the fighter is calibrated."""

    def update(self, now_s: float, facts: Facts) -> list[Command]:
        """Return the commands at a time [s]."""
        return super().update(now_s, replace(facts, calibrated=now_s > 3.0))


@pytest.mark.long
@pytest.mark.timeout(400)
def test_the_robot_plays_the_duel_without_a_fall() -> None:
    fighter = Fighter()
    done = rehearse(
        PROFILE,
        simulated_body(launch(), PROFILE),
        Sure(),
        show=get_ready(str(SHOW), PROFILE),
        keep=False,
        watch=fighter,
    )
    assert not done.failed, done.report.reason
    assert done.report.falls == 0
    answered = [
        event.fields["motion"]
        for event in done.listener.events
        if event.code == words.PARTNER_ANSWERED.code
    ]
    assert answered == [WANTED[motion] for _, motion in ANSWERED]
    assert not told(done.listener.events, words.PARTNER_LOST)
    followed = fighter.presences["followed"]
    assert followed > 0.97 * fighter.presences.total(), fighter.presences
    assert fighter.lifts >= 6, "the robot steps with the fighter"
    assert len(told(done.listener.events, words.PARTNER_FOLLOWED)) == 5
