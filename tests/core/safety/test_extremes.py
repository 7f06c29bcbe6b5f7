"""Extremes of a sample, also with NaN and infinity among its values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.safety.extremes import Extremes
from devices.interface import Sample

JOINTS = 3


def looked(sample: Sample) -> Extremes:
    extremes = Extremes()
    extremes.look(sample)
    return extremes


@given(st.lists(st.floats(-1e9, 1e9), min_size=4 * JOINTS, max_size=4 * JOINTS))
def test_they_are_the_largest_magnitudes(values: list[float]) -> None:
    sample = Sample.zeros(JOINTS, 4)
    sample.q[:], sample.dq[:], sample.tau[:], age = np.array(values).reshape(4, JOINTS)
    sample.joint_age_s[:], sample.contact_age_s[:JOINTS] = np.abs(age), 2.0 * np.abs(age)
    sample.contact_age_s[JOINTS:] = 0.0
    got = looked(sample)
    assert got.finite
    assert got.farthest == np.abs(sample.q).max()
    assert got.fastest == np.abs(sample.dq).max()
    assert got.oldest_s == np.abs(age).max()
    assert got.unfelt_s == 2.0 * np.abs(age).max()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["q", "dq", "tau", "gyro", "accel"])
def test_what_is_no_number_is_told(field: str, bad: float) -> None:
    sample = Sample.zeros(JOINTS, 4)
    getattr(sample, field)[1] = bad
    got = looked(sample)
    assert not got.finite
    assert (got.farthest == math.inf) is (field == "q")
    assert (got.fastest == math.inf) is (field == "dq")


@pytest.mark.parametrize(
    ("field", "told"), [("joint_age_s", "oldest_s"), ("contact_age_s", "unfelt_s")]
)
def test_an_age_that_is_no_number_is_infinite(field: str, told: str) -> None:
    sample = Sample.zeros(JOINTS, 4)
    sample.joint_age_s[:] = sample.contact_age_s[:] = 0.001
    getattr(sample, field)[2] = math.nan
    got = looked(sample)
    assert got.finite
    assert getattr(got, told) == math.inf
