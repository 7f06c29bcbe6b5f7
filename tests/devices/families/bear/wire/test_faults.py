"""The error byte in words."""

from hypothesis import given
from hypothesis import strategies as st

from devices.families.bear.wire.faults import FAULTS, HEALTHY, UNMARKED, faults


def test_a_healthy_actuator_has_no_fault() -> None:
    assert faults(HEALTHY) == ()


def test_only_faults_that_end_by_themselves_are_not_latched() -> None:
    """The maker's warnings, WARNING_FLAGS in westwood-bear-rs, src/protocol/motor_error.rs."""
    assert [fault.name for fault in FAULTS if not fault.latched] == ["communication", "overheat"]


@given(st.integers(0, 255))
def test_every_bit_has_its_words(error: int) -> None:
    found = faults(error)
    assert sum(fault.mask for fault in found if fault is not UNMARKED) == error & 0x7F
    assert (UNMARKED in found) == (error < 0x80)
    assert all(fault.advice.endswith(".") for fault in found)
