"""Rehearsals of other robots: the two arms, and one whose folder a test writes."""

from pathlib import Path

import numpy as np
import pytest

from core.__main__ import simulated_body
from core.lab.laboratory import ENDPOINT
from core.lab.rehearsal import Rehearsed, rehearse
from core.link.wording import text
from core.robot.profile_file import load_profile
from core.run.autopilot import Autopilot
from core.run.launch import LaunchConfig
from core.stage.preflight import preflight_show
from devices.interface import Support
from shows.folders import LIBRARY, VARIABLE
from shows.motion import Motion, save_motion

ROBOT = """
<mujoco>
  <compiler angle="degree" autolimits="true"/>
  <worldbody>
    <body name="plinth">
      <geom type="cylinder" size="0.1 0.2" pos="0 0 0.2"/>
      <body name="neck_link" pos="0 0 0.4">
        <inertial pos="0 0 0.05" mass="0.4" diaginertia="0.001 0.001 0.001"/>
        <joint name="turn" axis="0 0 1" range="-80 80" armature="0.01"/>
        <geom type="capsule" size="0.03 0.04"/>
        <body name="skull" pos="0 0 0.1">
          <inertial pos="0 0 0.1" mass="0.9" diaginertia="0.004 0.004 0.004"/>
          <joint name="tip" axis="0 1 0" range="-30 30" armature="0.01"/>
          <geom type="sphere" size="0.1" pos="0 0 0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
PROFILE = """
schema = 2
name = "talking_head"
title = "Talking Head"
model = "robot.xml"
tick_s = 0.01
supports = { mounted = "rest" }
limbs = [{ name = "face", title = "Face", kind = "head" }]

[supply]
nominal_v = 12.0

[fixed]
rise_s = 1.0
settle_s = 1.0

[gaze]
yaw = "turn"
pitch = "tip"

[actuators.servo]
stall_torque = 4.0
torque_constant = 1.0
speed_constant_rpm_per_v = 5.0
friction_coulomb = 0.02
friction_viscous = 0.02
control = "position"

[joints]
columns = ["name", "limb", "role", "actuator", "kp", "kd"]
rows = [
    ["turn", "face", "yaw", "servo", 30.0, 1.0],
    ["tip", "face", "pitch", "servo", 30.0, 1.0],
]

[postures.rest]
face = [0, 0]
"""
BODY = """
schema = 1
idle_w = 5.0

[noise]
encoder_bits = 16
velocity = 0.002
torque = 0.02
torque_floor = 0.002
"""
SHOW = """{"schema": 2, "name": "A nod", "robot": "talking_head", "cues": [
{"number": "1", "name": "Nod", "tracks": [
{"kind": "gesture", "clips": [{"start_s": 0.2, "motion": "yes"}]}]}]}
"""


def play(robot: str, show: Path) -> Rehearsed:
    """Return a rehearsal of a show that has passed its preflight."""
    profile = load_profile(robot)
    report = preflight_show(show, profile)
    assert report.passed, report.rows()
    config = LaunchConfig(endpoint=ENDPOINT, robot=robot, pace="max")
    support = Support(profile.chosen_support(None))
    body = simulated_body(config, profile)
    return rehearse(profile, body, Autopilot(), support, show=report.prepared)


def test_two_arms_play_their_show_to_the_end() -> None:
    done = play("two_arms", LIBRARY / "arms_at_work")
    assert done.report.completed, text(done.report.reason)
    assert done.report.cues_played == 6
    assert np.median(np.diff(done.rows["t"])) == pytest.approx(0.005)


def test_a_folder_is_enough_for_a_robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "talking_head"
    folder.mkdir()
    for name, content in (("robot.xml", ROBOT), ("profile.toml", PROFILE), ("body.toml", BODY)):
        (folder / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    (tmp_path / "show").mkdir()
    (tmp_path / "show" / "show.json").write_text(SHOW, encoding="utf-8")
    t = np.linspace(0.0, 2.0, 101)
    nod = 0.3 * (1.0 - np.cos(2.0 * np.pi * t / 2.0))[:, None] * 0.5
    (folder / "gestures").mkdir()
    save_motion(Motion("yes", ("tip",), 50.0, nod, title="Yes"), folder / "gestures" / "yes.json")
    done = play("talking_head", tmp_path / "show")
    assert done.report.completed, text(done.report.reason)
    assert done.report.cues_played == 1
    assert done.rows["q_true"].shape[1] == 2
    assert done.rows["q_true"][:, 1].max() == pytest.approx(0.3, abs=0.03)
    assert np.median(np.diff(done.rows["t"])) == pytest.approx(0.01)
