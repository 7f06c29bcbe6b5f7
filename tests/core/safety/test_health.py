"""Health flags: the facts that raise each flag, and their thresholds."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.link.catalogue import safety
from core.link.statement import Statement
from core.robot.thresholds import Battery, HealthSettings
from core.safety.extremes import Extremes
from core.safety.flags import Flag, Flags
from core.safety.health import SLOW_S, Health, HealthFacts, Monitored, derate_windings
from devices.interface import Sample, Support, Trouble

BUS = Trouble("left leg bus", "unplugged; check its plug", grave=True)
IMU = Trouble("IMU", "silent; check its cable", grave=True)
TIMER = Trouble("head bus", "its adapter holds replies back")
NAMES = ("head_yaw", "left_elbow", "left_knee", "right_knee", "left_thumb")
CONTACTS = ("left_foot", "left_foot", "right_foot", "right_foot")
PARTS = Monitored(joint_names=NAMES, legs=(2, 3), minor=(4,), contacts=CONTACTS)
SETTINGS = HealthSettings(fall_tilt_rad=0.7, fall_height_m=0.4)
BATTERY = Battery(
    capacity_ah=10.0,
    resistance_ohm=0.05,
    low_v=20.4,
    critical_v=19.2,
    flat_v=17.4,
    low_charge=0.2,
    critical_charge=0.08,
)


def new_health(settings: HealthSettings = SETTINGS, battery: Battery | None = BATTERY) -> Health:
    return Health(PARTS, settings, battery)


def good_sample() -> Sample:
    sample = Sample.zeros(len(NAMES), 4)
    sample.joint_age_s[:] = 0.001
    sample.imu_age_s = 0.001
    sample.contact_age_s[:] = 0.001
    sample.battery_v = 22.2
    sample.battery_charge = 0.9
    return sample


def good_facts(**changes: object) -> HealthFacts:
    facts = HealthFacts(readable=True, driven=True, base_height_m=0.6, operator_age_s=0.05)
    for name, value in changes.items():
        setattr(facts, name, value)
    return facts


def raised(
    sample: Sample | None = None, facts: HealthFacts | None = None, health: Health | None = None
) -> set[Flag]:
    return set(flags(health or new_health(), sample or good_sample(), facts))


def flags(health: Health, sample: Sample, facts: HealthFacts | None = None) -> Flags:
    extremes = Extremes()
    extremes.look(sample)
    return health.flags(sample, extremes, facts or good_facts())


def test_a_healthy_robot_raises_nothing() -> None:
    assert raised() == set()


def aged(place: int, age_s: float) -> Sample:
    sample = good_sample()
    sample.joint_age_s[place] = age_s
    return sample


def changed(**changes: object) -> Sample:
    sample = good_sample()
    for name, value in changes.items():
        setattr(sample, name, value)
    return sample


def unheard(place: int, age_s: float) -> Sample:
    sample = good_sample()
    sample.contact_age_s[place] = age_s
    return sample


def heated(celsius: float) -> Sample:
    sample = good_sample()
    sample.winding_c[1] = celsius
    return sample


WARM, HOT, TOO_HOT = Flag.WINDING_WARM, Flag.WINDING_HOT, Flag.WINDING_OVERHEATED
LOW, CRITICAL, FLAT = Flag.BATTERY_LOW, Flag.BATTERY_CRITICAL, Flag.BATTERY_FLAT


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (aged(0, 0.0049), set()),
        (aged(0, 0.0051), {Flag.JOINT_SILENT}),
        (aged(2, 0.0051), {Flag.JOINT_SILENT}),
        (aged(2, 0.0201), {Flag.JOINT_SILENT, Flag.LEG_SILENT}),
        (aged(4, 9.0), {Flag.MINOR_JOINT_SILENT}),
        (aged(3, math.nan), {Flag.JOINT_SILENT, Flag.LEG_SILENT}),
        (changed(imu_age_s=0.0051), {Flag.IMU_LATE}),
        (changed(imu_age_s=0.031), {Flag.IMU_LATE, Flag.IMU_LOST}),
        (changed(imu_age_s=math.nan), {Flag.IMU_LATE, Flag.IMU_LOST}),
        (unheard(2, 0.049), set()),
        (unheard(2, 0.051), {Flag.DEVICE_LOST}),
        (unheard(0, math.nan), {Flag.DEVICE_LOST}),
        (changed(estop_closed=False), {Flag.ESTOP_OPEN}),
        (changed(battery_v=20.3), {LOW}),
        (changed(battery_v=19.1), {LOW, CRITICAL}),
        (changed(battery_v=17.3), {LOW, CRITICAL, FLAT}),
        (changed(battery_v=math.nan), {LOW, CRITICAL, FLAT}),
        (changed(battery_charge=0.19), {LOW}),
        (changed(battery_charge=0.07), {LOW, CRITICAL}),
        (heated(79.9), set()),
        (heated(80.0), {WARM}),
        (heated(95.0), {WARM, HOT}),
        (heated(100.0), {WARM, HOT, TOO_HOT}),
        (heated(math.nan), {WARM, HOT, TOO_HOT}),
    ],
)
def test_what_the_sample_raises(sample: Sample, expected: set[Flag]) -> None:
    assert raised(sample) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"tilt_rad": 0.69}, set()),
        ({"tilt_rad": 0.71}, {Flag.FALLEN}),
        ({"tilt_rad": math.nan}, {Flag.FALLEN}),
        ({"tilt_rad": 1.5, "driven": False}, set()),
        ({"base_height_m": 0.39}, {Flag.FALLEN}),
        ({"base_height_m": math.nan}, {Flag.FALLEN}),
        ({"base_height_m": 0.1, "support": Support.GANTRY}, set()),
        ({"base_height_m": 0.1, "support": Support.SEATED}, set()),
        ({"tilt_rad": 0.71, "support": Support.SEATED}, {Flag.FALLEN}),
        ({"state_finite": False}, {Flag.STATE_INVALID}),
        ({"command_finite": False}, {Flag.COMMAND_INVALID}),
        ({"unsolved_s": 0.003}, {Flag.QP_UNSOLVED}),
        ({"unsolved_s": 0.004}, {Flag.QP_UNSOLVED, Flag.QP_FAILED}),
        ({"estimator_sure": False}, {Flag.ESTIMATOR_DIVERGED}),
        ({"late_s": 0.0049}, set()),
        ({"late_s": 0.005}, {Flag.TICK_LATE}),
        ({"late_s": 0.020}, {Flag.TICK_LATE, Flag.TICK_STALLED}),
        ({"success": 0.94}, {Flag.TICK_LATE}),
        ({"operator_age_s": 0.26}, {Flag.OPERATOR_SILENT}),
        ({"operator_age_s": math.nan}, {Flag.OPERATOR_SILENT}),
        ({"operator_age_s": None}, set()),
        ({"handset_age_s": 0.24}, set()),
        ({"handset_age_s": 0.26}, {Flag.HANDSET_SILENT}),
        ({"watchdog_alive": False}, {Flag.WATCHDOG_LOST}),
        ({"lost_siblings": ("scribe",)}, {Flag.SIBLING_LOST}),
        ({"sound_trouble": safety.VOICE_GONE()}, {Flag.SOUND_LOST}),
        ({"troubles": (TIMER,)}, {Flag.DEVICE_TROUBLED}),
        ({"troubles": (BUS, TIMER)}, {Flag.DEVICE_LOST, Flag.DEVICE_TROUBLED}),
        ({"stop_pressed": True}, {Flag.STOP_PRESSED}),
        ({"estop_open": True}, {Flag.ESTOP_OPEN}),
    ],
)
def test_what_the_facts_raise(changes: dict[str, object], expected: set[Flag]) -> None:
    assert raised(facts=good_facts(**changes)) == expected


def test_a_lost_imu_is_worse_in_a_step_and_harmless_on_a_seat() -> None:
    lost = changed(imu_age_s=0.05)
    stepping = raised(lost, good_facts(stepping=True))
    assert stepping == {Flag.IMU_LATE, Flag.IMU_LOST_STEPPING}
    assert raised(lost, good_facts(support=Support.SEATED)) == {Flag.IMU_LATE}


def test_on_a_seat_no_foot_needs_to_be_felt() -> None:
    facts = good_facts(support=Support.SEATED)
    assert raised(unheard(1, math.inf), facts) == set()


def test_on_a_seat_a_silent_leg_is_minor() -> None:
    assert raised(aged(2, 9.0), good_facts(support=Support.SEATED)) == {Flag.MINOR_JOINT_SILENT}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["q", "dq"])
def test_a_joint_that_is_no_number_is_noticed(field: str, bad: float) -> None:
    sample = good_sample()
    getattr(sample, field)[3] = bad
    assert raised(sample) == {Flag.STATE_INVALID}


def test_before_the_body_answers_only_the_stops_are_looked_at() -> None:
    cold = Sample.zeros(len(NAMES), 4)
    assert raised(cold, HealthFacts()) == set()
    stopped = HealthFacts(stop_pressed=True, estop_open=True)
    assert raised(cold, stopped) == {Flag.STOP_PRESSED, Flag.ESTOP_OPEN}


def leg_at(celsius: float) -> Sample:
    sample = good_sample()
    sample.winding_c[PARTS.legs[0]] = celsius
    return sample


def after_a_look(health: Health, sample: Sample, **changes: object) -> set[Flag]:
    """Return the flags after the next check of the temperatures."""
    for _ in range(round(SLOW_S / 0.001)):
        found = raised(sample, facts=good_facts(**changes), health=health)
    return found


def test_a_warm_leg_rests_until_its_derating_is_over() -> None:
    health = new_health()
    told = [
        Flag.LEG_WARM in after_a_look(health, leg_at(celsius))
        for celsius in (84.9, 85.0, 84.9, 80.0, 79.9, 84.9, 85.1)
    ]
    assert told == [False, True, True, True, False, False, True]


def test_a_leg_is_warm_of_its_own_accord_and_not_on_a_seat() -> None:
    assert Flag.LEG_WARM not in after_a_look(new_health(), heated(94.0))
    health = new_health()
    assert Flag.LEG_WARM not in after_a_look(health, leg_at(94.0), support=Support.SEATED)
    assert Flag.LEG_WARM in after_a_look(health, leg_at(math.nan))


def test_a_winding_that_swings_around_the_bound_is_told_once() -> None:
    health = new_health()
    told = [
        Flag.WINDING_WARM in after_a_look(health, heated(celsius))
        for celsius in (79.9, 80.1, 79.9, 78.1, 77.9, 79.9)
    ]
    assert told == [False, True, True, True, False, False]


def test_temperatures_are_looked_at_seldom_but_surely() -> None:
    health, sample = new_health(), good_sample()
    assert raised(sample, health=health) == set()
    sample.winding_c[0] = 200.0
    seen = [Flag.WINDING_OVERHEATED in raised(sample, health=health) for _ in range(20)]
    assert seen[-1]
    assert not seen[0]
    assert Flag.WINDING_OVERHEATED in raised(sample, health=health), "and it stays"


def test_derating_falls_with_the_temperature_joint_by_joint() -> None:
    health, sample = new_health(), good_sample()
    sample.winding_c[:] = [25.0, 80.0, 87.5, 95.0, math.nan]
    raised(sample, health=health)
    assert health.derate == pytest.approx([1.0, 1.0, 0.75, 0.5, 0.5])


def hot(joint: str, temperature_c: float) -> Statement:
    return safety.JOINT_TEMPERATURE(joint=joint, temperature_c=temperature_c)


EXPLAINED: list[tuple[Flag, Callable[[], Sample], Statement | None]] = [
    (Flag.JOINT_SILENT, lambda: aged(1, 0.012), safety.JOINT_AGE(joint="left_elbow", age_s=0.012)),
    # A thumb may be as old.
    (Flag.JOINT_SILENT, lambda: aged(4, 0.04), safety.JOINT_AGE(joint="head_yaw", age_s=0.001)),
    (Flag.LEG_SILENT, lambda: aged(3, 0.025), safety.JOINT_AGE(joint="right_knee", age_s=0.025)),
    (Flag.WINDING_HOT, lambda: heated(96.0), hot("left_elbow", 96.0)),
    (Flag.LEG_WARM, lambda: leg_at(86.0), hot("left_knee", 86.0)),
    (
        Flag.BATTERY_LOW,
        lambda: changed(battery_v=20.0),
        safety.BATTERY_LEVEL(voltage_v=20.0, charge=0.9),
    ),
    (Flag.IMU_LATE, lambda: changed(imu_age_s=0.007), safety.AGE(age_s=0.007)),
    (Flag.FALLEN, good_sample, None),
]


@pytest.mark.parametrize(("flag", "sample", "detail"), EXPLAINED)
def test_it_names_the_joint_and_the_figure(
    flag: Flag, sample: Callable[[], Sample], detail: Statement | None
) -> None:
    assert new_health().explain(flag, sample(), HealthFacts()) == detail


def test_it_names_the_device_or_the_devices() -> None:
    health = new_health()
    one, two = good_facts(troubles=(BUS, TIMER)), good_facts(troubles=(BUS, IMU, TIMER))
    both = safety.DEVICES(names=("left leg bus", "IMU"))
    bus, timer = (safety.DEVICE_TEXT(device=t.device, text=t.text) for t in (BUS, TIMER))
    assert health.explain(Flag.DEVICE_LOST, good_sample(), one) == bus
    assert health.explain(Flag.DEVICE_LOST, good_sample(), two) == both
    assert health.explain(Flag.DEVICE_LOST, unheard(3, 0.06), one) == bus
    foot = safety.CONTACTS_AGE(contact="right_foot", age_s=0.06)
    assert health.explain(Flag.DEVICE_LOST, unheard(3, 0.06), good_facts()) == foot
    assert health.explain(Flag.DEVICE_TROUBLED, good_sample(), two) == timer


def test_it_names_the_processes_that_are_gone() -> None:
    health = new_health()
    facts = good_facts(lost_siblings=("scribe", "stagehand"))
    found = health.explain(Flag.SIBLING_LOST, good_sample(), facts)
    assert found == safety.PROCESSES(names=("scribe", "stagehand"))


def test_it_names_what_is_wrong_with_a_silent_handset() -> None:
    trouble = safety.DEVICE_TEXT(device="native handset's radio", text="unplugged")
    facts = good_facts(handset_trouble=trouble)
    assert new_health().explain(Flag.HANDSET_SILENT, good_sample(), facts) == trouble


def test_unchanged_flags_are_the_same_object() -> None:
    health, sample, facts = new_health(), aged(0, 1.0), good_facts()
    first = flags(health, sample, facts)
    assert isinstance(first, Flags)
    assert flags(health, sample, facts) is first


def test_thresholds_come_from_the_settings() -> None:
    strict = new_health(HealthSettings(fall_tilt_rad=0.1, fall_height_m=0.4))
    assert raised(facts=good_facts(tilt_rad=0.2), health=strict) == {Flag.FALLEN}
    assert np.all(strict.derate == 1.0)


@given(st.lists(st.floats(-50.0, 200.0) | st.just(math.nan), min_size=1, max_size=9))
def test_windings_derate_as_the_formula_says_and_an_unknown_one_the_most(told: list[float]) -> None:
    winding_c, derate, legs = np.array(told), np.zeros(len(told)), np.array([0, len(told) - 1])
    hottest_c, leg_c = derate_windings(winding_c, legs, 80.0, 95.0, 0.5, derate)
    share = np.nan_to_num(np.clip((winding_c - 80.0) / 15.0, 0.0, 1.0), nan=1.0)
    np.testing.assert_array_equal(derate, 1.0 - 0.5 * share)
    np.testing.assert_array_equal(hottest_c, winding_c.max())
    np.testing.assert_array_equal(leg_c, winding_c[legs].max())


def test_a_robot_on_mains_has_no_battery_to_warn_of() -> None:
    empty = changed(battery_v=0.0, battery_charge=0.0)
    assert raised(empty, health=new_health(battery=None)) == set()


def test_a_robot_that_cannot_fall_has_not_fallen() -> None:
    facts = good_facts(tilt_rad=3.0, base_height_m=0.0)
    assert raised(facts=facts, health=new_health(HealthSettings())) == set()


def test_a_robot_without_feet_imu_and_legs_misses_none_of_them() -> None:
    bare = Health(Monitored(joint_names=NAMES, has_imu=False), HealthSettings(), None)
    sample = good_sample()
    sample.contacts, sample.contact_age_s = np.zeros(0, dtype=np.bool_), np.zeros(0)
    sample.imu_age_s = math.inf
    assert raised(sample, health=bare) == set()
    lost = good_facts(troubles=(BUS,))
    assert bare.explain(Flag.DEVICE_LOST, sample, good_facts()) is None
    assert bare.explain(Flag.DEVICE_LOST, sample, lost) is not None
