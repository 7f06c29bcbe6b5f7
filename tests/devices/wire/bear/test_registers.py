"""The register tables hang together."""

import pytest

from devices.wire.bear.registers import CONFIG, STATUS, Register, Table


@pytest.mark.parametrize(("table", "kind"), [(STATUS, Table.STATUS), (CONFIG, Table.CONFIG)])
def test_addresses_rise_and_names_are_unique(table: tuple[Register, ...], kind: Table) -> None:
    addresses = [register.address for register in table]
    assert addresses == sorted(set(addresses))
    assert len({register.name for register in table}) == len(table)
    assert {register.table for register in table} == {kind}


def test_whole_numbers_are_where_the_maker_has_them() -> None:
    """DATA_TYPE in Westwood-Robotics/PyBEAR, pybear/CONTROL_TABLE.py."""
    assert [r.name for r in STATUS if r.integer] == ["torque_enable", "homing_complete"]
    assert [r.name for r in CONFIG if r.integer] == [
        "id",
        "mode",
        "baudrate",
        "watchdog_timeout",
        "return_time_delay",  # not in PyBEAR
    ]


def test_what_only_reports_cannot_be_written() -> None:
    fixed = [register.name for register in STATUS if not register.writable]
    assert all(
        name.startswith(("present_", "input_", "homing_")) or "temp" in name for name in fixed
    )
    assert len(fixed) == 9
