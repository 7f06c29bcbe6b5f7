"""Orders and scripts, carried out on a twin within this process."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.errors import DeviceError
from devices.families.bear.twin.actuators import Bears
from devices.families.bear.twin.group import BearGroup
from devices.families.boards.twin.contact_board import ContactBoard
from devices.twin.clockwork import Clockwork
from devices.twin.fault_script import FaultInjector, read_script
from devices.twin.faults import NONE, Faults
from devices.twin.orders import ORDERS, parse
from tests.devices.sim.rig import JOINTS
from tests.devices.twin import rig


@pytest.fixture(scope="module")
def clockwork(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clockwork]:
    made = Clockwork(rig.settings(), tmp_path_factory.mktemp("twin"))
    yield made
    made.close()


@pytest.fixture
def faults(clockwork: Clockwork) -> FaultInjector:
    return FaultInjector(clockwork)


def do(faults: FaultInjector, *lines: str) -> None:
    for line in lines:
        assert faults.answer(line) == "ok", line


def test_faults_of_a_line_come_and_go(faults: FaultInjector, clockwork: Clockwork) -> None:
    do(faults, "fault imu drop=0.1 delay_ms=3", "fault boards way=down freeze=on lose=0.2")
    imu, boards = clockwork.lines["imu"], clockwork.lines["boards"]
    assert imu.up.faults == imu.down.faults == Faults(drop=0.1, delay_ms=3.0)
    assert boards.down.faults == Faults(lose=0.2, freeze=True)
    assert boards.up.faults is NONE
    do(faults, "heal imu")
    assert imu.up.faults is NONE
    assert boards.down.faults is not NONE
    do(faults, "heal")
    assert boards.down.faults is NONE


def test_a_hand_turns_a_limp_joint_and_lets_it_go(
    faults: FaultInjector, clockwork: Clockwork
) -> None:
    elbow, robot = JOINTS.index("left_elbow"), clockwork.robot
    for degrees in (30.0, 60.0):
        do(faults, f"turn left_elbow {degrees}")
        clockwork.go(clockwork.now_us + 600_000)
        assert np.degrees(robot.sample.q[elbow]) == pytest.approx(degrees, abs=6.0)
    do(faults, "turn left_elbow")
    clockwork.go(clockwork.now_us + 600_000)
    assert abs(np.degrees(robot.sample.q[elbow]) - 60.0) > 6.0
    assert "refused" in faults.answer("turn tail 3")


def bear_of(clockwork: Clockwork, joint: str) -> tuple[Bears, int]:
    """Return the registers of all BEARs, and which row is a joint's."""
    group = clockwork.robot.actuators["bear"]
    assert isinstance(group, BearGroup)
    return group.bears, list(group.torque()).index(joint)


def test_a_new_actuator_comes_with_its_makers_id(
    faults: FaultInjector, clockwork: Clockwork
) -> None:
    bears, row = bear_of(clockwork, "left_elbow")
    before = int(bears.ids[row])
    do(faults, "number left_elbow 77", "actuator left_elbow restart")
    assert bears.ids[row] == 77
    do(faults, f"number left_elbow {before}")
    for refused in ("number left_wrist 7", "number left_elbow 253"):
        assert faults.answer(refused).startswith("refused")


def test_hot_windings_a_flat_battery_and_broken_actuators(
    faults: FaultInjector, clockwork: Clockwork
) -> None:
    robot, power = clockwork.robot, clockwork.robot.body.actuators.power
    do(faults, "heat left_knee 95", "battery voltage=20.4")
    clockwork.go(clockwork.now_us + 100_000)
    assert robot.sample.winding_c[JOINTS.index("left_knee")] == pytest.approx(95.0, abs=2.0)
    assert robot.sample.battery_v == pytest.approx(20.4, abs=0.3)
    do(faults, "battery charge=0.9")
    assert power.charge == 0.9
    bears, row = bear_of(clockwork, "left_knee")
    do(faults, "actuator left_knee dead")
    assert not bears.alive[row]
    do(faults, "actuator left_knee alive", "actuator left_knee fault mask=16")
    clockwork.go(clockwork.now_us + 1_000)
    assert bears.alive[row]
    assert bears.errors[row] & 16
    do(faults, "actuator left_knee restart")


def test_stop_channels_boards_and_contacts(faults: FaultInjector, clockwork: Clockwork) -> None:
    chain, boards = clockwork.robot.chain, clockwork.robot.boards
    do(faults, "open a", "open wireless")
    assert (chain.channel_a, chain.channel_b, chain.wireless) == (False, True, False)
    do(faults, "close a", "close wireless")
    assert chain.closed
    foot = boards[0x60]
    assert isinstance(foot, ContactBoard)
    do(faults, "contact 96 0 on", "contact 96 1 broken", "board 97 mute")
    assert (foot.forced, foot.unhealthy, boards[0x61].mute) == ({0: True}, 0b10, True)
    do(faults, "contact 96 0 well", "contact 96 1 well", "board 97 speak", "board 97 restart")
    assert (foot.forced, foot.unhealthy, boards[0x61].mute) == ({}, 0, False)
    do(faults, "imu stuck")
    assert clockwork.robot.imu.stuck
    do(faults, "imu well", "imu restart")
    assert not clockwork.robot.imu.stuck


def test_an_operators_hands(faults: FaultInjector, clockwork: Clockwork) -> None:
    operator = clockwork.robot.operator
    do(faults, "press 1", "press button=10", "hold", "stick left_y 0.5", "remote_stop on")
    assert operator.buttons == 0b1000000001
    assert (operator.dead_man, operator.stop) == (True, True)
    assert operator.sticks == [0.0, 0.5, 0.0, 0.0]
    do(faults, "release 1", "let_go", "handset off quality=30", "remote_stop off")
    assert operator.buttons == 0b1000000000
    assert (operator.dead_man, operator.present, operator.stop) == (False, False, False)
    assert operator.link_quality == 30
    assert operator.remote
    do(faults, "remote_stop off off")
    assert (operator.stop, operator.remote) == (False, False)
    do(faults, "remote_stop off", "handset on", "hold", "lay_down")
    assert operator.remote
    assert (operator.buttons, operator.dead_man, operator.sticks) == (0, False, [0.0] * 4)


def test_pushes_time_and_reports(faults: FaultInjector, clockwork: Clockwork) -> None:
    before_us = clockwork.now_us
    do(faults, "push 30 0 0 0.05", "advance 0.01")
    assert clockwork.now_us == before_us + 10_000
    told = {}
    for what in ("truth", "hands", "screens", "lines", "boards", "actuators"):
        verdict, _, rest = faults.answer(f"tell {what}").partition(" ")
        assert verdict == "ok"
        told[what] = json.loads(rest)
    assert told["truth"]["external_force"] == [30.0, 0.0, 0.0]
    assert len(told["truth"]["q"]) == len(JOINTS)
    assert told["hands"]["t_s"] == pytest.approx(1e-6 * clockwork.now_us)
    assert (told["hands"]["present"], told["hands"]["channel_a"]) == (True, True)
    assert set(told["screens"]) == {"receiver", "native", "remote"}
    assert told["lines"]["imu"]["plugged"] is True
    assert told["boards"]["power"] == "LATCHED"
    assert set(told["actuators"]) == set(JOINTS)
    assert told["actuators"]["left_elbow"]["torque_enable"] == 0
    assert told["actuators"]["left_thumb"]["mode"] == 0
    faults.alone = False
    assert faults.answer("advance 1").startswith("refused")


def test_a_line_is_unplugged_and_plugged_in(faults: FaultInjector, clockwork: Clockwork) -> None:
    do(faults, "unplug head", "unplug head")
    assert clockwork.lines["head"].descriptor < 0
    clockwork.go(clockwork.now_us + 5_000)
    do(faults, "plug head", "plug head")
    assert clockwork.lines["head"].descriptor >= 0
    clockwork.go(clockwork.now_us + 5_000)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "is no order; give one of fault, heal"),
        ("dance", "'dance' is no order"),
        ("press 11", "press is refused"),
        ("press one", "press is refused"),
        ("press", "missing required field `button`"),
        ("press 1 2", "press takes 1 values; leave '2'"),
        ("press 1 button=2", "press has button twice"),
        ("stick left_y nan", "stick is refused"),
        ("stick up 1", "Invalid enum value 'up'"),
        ("fault imu drop=1.5", "fault is refused"),
        ("fault imu speed=1", "unknown field `speed`"),
        ("fault tail", "there is no line 'tail'; give one of left_leg"),
        ("heal tail", "there is no line 'tail'"),
        ("unplug tail", "there is no line 'tail'"),
        ("heat tail 50", "there is no joint 'tail'"),
        ("actuator left_wrist dead", "left_wrist has no actuator on a bus"),
        ("battery", "takes a charge or a voltage"),
        ("battery charge=0.5 voltage=22", "takes a charge or a voltage"),
        ("contact 96 7 on", "board 96 has no sensor 7"),
        ("contact 98 0 on", "board 98 has no sensor 0"),
        ("grip", "grip needs a client that stays connected"),
        ("board 1 mute", "there is no board 1; give one of 96"),
        ("push 1 2 3 inf", "push is refused"),
        ("tell " + "x" * 500, "an order has at most"),
    ],
)
def test_impossible_orders_are_refused_with_a_reason(
    faults: FaultInjector, line: str, why: str
) -> None:
    answer = faults.answer(line)
    assert answer.startswith("refused twin: ")
    assert why in answer
    assert "\n" not in answer


@given(st.text(max_size=60), st.sampled_from(sorted(ORDERS)))
def test_no_words_do_more_than_be_refused(words: str, verb: str) -> None:
    for line in (words, f"{verb} {words}"):
        try:
            parse(line)
        except DeviceError as error:
            assert str(error).startswith("twin: ")


def test_a_script_is_carried_out_in_time(clockwork: Clockwork) -> None:
    begin_s = 1e-6 * clockwork.now_us
    script = read_script(
        f"""
        # A hand on a button.
        {begin_s + 0.010} press 3      # for a while
        {begin_s + 0.030} release 3

        {begin_s + 0.0205} hold
        """
    )
    faults = FaultInjector(clockwork, script)
    clockwork.on_tick = faults.tick
    operator, seen = clockwork.robot.operator, []
    for _ in range(40):
        clockwork.go(clockwork.now_us + 1000)
        seen.append((operator.buttons, operator.dead_man))
    clockwork.on_tick = lambda now_us: None
    assert seen == [(0, False)] * 10 + [(4, False)] * 11 + [(4, True)] * 9 + [(0, True)] * 10
    operator.dead_man = False


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("press 3", "line 1 of the script does not begin with a time"),
        ("\n\n-1 press 3", "line 3 of the script does not begin with a time"),
        ("nan press 3", "does not begin with a time"),
        ("1.0 sing", "line 1 of the script: twin: 'sing' is no order"),
        ("1.0", "line 1 of the script: twin: '' is no order"),
    ],
)
def test_a_script_that_is_none_is_refused(text: str, why: str) -> None:
    with pytest.raises(DeviceError, match=why):
        read_script(text)


def test_an_order_of_a_script_that_cannot_be_carried_out_ends_the_run(
    clockwork: Clockwork,
) -> None:
    faults = FaultInjector(clockwork, read_script("0 unplug tail"))
    with pytest.raises(DeviceError, match="there is no line 'tail'"):
        faults.tick(0)


def test_a_push_that_is_reported_is_the_bodys(clockwork: Clockwork, faults: FaultInjector) -> None:
    before = clockwork.robot.body.data.qvel[:3].copy()
    do(faults, "push 0 0 400 0.05 hand=left", "advance 0.05")
    assert clockwork.robot.body.data.qvel[2] > before[2]
    assert np.isfinite(before).all()
