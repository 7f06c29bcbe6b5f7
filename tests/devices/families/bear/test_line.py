"""One line of actuators, and whatever may go wrong on the way to them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devices.families.bear.line import CONFIRM_ROUNDS, ENABLE_ROUNDS
from devices.families.bear.setup import CLEAR_S
from devices.families.bear.wire.registers import (
    D_GAIN_FORCE,
    GOAL_IQ,
    GOAL_POSITION,
    INPUT_VOLTAGE,
    LIMIT_I_MAX,
    MODE,
    P_GAIN_FORCE,
    POWERSTAGE_TEMPERATURE,
    TEMP_LIMIT_HIGH,
    TORQUE_ENABLE,
    WATCHDOG_TIMEOUT,
    WINDING_TEMPERATURE,
)
from tests.devices.families.bear.bears import Bear
from tests.devices.real.rig import SILENT_S, TICK_S, Rig
from tests.draws import share

AWAY_TICKS = round((SILENT_S + 0.06) / TICK_S)  # until the driver has noticed and looked again
GARBAGE = bytes(range(256)) * 3 + b"\xff\xff\x01\x12" * 9


def test_a_plug_that_is_pulled_is_reported_at_once_and_nothing_returns_by_itself(rig: Rig) -> None:
    rig.stand()
    rig.lines[0].unplug()
    rig.tick()
    assert rig.texts() == ["bus 0: unplugged; check the adapter's USB plug"]
    rig.tick(times=AWAY_TICKS)
    ages = rig.sample.joint_age_s
    assert (ages[:3] > 0.1).all() and (ages[3:] < 0.002).all()
    assert np.isfinite(rig.sample.q).all()
    for bear in rig.lines[0].bears:
        bear.power_on()
        bear.torque.clear()
    rig.lines[0].plug_in()
    rig.lines[0].begin(rig.ports["line_0"])
    rig.tick(times=300)  # commands all the while
    assert (rig.sample.joint_age_s < 0.005).all()
    assert not any(bear.driven or 1 in bear.torque for bear in rig.lines[0].bears)
    assert all(bear.driven for bear in rig.lines[1].bears)
    assert any("was silent" in text for text in rig.texts())
    rig.tick("stop", 3)
    rig.tick("drive", 30)
    assert all(bear.driven for bear in rig.bears)
    assert rig.texts() == []


def test_a_line_is_looked_for_at_most_every_fifth_of_a_second(rig: Rig) -> None:
    rig.stand()
    rig.lines[0].unplug()
    rig.tick("stop")
    rig.lines[0].plug_in()
    rig.lines[0].begin(rig.ports["line_0"])
    rig.tick("stop", 198)
    assert rig.ports["line_0"].openings == 1
    rig.tick("stop", 3)
    assert rig.ports["line_0"].openings == 2


def test_an_actuator_that_is_silent_does_not_disturb_the_others(rig: Rig) -> None:
    rig.stand()
    lost = rig.lines[0].bears[1]
    lost.deaf = True
    oldest = 0.0
    for _ in range(400):
        sample = rig.tick()
        oldest = max(oldest, sample.joint_age_s[[0, 2, 3, 4]].max())
    assert oldest < 0.004
    assert rig.sample.joint_age_s[1] > 0.39
    assert rig.texts() == ["bus 0: joint 1 (id 2) does not answer; check its supply and plugs"]
    lost.deaf = False
    lost.power_on()
    lost.torque.clear()
    rig.tick(times=300)
    assert rig.sample.joint_age_s[1] < 0.005
    assert not lost.driven and 1 not in lost.torque
    assert lost.get(MODE) == 3
    assert "was silent" in rig.texts()[0]
    rig.tick("damp", 3)
    rig.tick(times=30)
    assert all(bear.driven for bear in rig.bears)
    assert rig.texts() == []


def test_a_silent_actuator_is_named_within_a_quarter_of_a_second(rig: Rig) -> None:
    rig.stand()
    rig.lines[1].bears[0].silent = True
    ticks = 0
    while not rig.texts():
        rig.tick()
        ticks += 1
    assert ticks <= 200


def test_one_that_hears_and_does_not_answer_is_switched_off(rig: Rig) -> None:
    rig.stand()
    mute = rig.lines[1].bears[0]
    mute.silent = True
    rig.tick(times=AWAY_TICKS)
    assert mute.get(TORQUE_ENABLE) == 0
    rig.tick("stop")
    mute.set(TORQUE_ENABLE, 1)
    rig.tick("stop", 2)
    assert mute.get(TORQUE_ENABLE) == 0


def test_a_line_without_actuators_says_so_once(rig: Rig) -> None:
    for bear in rig.lines[0].bears:
        bear.deaf = True
    rig.tick("stop", 600)
    assert rig.texts() == ["bus 0: no actuator answers; check their supply and the bus cable"]
    assert np.isinf(rig.sample.joint_age_s[:3]).all()
    assert (rig.sample.joint_age_s[3:] < 0.002).all()


def test_a_short_silence_is_passed_over(rig: Rig) -> None:
    rig.stand()
    bear = rig.lines[0].bears[0]
    bear.silent = True
    rig.tick(times=round(0.5 * SILENT_S / TICK_S))
    assert rig.sample.joint_age_s[0] > 0.02
    bear.silent = False
    rig.tick(times=10)
    assert rig.sample.joint_age_s[0] < 0.002
    assert bear.driven
    assert rig.texts() == []


def test_one_that_lost_its_torque_by_itself_stays_limp(rig: Rig) -> None:
    """Its own watchdog, an E-stop pin or a fault: it answers all the time."""
    rig.stand()
    bear = rig.lines[0].bears[0]
    bear.error = 0x88
    bear.set(TORQUE_ENABLE, 0)
    bear.torque.clear()
    rig.tick(times=100)
    assert 1 not in bear.torque
    assert bear.get(GOAL_IQ) == 0.0
    assert rig.sample.joint_age_s[0] < 0.002
    bear.error = 0x80
    rig.tick(times=100)
    assert 1 not in bear.torque
    assert "lost its torque by itself" in rig.texts()[0]
    rig.tick("stop", 10)
    rig.tick(times=30)
    assert bear.driven


def test_one_that_started_anew_between_two_rounds_is_set_up_again(rig: Rig) -> None:
    rig.stand()
    bear = rig.lines[0].bears[0]
    bear.power_on()
    rig.tick(times=100)
    assert not bear.driven
    rig.tick("stop", 100)
    assert bear.get(MODE) == 3
    assert rig.texts() == []
    rig.tick(times=30)
    assert bear.driven


def test_one_that_keeps_its_torque_is_named(rig: Rig) -> None:
    rig.stand()
    bear = rig.lines[0].bears[0]

    def clings(address: int, data: bytes) -> None:
        if address != TORQUE_ENABLE.address:
            Bear.write_status(bear, address, data)

    bear.write_status = clings  # type: ignore[method-assign]
    rig.tick("stop", CONFIRM_ROUNDS + 10)
    assert rig.texts() == [
        "bus 0: joint 0 (id 1) keeps its torque after a switch-off; press the E-stop"
    ]
    assert rig.body.troubles()[0].grave


@settings(max_examples=share(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.one_of(st.binary(min_size=1, max_size=400), st.just(GARBAGE)))
def test_after_noise_the_second_round_is_good(rig: Rig, noise: bytes) -> None:
    rig.tick("stop", 60)
    port = rig.ports["line_0"]
    rig.lines[0].say(noise, port)
    rig.tick("stop")  # the replies to the request before stand behind the noise
    rig.tick("stop")
    assert (rig.tick("stop").joint_age_s < 0.002).all()
    assert rig.texts() == []


def test_noise_at_line_rate_between_all_replies_costs_rounds_not_the_line(rig: Rig) -> None:
    rig.stand()
    random = np.random.default_rng(5)
    for _ in range(40):
        rig.lines[0].say(random.bytes(800), rig.ports["line_0"])
        rig.tick()
    assert rig.drives.lines[0].counts.noise_bytes > 10_000
    rig.tick(times=2)
    assert (rig.sample.joint_age_s < 0.002).all()
    assert all(bear.driven for bear in rig.bears)


def test_replies_of_another_id_are_not_taken(rig: Rig) -> None:
    rig.stand()
    rig.lines[0].bears[0].id = 9
    rig.serve()
    rig.tick(times=10)
    assert rig.sample.joint_age_s[0] > 0.008
    assert (rig.sample.joint_age_s[1:] < 0.002).all()
    assert rig.drives.lines[0].counts.silent[1] > 5


def test_replies_that_come_a_round_too_late_are_found_out(rig: Rig) -> None:
    rig.tick("stop", 60)
    rig.lines[0].held_back = 1
    ages = [rig.tick("stop").joint_age_s[:3].max() for _ in range(40)]
    assert max(ages) > 0.003  # they are not taken for new ones for ever
    assert (rig.sample.winding_c == 30.0).all()  # nor is one register for another
    rig.lines[0].held_back = 0
    rig.tick("stop", 200)
    assert (rig.sample.joint_age_s < 0.002).all()


def test_a_winding_that_tells_no_number_reaches_the_core(rig: Rig) -> None:
    rig.stand()
    rig.lines[0].bears[1].set(WINDING_TEMPERATURE, np.nan)
    rig.tick(times=8)
    assert np.isnan(rig.sample.winding_c[1])
    assert rig.sample.joint_age_s[1] < 0.002


def test_a_line_without_room_costs_rounds_only(rig: Rig) -> None:
    """Nobody reads the far end until the terminal is full."""
    rig.stand()
    port, line = rig.ports["line_0"], rig.lines[0]
    while port.refused < 3:
        rig.time.time_s += TICK_S
        rig.body.read()
        rig.body.stop()
        assert port.bytes_out < 1_000_000
    rig.tick("stop", 100)
    assert rig.sample.joint_age_s[:3].max() < 0.002
    assert line.bears[0].get(TORQUE_ENABLE) == 0


def test_an_adapter_that_takes_nothing_more_is_reported_and_nothing_goes_on_by_itself(
    tmp_path: Path,
) -> None:
    """Its memory is full before the actuators count as away; then it sends on again."""
    rig = Rig(tmp_path, (10,), silent_s=3.0)
    try:
        rig.stand()
        port = rig.ports["line_0"]
        while not port.refused:
            rig.time.time_s += TICK_S
            rig.body.read()
            rig.body.write(rig.command)
            assert rig.drives.lines[0].member.all()
        rig.time.time_s += 3.0
        rig.body.read()
        rig.body.write(rig.command)
        assert "no actuator answers" in rig.texts()[0]
        rig.lines[0].expect(port.bytes_out - rig.lines[0]._taken)
        rig.lines[0].begin(port)
        rig.tick("drive", 100)
        assert not any(bear.driven for bear in rig.bears)
    finally:
        rig.close()


def test_without_an_orderly_stop_nothing_is_driven(rig: Rig) -> None:
    rig.tick("drive", 200)
    assert (rig.sample.joint_age_s < 0.005).all()
    assert not any(1 in bear.torque for bear in rig.bears)


def test_goals_come_before_the_torque(rig: Rig) -> None:
    rig.tick("stop", 60)
    for bear in rig.bears:
        bear.set(GOAL_POSITION, 99.0)
    rig.tick("drive", ENABLE_ROUNDS + 2)
    woken = [bear.woken_at for bear in rig.bears]
    assert woken == pytest.approx(rig.command.q.tolist())


def test_the_torque_is_switched_on_a_few_times_only(rig: Rig) -> None:
    rig.tick("stop", 60)
    rig.serve()
    for bear in rig.bears:
        bear.torque.clear()
    rig.tick("drive", 100)
    assert all(bear.torque == [1] * ENABLE_ROUNDS for bear in rig.bears)


@pytest.mark.parametrize(("what", "word"), [("damp", 3), ("stop", 0)])
def test_damping_and_stopping_reach_every_actuator_each_tick(
    rig: Rig, what: str, word: int
) -> None:
    rig.stand()
    for bear in rig.bears:
        bear.torque.clear()
    rig.tick(what, 10)
    rig.serve()
    assert all(bear.torque == [word] * 10 for bear in rig.bears)
    assert (rig.sample.joint_age_s < 0.002).all()


def test_setup_brings_mode_gains_and_limits_with_the_torque_off(geared: Rig) -> None:
    geared.tick("stop", 60)
    bear = geared.bears[0]
    assert bear.get(MODE) == 3
    assert bear.get(P_GAIN_FORCE) == pytest.approx(20.0 / (2.0 * 3.0))
    assert bear.get(D_GAIN_FORCE) == pytest.approx(1.0 / (2.0 * 3.0))
    assert bear.get(LIMIT_I_MAX) == pytest.approx(5.0)
    assert bear.get(TEMP_LIMIT_HIGH) == 110.0
    assert bear.get(WATCHDOG_TIMEOUT) == 250
    assert bear.torque[0] == 0


def test_a_setting_that_is_not_taken_is_named(rig: Rig) -> None:
    stubborn = rig.lines[0].bears[2]

    def refuses(address: int, data: bytes) -> None:
        if address != LIMIT_I_MAX.address:
            Bear.write_config(stubborn, address, data)

    stubborn.write_config = refuses  # type: ignore[method-assign]
    rig.tick("stop", 100)
    assert rig.texts() == [
        "bus 0: joint 2 (id 3) keeps limit_i_max at 0 instead of 6.9;"
        " correct the setting or replace the actuator"
    ]
    rig.tick("drive", 50)
    assert not stubborn.driven


def test_a_strange_firmware_is_reported_once_a_line(tmp_path: Path) -> None:
    rig = Rig(tmp_path, (3, 2), firmware=())
    rig.tick("stop", 80)
    texts = rig.texts()
    rig.close()
    assert len(texts) == 2
    assert "firmware 01020304 is not listed" in texts[0]


@pytest.mark.parametrize(
    ("error", "words", "grave"),
    [(0x82, "overheat", False), (0xA0, "hardware", True), (0x00, "no error byte", True)],
)
def test_an_error_byte_becomes_words(rig: Rig, error: int, words: str, grave: bool) -> None:
    rig.stand()
    rig.lines[1].bears[1].error = error
    rig.tick(times=2)
    (trouble,) = rig.body.troubles()
    assert trouble.device == "bus 1"
    assert trouble.text.startswith(f"joint 4 (id 2) reports {words}: ")
    assert trouble.grave is grave


def test_our_own_damping_is_no_fault(rig: Rig) -> None:
    rig.stand()
    for bear in rig.bears:
        bear.error = 0x88
    rig.tick("damp", 3)
    assert rig.texts() == []


@pytest.mark.parametrize("what", ["stop", "drive"])
def test_our_own_damping_is_no_fault_when_it_ends(rig: Rig, what: str) -> None:
    rig.stand()
    for bear in rig.bears:
        bear.error = 0x88
    rig.tick("damp", 3)
    rig.tick(what)  # what is known of them is still from before
    assert rig.texts() == []
    rig.tick(what, 2)  # but if they keep saying so, it is
    assert rig.texts() and all("watchdog or E-stop" in text for text in rig.texts())


def test_slow_readings_come_in_turn(rig: Rig) -> None:
    rig.stand()
    for i, bear in enumerate(rig.bears):
        bear.set(WINDING_TEMPERATURE, 40.0 + i)
        bear.set(INPUT_VOLTAGE, 22.0)
        bear.set(POWERSTAGE_TEMPERATURE, 50.0)
    rig.tick(times=10)
    assert rig.sample.winding_c.tolist() == [40.0, 41.0, 42.0, 43.0, 44.0]
    assert (rig.drives.readings.input_v == 22.0).all()
    assert (rig.drives.readings.powerstage_c == 50.0).all()


def test_setup_waits_for_latched_errors_to_clear(rig: Rig) -> None:
    rig.tick("stop", 10)
    assert CLEAR_S > 0.01
    assert np.isinf(rig.sample.joint_age_s).all()


@pytest.mark.parametrize("held", [False, True])
def test_one_that_started_anew_just_before_a_stop_is_set_up_again(rig: Rig, held: bool) -> None:
    rig.stand()
    bear = rig.bears[0]
    if held:
        bear.set(TORQUE_ENABLE, 0)
        rig.tick(times=20)
    bear.deaf = True
    rig.tick(times=12)  # shorter than it takes to be away
    bear.power_on()
    bear.deaf = False
    rig.tick("stop", 100)
    assert bear.get(MODE) == 3
    rig.tick(times=30)
    assert bear.driven


def test_one_that_started_anew_at_rest_is_set_up_again(rig: Rig) -> None:
    rig.stand()
    bear = rig.bears[0]
    rig.tick("stop", 30)
    bear.deaf = True
    rig.tick("stop", 12)
    bear.power_on()
    bear.deaf = False
    rig.tick("stop", 100)
    rig.tick(times=30)
    assert bear.driven
