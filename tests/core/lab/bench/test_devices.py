"""The bench of a tick's devices: it runs on a real twin, and gives up on one that stays dead."""

from pathlib import Path

import numpy as np
import pytest

from core.__main__ import robot_unit
from core.lab.bench.benchmark import BenchError, Order, Pacer
from core.lab.bench.devices import ALONE, Rounds, one_line, run
from core.lab.laboratory import ENDPOINT, Laboratory
from core.run.launch import LaunchConfig
from devices.interface import JointCommand
from tests.core.rig import StatueBody


def test_ten_actuators_lie_on_one_line(tmp_path: Path) -> None:
    lab = Laboratory()
    config = LaunchConfig(endpoint=ENDPOINT, body="twin", hardware=one_line(lab, tmp_path))
    hardware, _ = robot_unit(config, lab.profile)
    rows = hardware.actuator_rows
    assert len(rows) == ALONE and len({bear.line for bear in rows}) == 1
    assert {bear.joint.split("_")[0] for bear in rows} == {"left", "right"}


def test_a_robot_that_never_wakes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.lab.bench.devices.LONGEST_S", 0.2)
    body = StatueBody()
    body.sample.estop_closed = False
    with pytest.raises(BenchError, match="did not come to life"):
        Rounds(body, None, 0.001).wake()
    assert set(body.done) == {"damp"}


def test_only_what_a_pacer_is_told_of_is_counted() -> None:
    body = StatueBody()
    told: list[str] = []
    rounds = Rounds(body, None, 0.001)
    command = JointCommand.zeros(28)
    rounds.hold(command, 0.05)
    assert rounds.all_us == []
    rounds.hold(command, 0.05, Pacer(told.append, 0.05, "s", 5))
    assert len(rounds.all_us) == len(rounds.line_us) == 50 and len(told) == 5
    assert np.max(rounds.line_us) == 0.0 < np.min(rounds.all_us)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_it_measures_real_drivers_on_a_real_twin() -> None:
    told: list[str] = []
    found = run(Laboratory(), Order(seconds=0.2), told.append)
    assert found.figures["ticks"] == 200.0
    assert 0.0 < found.figures["line"] < found.figures["every"]
    assert len(told) == 10
