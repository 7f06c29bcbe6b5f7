"""The partner's process for real: a puppeteer through faults, a flood and silence."""

import signal
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from assets.takes.scenes import punch, wave
from core.link.partner import (
    Calibrate,
    EndTeach,
    Follow,
    FollowStatus,
    Human,
    PairSource,
    Posture,
    RecordTake,
    Teach,
    UseRepertoire,
    UseSource,
)
from core.link.wording import sentence
from devices.capture.camera import PACKAGES
from devices.capture.puppet import EASE_S
from shows.bvh_human import save_bvh
from shows.folders import VARIABLE
from shows.human import INDEX, HumanTake
from shows.repertoire import load_repertoire
from tests.core.lab.test_rehearsal_robots import PROFILE, ROBOT
from tests.core.partner.performer import performed
from tests.core.partner.senders import HOST, STRANGER, flood, free_port
from tests.core.partner.stage import T_POSE_S, Stage
from tests.devices.capture.film import film

pytestmark = pytest.mark.realtime
FLOOD_HZ = 10_000.0
FAULTS = {"loss": 0.05, "jitter_s": 0.02, "seed": 5}


def rate_hz(postures: list[Posture]) -> float:
    """Return the mean rate of postures by their stamps [Hz]."""
    return (len(postures) - 1) / (postures[-1].stamp_s - postures[0].stamp_s)


def test_a_person_is_followed_through_faults_until_the_source_is_silent(tmp_path: Path) -> None:
    port = free_port()
    with Stage(f"vmc:{port}@{HOST}") as stage:
        assert stage.report.source.paired == (HOST, 0)
        stage.tell(Teach("wave"), UseRepertoire(str(tmp_path / "nowhere")))
        stage.see(lambda: "no repertoire is loaded" in stage.report.teach.trouble)
        stage.see(lambda: "does not exist" in stage.report.repertoire_trouble)
        puppet = stage.puppet("side_step", "vmc", port, t_pose_s=T_POSE_S, loops=9, **FAULTS)
        stage.calibrate(puppet)
        source, calibration = stage.report.source, stage.report.calibration
        assert source.rate_hz == pytest.approx(57.0, abs=6.0) and source.age_s < 0.3
        assert 0.001 < source.jitter_s < 0.03 and 0.5 < calibration.scale < 1.0
        stage.see(lambda: stage.count("human") > 10)
        assert stage.count("posture") == 0  # nobody asked the robot to follow
        stage.follow = FollowStatus(3, Follow())
        stage.see(lambda: stage.count("posture") > 0)
        first: Posture = stage.heard["posture"][0]
        assert first.steps and first.number == 3 and time.monotonic() - first.stamp_s < 0.5
        assert np.abs(first.com[:2]).max() < 0.1

        begin = stage.count("posture")
        reports = stage.count("partner_report")
        with flood(port, FLOOD_HZ):
            time.sleep(2.0)
            flooded = stage.heard["posture"][begin:]
            reports = stage.count("partner_report") - reports
        assert rate_hz(flooded) == pytest.approx(33.0, abs=3.0) and reports >= 15
        source = stage.report.source
        assert source.stranger[0] == STRANGER and source.paired[0] == HOST
        assert source.refused["another address"] > 1000

        # A mirror: the person steps to the left, and the robot to its right.
        stage.see(lambda: min(one.com[1] for one in stage.heard["posture"]) < -0.08)
        assert max(one.com[1] for one in stage.heard["posture"]) < 0.08
        assert {one.on for one in stage.heard["posture"]} >= {(True, True), (True, False)}
        assert set(stage.report.error_deg) == {"left_arm", "right_arm", "head"}

        stage.follow = FollowStatus(4, Follow(mirror_sides=False))
        stage.see(lambda: stage.heard["posture"][-1].number == 4)
        puppet.send_signal(signal.SIGSTOP)
        stage.see(lambda: stage.report.source.age_s > 0.5)
        stopped = stage.count("posture")
        time.sleep(0.3)
        assert stage.count("posture") == stopped and stage.report.source.rate_hz < 60.0
        puppet.send_signal(signal.SIGCONT)
        stage.see(lambda: stage.report.source.age_s < 0.2 and stage.count("posture") > stopped)
        puppet.kill()
        stage.see(lambda: stage.report.source.age_s > 1.2)
        assert stage.report.source.rate_hz == 0.0
        stage.process.terminate()
        assert stage.process.wait(10.0) == 0


@pytest.mark.skipif(any(find_spec(name) is None for name in PACKAGES), reason="no camera")
def test_a_person_in_a_video_is_calibrated_and_its_end_is_told(tmp_path: Path) -> None:
    path = film(tmp_path, (("t_pose", 10.0), ("wave", 2.0)))
    with Stage(f"camera:{path}") as stage:
        stage.see(lambda: stage.report.source.paired == (path.name, 0))
        stage.see(lambda: stage.report.source.rate_hz > 8.0)
        stage.tell(Calibrate())
        stage.see(lambda: stage.report.calibration.state not in ("none", "holding"))
        reason = stage.report.calibration.reason
        assert reason is None, sentence(reason)
        stage.follow = FollowStatus(3, Follow(legs=True))
        stage.see(lambda: stage.count("posture") > 0)
        assert not stage.heard["posture"][0].steps
        stage.see(lambda: stage.count("human") > 10)
        stage.see(lambda: "has ended" in stage.report.source.trouble)
        last: Human = stage.newest("human")
        assert last.positions[INDEX["right_hand"]][2] > last.positions[INDEX["right_lower_arm"]][2]
        ended = stage.count("human")
        time.sleep(0.3)
        assert stage.count("human") == ended and stage.report.source.age_s > 0.3


def test_a_robot_that_nobody_can_lead_keeps_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = PROFILE.replace('kind = "head"', 'kind = "torso"')
    profile = profile.replace(profile[profile.index("[gaze]") : profile.index("[actuators")], "")
    (tmp_path / "talking_head").mkdir()
    for name, content in (("robot.xml", ROBOT), ("profile.toml", profile)):
        (tmp_path / "talking_head" / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with Stage(robot="talking_head") as stage:
        assert "the robot has no arm with a side and no head" in stage.report.source.trouble
        stage.process.terminate()
        assert stage.process.wait(10.0) == 0


def joined(takes: list[HumanTake]) -> HumanTake:
    """Return takes one after the other."""
    points = np.concatenate([take.positions for take in takes])
    turns = np.concatenate([take.orientations for take in takes])
    return HumanTake("joined", takes[0].rate_hz, points, turns)


@pytest.mark.long
@pytest.mark.timeout(180)
def test_two_motions_are_taught_and_answered_over_mvn(tmp_path: Path) -> None:
    scenes = [punch] * 4 + [wave] * 4 + [punch, wave]
    takes = [performed(scene, seed, speed=1.7) for seed, scene in enumerate(scenes)]
    save_bvh(joined(takes), tmp_path / "duel.bvh")
    folder, port = tmp_path / "gala" / "repertoires" / "duel", free_port()
    folder.parents[1].mkdir()
    with Stage() as stage:
        stage.tell(UseSource("mvn", port), PairSource(HOST), UseRepertoire(str(folder)))
        stage.see(lambda: stage.report.repertoire == str(folder))
        begun_s = time.monotonic()
        t_pose_s = 4.5
        puppet = stage.puppet(str(tmp_path / "duel.bvh"), "mvn", port, t_pose_s=t_pose_s, **FAULTS)
        stage.see(lambda: stage.report.source.age_s < 1.0)
        begun_s = time.monotonic()
        stage.calibrate(puppet)
        at_s = begun_s + t_pose_s + EASE_S
        for number, take in enumerate(takes[:8]):
            if number % 4 == 0:
                name, answer = (("punch", "bow"), ("wave", "thumbs_up"))[number // 4]
                stage.tell(Teach(name, answer))
            time.sleep(max(0.0, at_s + 0.2 - time.monotonic()))
            stage.tell(RecordTake(True))
            at_s += take.duration_s + 1.0 / take.rate_hz
            time.sleep(max(0.0, at_s - 0.4 - time.monotonic()))
            assert stage.report.teach.recording_s is not None
            stage.tell(RecordTake(False))
            stage.see(lambda: stage.report.teach.recording_s is None)
            assert stage.report.teach.trouble == ""
            if number % 4 == 3:
                postures = stage.count("human")
                stage.tell(EndTeach())
                stage.see(lambda: stage.report.teach.name == "")
                assert stage.count("human") > postures  # it learns beside them
        stage.follow = FollowStatus(9, Follow("answer", repertoire="duel"))
        stage.see(lambda: stage.count("reply") == 2, 20.0)
        replies = [(one.number, one.heard, one.motion) for one in stage.heard["reply"]]
        assert replies == [(9, "punch", "bow"), (9, "wave", "thumbs_up")]
        assert [symbol.takes for symbol in stage.report.symbols] == [4, 4]
    assert [motion.name for motion in load_repertoire(folder).motions] == ["punch", "wave"]
