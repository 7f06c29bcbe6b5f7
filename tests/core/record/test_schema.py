"""The schema: the documented arrays, an aligned layout, a description that reads back."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.record.errors import RecordError
from core.record.schema import (
    FIELDS,
    TRUTH_FIELDS,
    describe,
    fingerprint,
    parse_description,
    tick_dtype,
)

RELIED_ON = (
    "t q dq tau_command tau_applied base_position_est base_velocity_est rpy_est contact_est mode "
    "motion_state velocity_command tick_cpu_us qp_status qp_iterations"
).split()
TRUTH = (
    "q_true dq_true base_position_true base_velocity_true rpy_true com_true com_velocity_true "
    "contact_true contact_force_true external_force"
).split()


def test_the_arrays_that_others_rely_on_are_there() -> None:
    assert set(RELIED_ON) <= {field.name for field in FIELDS}
    assert [field.name for field in TRUTH_FIELDS] == TRUTH
    assert not set(TRUTH) & set(tick_dtype(28, 5, False).names or ())


def test_shapes_and_types() -> None:
    dtype = tick_dtype(28, 5, True)
    assert dtype["t"] == np.float64
    assert dtype["q"].base == np.float32 and dtype["q"].shape == (28,)
    assert dtype["mode"] == np.uint8
    assert dtype["motion_state"].base == np.uint8 and dtype["motion_state"].shape == (5,)
    assert dtype["contact_force_true"].shape == (2, 2, 3)


@pytest.mark.parametrize("simulated", [False, True])
def test_every_view_is_aligned(simulated: bool) -> None:
    block = np.zeros(3, tick_dtype(28, 5, simulated))
    for name in block.dtype.names or ():
        assert block[name].flags.aligned, name


@given(st.integers(1, 60), st.integers(1, 9), st.booleans())
def test_a_description_reads_back(joints: int, groups: int, simulated: bool) -> None:
    dtype = tick_dtype(joints, groups, simulated)
    assert parse_description(describe(dtype)) == dtype


def test_a_description_says_what_each_array_means() -> None:
    document = json.loads(describe(tick_dtype(28, 5, True)))
    assert all(row["unit"] and row["meaning"] for row in document["fields"])


def test_layouts_differ_in_their_fingerprint() -> None:
    dtypes = [tick_dtype(*args) for args in ((28, 5, True), (28, 5, False), (27, 5, True))]
    assert len({fingerprint(dtype) for dtype in dtypes}) == 3


@given(st.binary(max_size=100) | st.recursive(st.none() | st.integers(), st.lists).map(json.dumps))
def test_another_description_is_refused(text: bytes | str) -> None:
    with pytest.raises(RecordError):
        parse_description(text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"itemsize": 0},
        {"itemsize": 10**9},
        {"itemsize": 4},
        {"fields": [{"name": "t", "offset": 0, "type": "O", "shape": []}]},
        {"fields": [{"name": "t", "offset": -8, "type": "<f8", "shape": []}]},
        {"fields": [{"name": "t", "offset": 0, "type": "<f8", "shape": [2**40]}]},
        {"fields": [{"offset": 0, "type": "<f8", "shape": []}]},
    ],
)
def test_a_description_out_of_bounds_is_refused(change: dict[str, object]) -> None:
    document = json.loads(describe(tick_dtype(28, 5, True)))
    with pytest.raises(RecordError):
        parse_description(json.dumps({**document, **change}).encode())
