"""Rehearsals of other robots: the two arms, and two whose folders a test writes."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from app.commands.parser import build_parser
from app.commands.rehearse import _walk_orders
from core.__main__ import simulated_body
from core.lab.laboratory import ENDPOINT, Laboratory
from core.lab.rehearsal import Rehearsed, rehearse
from core.lab.script import Script
from core.link.wording import text
from core.robot.folders import robot_folder
from core.robot.profile_file import load_profile
from core.run.autopilot import Autopilot
from core.run.launch import LaunchConfig, WalkOrder
from core.safety.modes import Mode
from core.stage.preflight import preflight_show
from core.stage.timeline import JumpSegment
from core.tick.performer import Performer
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


def write_robot_with_soles(folder: Path) -> None:
    """Write Kid Cosmo's folder with an ankle roll in each leg and four points under each foot."""
    source = robot_folder("kid_cosmo")
    folder.mkdir()
    (folder / "body.toml").write_bytes((source / "body.toml").read_bytes())
    (folder / "meshes").symlink_to(source / "meshes")
    tree = ElementTree.parse(source / "robot.xml")
    profile = (source / "profile.toml").read_text(encoding="utf-8")
    for side in ("left", "right"):
        shank = next(b for b in tree.iter("body") if b.get("name") == f"{side}_shank")
        foot = next(b for b in shank.iter("body") if b.get("name") == f"{side}_foot")
        ankle = ElementTree.SubElement(
            shank, "body", name=f"{side}_ankle_link", pos=foot.attrib.pop("pos")
        )
        small = {"pos": "0 0 0", "mass": "0.1", "diaginertia": "1e-4 1e-4 1e-4"}
        ElementTree.SubElement(ankle, "inertial", small)
        pitch = foot.find("joint")
        assert pitch is not None
        ankle.append(pitch)
        shank.remove(foot)
        foot.remove(pitch)
        ankle.append(foot)
        roll = {"name": f"{side}_roll", "axis": "1 0 0", "range": "-30 30", "class": "kbmb"}
        foot.insert(0, ElementTree.Element("joint", roll))
        points = [geom for geom in foot.iter("geom") if geom.get("class") == "sole"]
        for geom in points:
            x, _, z = geom.get("pos", "").split()
            geom.set("pos", f"{x} 0.03 {z}")
            name = f"{geom.get('name')}_right"
            ElementTree.SubElement(
                foot, "geom", {**geom.attrib, "name": name, "pos": f"{x} -0.03 {z}"}
            )
        switches = ", ".join(
            f'"{g.get("name")}"' for g in foot.iter("geom") if g.get("class") == "sole"
        )
        row = next(line for line in profile.splitlines() if f'["{side}_ankle"' in line)
        profile = profile.replace(row, f"{row}\n{row.replace('ankle', 'roll')}")
        profile = re.sub(rf'switches = \["{side}_heel".*\]', f"switches = [{switches}]", profile)
    profile = re.sub(r"(_leg = \[.*)\]", r"\1, 0]", profile)
    profile = profile.replace('kind = "line"', 'kind = "sole"\nhalf_width = 0.03')
    profile = profile.replace('name = "kid_cosmo"', f'name = "{folder.name}"', 1)
    profile = profile.replace("default = true ", "default = false ")
    tree.write(folder / "robot.xml", encoding="unicode")
    (folder / "profile.toml").write_text(profile, encoding="utf-8")


def test_a_biped_with_soles_and_six_joints_in_a_leg_walks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_robot_with_soles(tmp_path / "wide_feet")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    lab = Laboratory(robot="wide_feet")
    done = lab.run(0, Script(4.0, [WalkOrder(vx=0.1, dur=3.0)]))
    assert not done.failed, lab.notes
    assert done.rows["q_true"].shape[1] == 30
    assert (done.rows["qp_status"][-3000:] == 1).all()
    assert done.rows["base_position_true"][-1, 0] > 0.2


@pytest.mark.long
def test_a_biped_plays_its_show_and_lands_on_the_beat() -> None:
    profile = load_profile("small_biped")
    prepared = preflight_show(LIBRARY / "meet_hopkin", profile).prepared
    cue = next(cue for cue in prepared.cues if cue.number == "3")
    (begin_s,) = (m.time_s for m in cue.moments if isinstance(m, JumpSegment) and m.count)
    config = LaunchConfig(ENDPOINT, robot="small_biped", pace="max")
    landings_s: list[float] = []  # in the cue
    air_s = 0.0

    def watch(performer: Performer) -> None:
        nonlocal air_s
        player = performer.player
        if player.current is None or player.current.number != "3":
            return
        if not any(performer.plant.state.contact):
            air_s += profile.tick_s
            return
        if air_s > 0.03:  # a shorter one is a bounce
            landings_s.append(player.elapsed_s(performer._now_s))
        air_s = 0.0

    body = simulated_body(config, profile)
    done = rehearse(profile, body, Autopilot(), show=prepared, watch=watch)
    assert done.report.completed and done.report.falls == 0, done.report.reason
    beat_s = 60.0 / 75.0
    assert len(landings_s) == 6 and landings_s[0] > begin_s
    assert max(abs(t - beat_s * round(t / beat_s)) for t in landings_s) < 0.04


def test_a_biped_runs_then_jumps_as_ordered_and_stands() -> None:
    options = build_parser().parse_args(
        ["rehearse", "--walk", "gait=run,vx=0.2,dur=3", "--walk", "gait=jump,count=2"]
    )
    profile = load_profile("small_biped")
    orders, reason = _walk_orders(options.walk, profile)
    assert not reason
    config = LaunchConfig(ENDPOINT, robot="small_biped", pace="max", walk=orders)
    flies: list[tuple[bool, bool]] = []  # the robot flies; a jump is requested

    def watch(performer: Performer) -> None:
        now = (not any(performer.plant.state.contact), performer.hand.jump.asked is not None)
        if performer.mode is Mode.WALK and (not flies or flies[-1] != now):
            flies.append(now)

    done = rehearse(profile, simulated_body(config, profile), Autopilot(orders), watch=watch)
    assert done.report.completed, done.report.reason
    assert done.report.falls == 0 and done.report.distance_m > 0.4
    assert flies.count((True, False)) > 5 and flies.count((True, True)) >= 1
    assert flies[-1] == (False, False)
    assert "refused" not in [event.code for event in done.listener.events]
