"""Edits of keys keep the order of times, the limits and the continuity of the velocity."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.process.curves import Curve, Key, Tangent, evaluate, velocity
from shows.process.key_edits import (
    GAP_S,
    SLACK,
    Chosen,
    Curves,
    Edited,
    Room,
    at_time,
    at_value,
    copied,
    deleted,
    inserted,
    moved,
    pasted,
    scaled,
)
from shows.process.key_tangents import corners, joined, settled, with_slopes, with_tangents
from tests.shows.process.examples import refusal

LENGTH_S = 4.0
ROOM = Room(LENGTH_S, {"elbow": (-0.5, 2.0), "wrist": (-3.0, 3.0)})
RULES: tuple[Tangent, ...] = ("free", "smooth", "flat")
SHIFTS = st.floats(-6.0, 6.0)
TIMES = st.floats(0.0, LENGTH_S)


SEEDS = st.integers(0, 2**32 - 1)


def curve(seed: int, low: float = -0.5, high: float = 2.0) -> Curve:
    """Return 1 to 7 keys at random, some close together, with slopes by several rules."""
    random = np.random.default_rng(seed)
    steps = random.choice([0.02, 0.1, 0.5, 0.8], random.integers(1, 8))
    times = np.minimum(np.cumsum(steps) - random.choice([steps[0], 0.02]), LENGTH_S)
    keys = [
        Key(t, random.uniform(low, high), slope, slope, RULES[random.integers(len(RULES))])
        for t in sorted(set(np.abs(times).round(6).tolist()))
        for slope in (float(random.uniform(-3.0, 3.0)),)
    ]
    return Curve(settled(keys, range(len(keys))))


def case_of(seed: int) -> tuple[Curves, Chosen]:
    curves = {"elbow": curve(seed), "wrist": curve(seed + 1, -3.0, 3.0)}
    refs = [(joint, i) for joint, each in curves.items() for i in range(len(each.keys))]
    chosen = np.random.default_rng(seed + 2).random(len(refs)) < 0.5
    some = frozenset(ref for ref, wanted in zip(refs, chosen, strict=True) if wanted)
    return curves, some or frozenset(refs)


def case() -> st.SearchStrategy[tuple[Curves, Chosen]]:
    return SEEDS.map(case_of)


def check(before: Curves, after: Curves) -> None:
    """Check order, gaps, ends, limits, and that no key's velocity got a step."""
    assert after.keys() == before.keys()
    for joint, found in after.items():
        low, high = ROOM.of(joint)
        for one, other in pairwise(found.keys):
            assert other.time_s - one.time_s >= GAP_S - 2 * SLACK
        for key in found.keys:
            assert 0.0 <= key.time_s <= LENGTH_S + 2 * SLACK
            assert low - 2 * SLACK <= key.value_rad <= high + 2 * SLACK
            assert key.slope_in == pytest.approx(key.slope_out, abs=1e-9)


EDITS: dict[str, Callable[[Curves, Chosen, float, float], Edited]] = {
    "move": lambda curves, chosen, a, b: moved(curves, chosen, a, b, ROOM),
    "scale": lambda curves, chosen, a, b: scaled(
        curves, chosen, abs(a) + 0.1, b, {"elbow": (1.0, 0.2), "wrist": (1.0, 0.0)}, ROOM
    ),
    "time": lambda curves, chosen, a, b: at_time(curves, chosen, abs(a), ROOM),
    "value": lambda curves, chosen, a, b: at_value(curves, chosen, b, ROOM),
    "paste": lambda curves, chosen, a, b: pasted(
        curves, copied(curves, chosen), abs(a) / 2.0, {"wrist": ("elbow", -1.0)}, ROOM
    ),
    "delete": lambda curves, chosen, a, b: deleted(curves, chosen),
}


@pytest.mark.parametrize("name", EDITS)
@given(given_case=case(), a=SHIFTS, b=SHIFTS)
def test_edits_keep_order_limits_and_continuity(
    name: str, given_case: tuple[Curves, Chosen], a: float, b: float
) -> None:
    curves, chosen = given_case
    done = EDITS[name](curves, chosen, a, b)
    check(curves, done.curves)
    for joint, index in done.chosen:
        assert 0 <= index < len(done.curves[joint].keys)
    others = {joint for joint in curves if joint not in {j for j, _ in chosen}}
    if name != "paste":
        assert all(done.curves[joint] == curves[joint] for joint in others)


@given(case(), SHIFTS, SHIFTS)
def test_a_move_is_rigid_and_its_note_says_what_stopped_it(
    given_case: tuple[Curves, Chosen], shift_s: float, shift_rad: float
) -> None:
    curves, chosen = given_case
    done = moved(curves, chosen, shift_s, shift_rad, ROOM)
    ways = [
        (new.time_s - old.time_s, new.value_rad - old.value_rad)
        for joint, i in chosen
        for old, new in ((curves[joint].keys[i], done.curves[joint].keys[i]),)
    ]
    assert np.ptp(np.array(ways), axis=0).max() < 1e-9
    missing = max(abs(ways[0][0] - shift_s), abs(ways[0][1] - shift_rad))
    assert missing > 1e-10 if done.note else missing < 1e-8  # between them lies rounding


@given(case(), st.floats(0.2, 3.0), st.floats(-2.0, 2.0))
def test_a_scaling_can_be_turned_back(
    given_case: tuple[Curves, Chosen], in_time: float, in_value: float
) -> None:
    curves, chosen = given_case
    if abs(in_value) < 0.1:
        in_value = 0.5
    about = {"elbow": (1.0, 0.2), "wrist": (0.5, 0.0)}
    done = scaled(curves, chosen, in_time, in_value, about, ROOM)
    if done.note:
        return
    back = scaled(done.curves, chosen, 1.0 / in_time, 1.0 / in_value, about, ROOM)
    for joint, i in chosen:
        old, new = curves[joint].keys[i], back.curves[joint].keys[i]
        assert new.numbers[:2] == pytest.approx(old.numbers[:2], abs=1e-7)


@given(case(), TIMES)
def test_an_inserted_key_keeps_the_shape(given_case: tuple[Curves, Chosen], time_s: float) -> None:
    curves, _ = given_case
    done = inserted(curves, curves, time_s)
    t = np.linspace(0.0, LENGTH_S, 401)
    for joint, before in curves.items():
        after = evaluate(done.curves[joint], t)
        np.testing.assert_allclose(after, evaluate(before, t), atol=1e-7)
    assert len(done.chosen) == 2
    times = [done.curves[joint].keys[i].time_s for joint, i in done.chosen]
    assert times == pytest.approx([time_s] * 2, abs=GAP_S)


@given(case(), TIMES)
def test_copied_keys_are_pasted_with_their_shape(
    given_case: tuple[Curves, Chosen], at_s: float
) -> None:
    curves, chosen = given_case
    clip = copied(curves, chosen)
    done = pasted(curves, clip, at_s, {}, ROOM)
    pasted_keys = {(joint, round(at_s + key.time_s, 6)) for joint, key in clip}
    there = {(joint, round(done.curves[joint].keys[i].time_s, 6)) for joint, i in done.chosen}
    assert there <= pasted_keys and (there == pasted_keys or "behind" in done.note)


@given(SEEDS.map(curve))
def test_smooth_keys_never_overshoot(given_curve: Curve) -> None:
    smooth = with_tangents(given_curve, range(len(given_curve.keys)), "smooth")
    for one, other in pairwise(smooth.keys):
        t = np.linspace(one.time_s, other.time_s, 50)
        low, high = sorted((one.value_rad, other.value_rad))
        values = evaluate(smooth, t)
        assert values.min() >= low - 1e-9 and values.max() <= high + 1e-9
    assert corners(smooth, LENGTH_S) == ()


@given(SEEDS.map(curve))
def test_linear_keys_make_straight_lines_and_their_corners_are_told(given_curve: Curve) -> None:
    linear = with_tangents(given_curve, range(len(given_curve.keys)), "linear")
    t = np.linspace(linear.keys[0].time_s, linear.keys[-1].time_s, 200)
    straight = np.interp(t, *np.array([key.numbers[:2] for key in linear.keys]).T)
    np.testing.assert_allclose(evaluate(linear, t), straight, atol=1e-9)
    h = 1e-7
    for key in linear.keys:
        at = np.array([key.time_s - h, key.time_s + h])
        step = np.abs(np.diff(velocity(linear, at)))[0]
        if 0.0 < key.time_s < LENGTH_S and len(linear.keys) > 1:
            assert (key.time_s in corners(linear, LENGTH_S)) == (step > 1e-4) or step < 1e-3


def test_slopes_break_a_key_and_are_joined() -> None:
    smooth: Curve = Curve(
        settled([Key(t, v, tangent="smooth") for t, v in ((0, 0), (1, 1), (2, 2))], range(3))
    )
    assert smooth.keys[1].slope_in == pytest.approx(1.0)
    broken = with_slopes(smooth, (1,), slope_out=-2.0)
    assert corners(broken, LENGTH_S) == (1,) and broken.keys[1].tangent == "free"
    healed = joined(broken, (1,))
    assert corners(healed, LENGTH_S) == () and healed.keys[1].slope_in == pytest.approx(-0.5)


def test_a_neighbour_of_a_moved_key_keeps_its_rule() -> None:
    keys = [Key(float(t), float(t), tangent="smooth") for t in range(4)]
    curves = {"elbow": Curve(settled(keys, range(4)))}
    done = moved(curves, frozenset({("elbow", 2)}), 0.0, -1.5, ROOM)
    assert done.curves["elbow"].keys[1].slope_in == 0.0  # it is an extremum now


def test_what_cannot_be_is_refused_or_told() -> None:
    curves = {"left_elbow": Curve((Key(0.0, 0.0), Key(1.0, 1.0)))}
    every: Chosen = frozenset({("left_elbow", 0), ("left_elbow", 1)})
    about = {"left_elbow": (0.5, 0.5)}
    assert "not more than 0" in refusal(lambda: scaled(curves, every, 0.0, 1.0, about, ROOM)).reason
    done = deleted(curves, every)
    assert len(done.curves["left_elbow"].keys) == 1 and "left elbow keeps" in done.note
    assert "has a key there" in inserted(curves, curves, 1.0).note
    note = pasted(curves, (("tail", Key(0.0, 0.0)),), 0.0, {}, ROOM).note
    assert note == "this step has no curve of tail"
