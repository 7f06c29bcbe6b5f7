"""Preflight finds what is too much, says when, and passes what is not."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.behave.clip import Clip
from core.behave.joints import UpperJoints
from core.robot.dynamics import UpperDynamics
from core.robot.profile_file import load_profile
from core.stage.body import PreflightBody, body_from_profile
from core.stage.dry_run import run_cue
from core.stage.preflight import PreflightResult, Report, preflight, preflight_show
from core.stage.prepared import PreparedShow
from core.stage.timeline import (
    AnyMoment,
    BodySegment,
    GestureStart,
    JumpSegment,
    Moment,
    SwaySegment,
    WalkSegment,
)
from devices.interface import Floats
from shows.errors import ShowError
from tests.core.stage.cues import cue, gesture, jump, live, posture, run, walk
from tests.core.stage.robot import body, profile

LIBRARY = Path(__file__).parents[3] / "shows" / "library"


def swing(joint: str, degrees: float, seconds: float, cycles: float = 1.0) -> Clip:
    """Return a clip that swings one joint from rest and back."""
    column = body().upper.index[joint]
    rest = body().rest_q[body().upper.table_index[column]]
    t = np.linspace(0.0, seconds, round(100 * seconds) + 1)
    raised = 0.5 * (1.0 - np.cos(2.0 * np.pi * cycles * t / seconds))
    q = rest + (np.deg2rad(degrees) - rest) * raised
    return Clip.from_positions("swing", (column,), 100.0, q[:, None])


def result_of(*moments: Moment, clip: Clip | None = None, **changes: object) -> PreflightResult:
    timeline = cue("1", *moments, **changes)  # type: ignore[arg-type]
    clips = {} if clip is None else {"swing": clip}
    (result,) = preflight(PreparedShow("test", cues=(timeline,), clips=clips), body())
    return result


def right_arm(time_s: float) -> GestureStart:
    return gesture(time_s, "swing", ("right_arm",))


def test_a_gentle_gesture_passes() -> None:
    result = result_of(right_arm(0.5), clip=swing("right_shoulder_pitch", -120, 3.0))
    assert result.passed and result.reason == ""


def test_too_much_torque_is_named_with_its_joint_and_time() -> None:
    # Three swings a second of the whole arm: far within the speed limit, not within the torque.
    clip = swing("right_shoulder_roll", -80, 2.0, cycles=6.0)
    result = result_of(right_arm(0.5), clip=clip)
    assert not result.passed
    failing = [f for f in result.findings if f.fails]
    assert any(f.text.startswith("right shoulder roll") and "torque" in f.text for f in failing)
    worst = next(f for f in failing if "torque" in f.text)
    assert 0.5 < worst.time_s < 4.0
    assert f"at {worst.time_s:.2f} s" in worst.text
    assert f"{100 * worst.load:.0f} % of torque" in worst.text


def test_a_gesture_that_the_manager_refuses_fails() -> None:
    clip = swing("right_elbow", 110, 1.0, cycles=6.0)
    result = result_of(right_arm(0.5), clip=clip)
    assert not result.passed
    assert "above its limit" in result.reason


def test_an_arm_in_the_chest_fails() -> None:
    columns = [
        body().upper.index[f"left_{j}"] for j in ("shoulder_pitch", "shoulder_roll", "elbow")
    ]
    rest = [body().rest_q[body().upper.table_index[c]] for c in columns]
    goal = np.deg2rad([-40.0, 35.0, 100.0])
    t = np.linspace(0.0, 3.0, 301)
    raised = 0.5 * (1.0 - np.cos(2.0 * np.pi * t / 3.0))[:, None]
    clip = Clip.from_positions("swing", tuple(columns), 100.0, rest + (goal - rest) * raised)
    result = result_of(gesture(0.0, "swing"), clip=clip)
    assert not result.passed
    assert "inside the torso at" in result.reason


@pytest.mark.parametrize(
    ("segment", "words"),
    [(walk(1.0, 0.6), "walks 0.60 m/s forward, beyond"), (walk(1.0, -0.6), "walks -0.60 m/s")],
)
def test_a_walk_that_the_gait_cannot_do_fails(segment: Moment, words: str) -> None:
    result = result_of(segment)
    assert not result.passed
    assert result.reason.startswith(words)
    assert result.findings[0].time_s == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("moments", "changes", "words"),
    [
        ((live(1.0), live(3.0, on=False), walk(3.0, 0.1)), {}, ""),
        ((walk(0.5, walking=False), live(1.0)), {"entry_stance": "walking"}, ""),
        ((live(1.0),), {"entry_stance": "walking"}, "follows a person at 1.00 s while it walks"),
        ((live(1.0, "left_arm"), posture(2.0)), {}, ""),
        ((live(1.0), posture(2.0)), {}, "at 2.00 s while it holds a posture of its body"),
        ((jump(0.0), live(1.0, legs=True)), {}, "follows a person at 1.00 s while it jumps"),
    ],
)
def test_a_person_leads_a_standing_robot_only(
    moments: tuple[Moment, ...], changes: dict[str, object], words: str
) -> None:
    failing = [f.text for f in result_of(*moments, **changes).findings if "person" in f.text]  # type: ignore[arg-type]
    assert bool(failing) is bool(words) and all(words in text for text in failing)


def test_each_answer_of_a_repertoire_is_tested_as_a_cue() -> None:
    order: dict[str, Any] = {"mode": "answer", "repertoire": "duel"}
    wild = swing("right_shoulder_roll", -80, 2.0, cycles=6.0)
    gentle = replace(swing("right_shoulder_pitch", -120, 3.0), name="gentle")
    cues = (cue("1", live(0.5, **order)), cue("2", live(1.5, **order)), cue("3", live(0.0)))
    prepared = PreparedShow("test", cues=cues, clips={"swing": wild, "gentle": gentle})
    results = preflight(prepared, body(), answers={"duel": ("gentle", "gone", "swing")})
    for result, time_s in zip(results[:2], (0.5, 1.5), strict=True):
        texts = [f.text for f in result.findings if f.fails]
        assert any("duel answers with gone, which neither" in text for text in texts)
        assert any(t.startswith("answer swing: right shoulder roll") for t in texts)
        assert not any("gentle" in text for text in texts)
        assert {f.time_s for f in result.findings} == {time_s}
    assert results[2].passed


def test_a_robot_without_steps_fails_a_person_who_leads_them() -> None:
    arms = body_from_profile(load_profile("two_arms"))
    for legs in (False, True):
        (result,) = preflight(PreparedShow("test", cues=(cue("1", live(0.5, legs=legs)),)), arms)
        assert result.passed is not legs
    assert result.reason == "a person leads its steps at 0.50 s; this robot cannot walk"


def test_a_sudden_walk_passes_with_a_remark() -> None:
    result = result_of(walk(1.0, 0.2))
    assert result.passed
    assert "will lag" in result.reason


def test_leaning_too_far_fails() -> None:
    footing = body().footing
    assert footing is not None
    short = replace(body(), footing=replace(footing, toe_m=0.035, heel_m=-0.035))
    timeline = cue("1", gesture(0.5, "swing", ("left_arm", "right_arm")))
    names = ("left_shoulder_pitch", "right_shoulder_pitch")
    columns = tuple(sorted(body().upper.index[n] for n in names))
    t = np.linspace(0.0, 4.0, 401)
    raised = 0.5 * (1.0 - np.cos(2.0 * np.pi * t / 4.0))[:, None]
    clip = Clip.from_positions("swing", columns, 100.0, raised * np.deg2rad([-90.0, -90.0]))
    prepared = PreparedShow("test", cues=(timeline,), clips={"swing": clip})
    (result,) = preflight(prepared, short)
    assert not result.passed
    assert result.reason.startswith("leans forward to")


def test_the_first_failure_decides_and_remarks_come_last() -> None:
    clip = swing("right_shoulder_roll", -80, 2.0, cycles=6.0)
    result = result_of(right_arm(0.0), walk(3.0, 1.5), clip=clip)
    failing = [f for f in result.findings if f.fails]
    assert [f.time_s for f in failing] == sorted(f.time_s for f in failing)
    assert all(not f.fails for f in result.findings[len(failing) :])
    assert "walks" in failing[-1].text


def test_each_cue_is_counted() -> None:
    prepared = PreparedShow("test", cues=(cue("1"), cue("2", walk(0.0, 1.5))))
    done: list[tuple[int, int]] = []
    first, second = preflight(prepared, body(), progress=lambda i, n: done.append((i, n)))
    assert first.passed
    assert "walks" in second.reason
    assert done == [(1, 2), (2, 2)]


def test_a_robot_without_feet_gait_and_pairs_is_tested_for_the_rest() -> None:
    fixed = replace(body(), walk=None, footing=None, collision=None)
    clip = swing("right_shoulder_roll", -80, 2.0, cycles=6.0)
    cues = (cue("1", right_arm(0.0)), cue("2", walk(1.0, 0.1)), cue("3"))
    prepared = PreparedShow("test", cues=cues, clips={"swing": clip})
    arm, walks, nothing = preflight(prepared, fixed)
    assert "torque" in arm.reason and not arm.passed
    assert walks.reason == "walks at 1.00 s; this robot cannot walk"
    assert math.isinf(walks.findings[0].load)
    assert nothing.passed


def test_the_sample_show_passes_and_its_cues_may_go() -> None:
    report = preflight_show(LIBRARY / "meet_cosmo", profile())
    assert [row for row in report.rows() if row[3] != "passed"] == []
    assert report.passed
    assert all(timeline.refusal == "" for timeline in report.prepared.cues)
    assert {"wave", "thumbs_up", "cheer"} <= report.prepared.clips.keys()
    upper = len(UpperJoints.from_table(body().table))
    again = PreparedShow.from_bytes(report.prepared.to_bytes(), upper)
    assert again.cues == report.prepared.cues


def test_a_show_of_adapted_gestures_sways_and_speech_passes() -> None:
    """Its robot leaves out the gestures that need parts which it lacks."""
    report = preflight_show(LIBRARY / "meet_draco", load_profile("draco3"))
    assert report.passed and len(report.results) >= 6
    assert not any(result.reason for result in report.results)
    assert all("carries its meaning" in warning for warning in report.warnings)
    moments = {type(m) for cue in report.prepared.cues for m in cue.moments}
    assert moments >= {GestureStart, SwaySegment, BodySegment}
    assert sum(len(cue.voices) for cue in report.prepared.cues) >= 6


def test_a_report_s_table_tells_why() -> None:
    clip = swing("right_shoulder_roll", -80, 2.0, cycles=6.0)
    result = result_of(right_arm(0.5), clip=clip)
    (row,) = Report(PreparedShow("test"), (result,)).rows()
    assert row == ("1", "cue 1", "4.0 s", "FAILED", result.reason)


def test_a_show_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ShowError, match="does not exist"):
        preflight_show(tmp_path / "nothing", profile())


@pytest.fixture(scope="module")
def swayer() -> PreflightBody:
    """Return a robot that sways."""
    return body_from_profile(load_profile("draco3"))


@pytest.mark.parametrize(
    ("sway", "reason"),
    [
        (SwaySegment(0.5, "left", 0.05, 0.25, 1), ""),
        (SwaySegment(0.5, "left", 0.15, 0.05, 1), "sways to its"),
        (SwaySegment(0.5, "left", 0.11, 0.25, 1), "of its feet at 0.5"),
        (SwaySegment(0.5, "up", 0.08, 0.1, 1), ""),
        (SwaySegment(0.5, "up", 0.3, 0.05, 1), "knee 109 % of torque at the lowest point"),
        (SwaySegment(0.5, "up", 0.45, 0.05, 1), "highest point"),
    ],
)
def test_a_sway_stays_within_balance_reach_and_torque(
    swayer: PreflightBody, sway: SwaySegment, reason: str
) -> None:
    timeline = cue("1", sway, duration_s=2.0)
    (result,) = preflight(PreparedShow("test", cues=(timeline,)), swayer)
    assert result.passed is (reason == ""), result.findings
    assert any(reason in finding.text for finding in result.findings if finding.fails) or not reason


def test_a_robot_without_a_range_fails_a_sway_at_its_time() -> None:
    result = result_of(SwaySegment(0.5, "left", 0.05, 0.25, 1), duration_s=5.0)
    assert [f.text for f in result.findings] == ["sways at 0.50 s; this robot does not sway"]


@pytest.fixture(scope="module")
def runner() -> PreflightBody:
    """Return a robot that runs and jumps."""
    return body_from_profile(load_profile("small_biped"))


@pytest.mark.parametrize(
    ("moments", "reason"),
    [
        ((run(0.0), walk(3.0, walking=False)), ""),
        ((run(0.0, vx=0.4), walk(1.0, walking=False)), "runs 0.40 m/s forward, beyond 0.3"),
        ((jump(0.5, count=1),), ""),
        ((jump(0.5, count=2, flight_s=0.1, dx=0.05),), ""),
        ((jump(0.5, count=1, flight_s=0.06, dx=0.05),), "hip pitch lacks torque"),
        ((jump(0.5, count=1, flight_s=0.2),), "0.2 s is beyond the robot's range of 0.1 s"),
    ],
)
def test_runs_and_jumps_are_planned_against_the_limits_of_the_joints(
    runner: PreflightBody, moments: tuple[AnyMoment, ...], reason: str
) -> None:
    (result,) = preflight(PreparedShow("test", cues=(cue("1", *moments),)), runner)
    fails = [finding for finding in result.findings if finding.fails]
    assert result.passed is (reason == ""), result.findings
    assert any(reason in finding.text for finding in fails) or not reason
    if reason.endswith("lacks torque"):
        first = next(finding for finding in fails if reason in finding.text)
        assert "in the jump, and lags by 0." in first.text and first.text.endswith("less far")
        assert 0.7 < first.time_s < 0.76  # in the flight


@pytest.mark.parametrize(("flight_s", "sign"), [(0.06, 1.0), (0.06, -1.0), (0.1, 1.0)])
def test_jumps_within_the_range_of_the_robot_pass(
    runner: PreflightBody, flight_s: float, sign: float
) -> None:
    limits = runner.table.gaits.jump
    assert limits is not None
    backward, forward = limits.ways(flight_s)
    dx = forward if sign > 0.0 else -backward
    far = JumpSegment(0.5, 1, flight_s, dx, limits.sideways, -limits.turn, 1.0)
    (result,) = preflight(PreparedShow("test", cues=(cue("1", far, duration_s=2.2),)), runner)
    assert result.passed, result.findings


@pytest.mark.parametrize(
    ("end_s", "remark"),
    [
        (5.0, "jumps at 2.00 s leave the ground "),
        (2.2, "makes none of its 2 jumps at 2.00 s; lengthen the clip or start it later"),
        (3.2, "makes only 1 of its 2 jumps at 2.00 s; lengthen the clip or start it later"),
    ],
)
def test_jumps_directly_after_a_run_are_late_or_too_few(
    runner: PreflightBody, end_s: float, remark: str
) -> None:
    moments = run(0.0), walk(2.0, walking=False), jump(2.0, count=2), jump(end_s, count=0)
    timeline = cue("1", *moments, duration_s=5.0)
    (result,) = preflight(PreparedShow("test", cues=(timeline,)), runner)
    assert any(finding.text.startswith(remark) for finding in result.findings), result.findings
    assert result.passed


def test_a_run_in_place_is_planned_as_well(runner: PreflightBody) -> None:
    """Without a velocity the robot runs nevertheless: its knees move."""
    assert runner.gait is not None
    moments = run(0.0, vx=0.0), walk(1.0, walking=False)
    timeline = cue("1", *moments, duration_s=1.5)
    done = run_cue(timeline, {}, runner.table, runner.rest_q, runner.motion)
    loads = runner.gait.loads(done)
    assert loads is not None and float(np.ptp(np.array(loads.postures), axis=0).max()) > 0.2


def test_a_cue_s_posture_that_a_jump_brings_into_the_body_is_a_collision(
    runner: PreflightBody,
) -> None:
    assert runner.gait is not None and runner.collision is not None
    (result,) = preflight(PreparedShow("test", cues=(cue("1", jump(0.5, count=1)),)), runner)
    assert not any("inside" in finding.text for finding in result.findings)
    placed = replace(runner, whole=Everywhere(runner.whole))
    (result,) = preflight(PreparedShow("test", cues=(cue("1", jump(0.5, count=1)),)), placed)
    assert any("mm inside the" in f.text and f.fails for f in result.findings)


class Everywhere:
    """Puts all bodies at one place."""

    def __init__(self, dynamics: UpperDynamics | None) -> None:
        assert dynamics is not None
        self._dynamics = dynamics
        self.torque, self.com = dynamics.torque, dynamics.com

    def placements(self, q: Floats) -> dict[str, Floats]:
        return {name: np.eye(4) for name in self._dynamics.placements(q)}


def test_a_robot_without_a_gait_fails_it_with_its_reason_at_its_time() -> None:
    profile = load_profile("kid_cosmo")
    texts = [f.text for f in result_of(run(0.5), jump(2.0), duration_s=5.0).findings]
    assert f"runs at 0.50 s; {profile.gaits.refusal('run')}" in texts
    timeline = cue("1", run(0.5), jump(2.0), duration_s=5.0)
    arms = body_from_profile(load_profile("two_arms"))
    (result,) = preflight(PreparedShow("test", cues=(timeline,)), arms)
    texts = [f.text for f in result.findings]
    assert "runs at 0.50 s; the robot does not run" in texts
    assert "jumps at 2.00 s; the robot does not jump" in texts


def test_the_show_of_the_runner_passes() -> None:
    report = preflight_show(LIBRARY / "meet_hopkin", load_profile("small_biped"))
    assert report.passed and not report.warnings
    moments = [m for timeline in report.prepared.cues for m in timeline.moments]
    assert any(isinstance(m, JumpSegment) for m in moments)
    assert any(isinstance(m, WalkSegment) and m.gait == "run" for m in moments)
    length_s = sum(timeline.duration_s for timeline in report.prepared.cues)
    assert 35.0 < length_s < 60.0
