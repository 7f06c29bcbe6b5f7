"""The register tables hang together."""

import pytest

from devices.families.bear.wire.registers import (
    CONFIG,
    STATUS,
    ControlMode,
    Register,
    Table,
    TorqueEnable,
)


@pytest.mark.parametrize(("table", "kind"), [(STATUS, Table.STATUS), (CONFIG, Table.CONFIG)])
def test_addresses_rise_and_names_are_unique(table: tuple[Register, ...], kind: Table) -> None:
    addresses = [register.address for register in table]
    assert addresses == sorted(set(addresses))
    assert len({register.name for register in table}) == len(table)
    assert {register.table for register in table} == {kind}


def test_addresses_are_the_makers() -> None:
    """REGISTER['ADDRESS'] in Westwood-Robotics/PyBEAR, pybear/CONTROL_TABLE.py (0.1.3)."""
    config = """
        id mode baudrate homing_offset
        p_gain_id i_gain_id d_gain_id p_gain_iq i_gain_iq d_gain_iq
        p_gain_velocity i_gain_velocity d_gain_velocity
        p_gain_position i_gain_position d_gain_position
        p_gain_force i_gain_force d_gain_force
        limit_acc_max limit_i_max limit_velocity_max limit_position_min limit_position_max
        min_voltage max_voltage watchdog_timeout temp_limit_low temp_limit_high
    """
    status = """
        torque_enable homing_complete goal_id goal_iq goal_velocity goal_position
        present_id present_iq present_velocity present_position input_voltage
        winding_temperature powerstage_temperature ic_temperature
    """
    theirs = {name: address for address, name in enumerate(config.split())}
    assert {r.name: r.address for r in CONFIG} == {**theirs, "return_time_delay": 0x1E}
    assert {r.name: r.address for r in STATUS} == {n: a for a, n in enumerate(status.split())}
    words = {word.name: int(word) for word in TorqueEnable} | {m.name: int(m) for m in ControlMode}
    assert words == {  # PyBEAR, README; AOS, Manager.py
        **{"OFF": 0, "ON": 1, "ERROR": 2, "DAMPING": 3},
        **{"TORQUE": 0, "VELOCITY": 1, "POSITION": 2, "FORCE": 3},
    }


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


def test_read_only_registers_cannot_be_written() -> None:
    fixed = [register.name for register in STATUS if not register.writable]
    assert all(
        name.startswith(("present_", "input_", "homing_")) or "temp" in name for name in fixed
    )
    assert len(fixed) == 9
