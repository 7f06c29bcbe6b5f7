"""A number out of bounds is refused with the number and the bounds."""

import pytest

from shows.process.bounds import (
    SettingError,
    check_duration,
    check_positive,
    check_within,
)
from tests.shows.process.examples import refusal

BAD = [float("nan"), float("inf"), -float("inf")]


@pytest.mark.parametrize("value", [*BAD, -1.0, 2.5])
def test_refuses_what_is_not_within(value: float) -> None:
    error = refusal(lambda: check_within("wave", "share", value, 0.0, 2.0, "s", "lower it"))
    assert str(error) == f"wave, share: {value:g} is not within 0 to 2 s; lower it"


@pytest.mark.parametrize("value", [*BAD, 0.0, -1.0])
def test_refuses_what_is_not_positive(value: float) -> None:
    error = refusal(lambda: check_positive("wave", "blend_s", value, "s", "raise it"))
    assert str(error) == f"wave, blend_s: {value:g} s is not more than 0 s; raise it"


def test_refuses_a_result_that_is_too_long() -> None:
    check_duration("wave", 600.0)
    assert "601 s, more than 600 s" in refusal(lambda: check_duration("wave", 601.0)).reason


def test_a_setting_error_is_a_value_error_that_reads_as_the_others() -> None:
    error = SettingError("curve", "key 1", "is late", "move it")
    assert isinstance(error, ValueError)
    assert str(error) == "curve, key 1: is late; move it"
