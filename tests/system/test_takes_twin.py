"""Takes on the twin: each freedom in the actuators' own modes, and a device that is lost."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.link.commands import BackDrive, EndBackDrive, StartTake
from core.link.take import TakePlan, TakeStatus
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from devices.families.bear.wire.registers import ControlMode, TorqueEnable
from devices.families.boards.wire.hand import HandMode
from shows.limbs import LimbFreedom
from shows.take import RATE_HZ, read_take
from tests.system.test_unplugged import NAMED_S, Watched, watched

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),  # three processes go through seconds of a robot's time
]
ARM, HAND, OTHER = "left_arm", "left_hand", "right_arm"
LINE = "left_arm"  # of the arm's actuators
LET_GO_S, SEEN_S = 0.6, 0.3
TURNED_DEG = 70.0
ELBOW = "left_elbow"
LEAST_A = 0.1  # of the current that carries the raised forearm
Told = dict[str, dict[str, float]]


class Studio:
    """A robot on its ropes, whose limbs are released, and what its actuators were told."""

    def __init__(self, core: Watched) -> None:
        self.core = core
        self.profile = load_profile(LaunchConfig("").robot)
        core.rise("READY")

    def told(self) -> Told:
        return self.core.ask("tell actuators")

    def go(self, seconds: float) -> None:
        """Let the robot's time go on."""
        begin_s = self.core.status.stamp_s
        while self.core.status.stamp_s - begin_s < seconds:
            self.core.next()

    def release(self, **limbs: LimbFreedom) -> Told:
        """Choose freedoms; return what the actuators were told a while later."""
        begin_s = self.core.status.stamp_s
        self.core.client.send(BackDrive(dict(limbs)))
        wanted = set(limbs.values())
        seen = lambda: wanted <= set(self.core.status.freedoms)  # noqa: E731
        self.core.until("the limbs are released", seen, begin_s, 5.0)
        self.go(SEEN_S)
        return self.told()

    def take(self) -> TakeStatus:
        assert self.core.status.take is not None
        return self.core.status.take


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with watched(tmp_path_factory.mktemp("ports")) as core:
        yield Studio(core)


def test_each_freedom_is_a_mode_of_the_actuators(studio: Studio) -> None:
    profile = studio.profile
    arm, hand = profile.joints_of(ARM), profile.joints_of(HAND)
    others = [name for name in studio.told() if name not in (*arm, *hand)]
    driven = studio.told()

    held = studio.release(left_arm="held", left_hand="held")
    for name in arm:
        assert held[name]["torque_enable"] == TorqueEnable.ON
        assert held[name]["mode"] == ControlMode.FORCE
        assert held[name]["p_gain_force"] == driven[name]["p_gain_force"] > 0.0
    assert {held[name]["mode"] for name in hand} == {HandMode.HOLD}
    assert min(held[name]["torque_limit"] for name in hand) > 0.0
    studio.core.order(f"turn {ELBOW} {TURNED_DEG}")
    studio.go(LET_GO_S)
    assert goal(studio.told()) == pytest.approx(goal(held), abs=np.radians(1.0)), "it yields"
    studio.core.order(f"turn {ELBOW}")

    hanging = studio.release(left_arm="floating")
    studio.core.order(f"turn {ELBOW} {TURNED_DEG}")
    studio.go(LET_GO_S)
    floating = studio.told()
    studio.core.order(f"turn {ELBOW}")
    for name in arm:
        assert floating[name]["torque_enable"] == TorqueEnable.ON
        assert floating[name]["mode"] == ControlMode.FORCE
        assert floating[name]["p_gain_force"] == held[name]["p_gain_force"]
        assert floating[name]["goal_velocity"] == 0.0
    assert abs(goal(floating) - goal(held)) > np.radians(15.0), "it does not follow the hand"
    studio.go(LET_GO_S)
    raised = studio.told()
    more_a = raised[ELBOW]["goal_iq"] - hanging[ELBOW]["goal_iq"]
    assert more_a * np.sign(goal(raised) - goal(hanging)) > LEAST_A, "its weight is not carried"

    limp = studio.release(left_arm="limp", left_hand="limp")
    assert {limp[name]["torque_enable"] for name in arm} == {TorqueEnable.OFF}
    assert {limp[name]["mode"] for name in hand} == {HandMode.OFF}
    for name in others:
        word = "torque_enable" if "torque_enable" in limp[name] else "mode"
        assert limp[name][word] == driven[name][word], f"{name} is another limb's"

    again = studio.release(left_arm="held", left_hand="held")
    assert {again[name]["torque_enable"] for name in arm} == {TorqueEnable.ON}
    assert {again[name]["mode"] for name in hand} == {HandMode.HOLD}
    studio.core.client.send(EndBackDrive())
    begin_s = studio.core.status.stamp_s
    studio.core.until("it is free", lambda: studio.core.status.mode == "READY", begin_s, 5.0)


def goal(told: Told) -> float:
    """Return the elbow's goal in turns of its actuator [rad]."""
    return told[ELBOW]["goal_position"]


@pytest.mark.parametrize("line", [OTHER, LINE])
def test_a_device_lost_while_recording_keeps_the_take(
    studio: Studio, tmp_path: Path, line: str
) -> None:
    core, path = studio.core, tmp_path / "lost.take"
    core.rise("READY")
    studio.release(left_arm="floating")
    core.client.send(StartTake(TakePlan(path=str(path), limbs=(ARM,))))
    begin_s = core.status.stamp_s

    def is_recorded() -> bool:
        take = core.status.take
        return take is not None and take.path == str(path) and take.saved_s > 0.5

    core.until("it is recorded", is_recorded, begin_s, 20.0)
    started_s = core.status.stamp_s - studio.take().time_s
    lost_s = core.order(f"unplug {line}")
    core.until(f"{line} is missing", lambda: core.missing(line), lost_s, NAMED_S)
    core.until("it is kept", lambda: studio.take().stage == "saved", lost_s, 20.0)
    assert studio.take().ended is not None, "nobody is told why it ended"
    core.order(f"plug {line}")
    take = read_take(path)
    assert take.whole and not take.damaged_bytes and not take.gaps()
    assert take.time_s[-1] > lost_s - started_s - 2.0 / RATE_HZ
    until = take.time_s < lost_s - started_s
    assert np.isfinite(take.positions[until]).all()
    back_s = core.status.stamp_s
    core.until(f"{line} is back", lambda: core.back(line), back_s, 5.0)
