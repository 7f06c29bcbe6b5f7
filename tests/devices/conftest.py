"""Bodies on emulated lines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.devices.real.rig import Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A body of five joints on two lines."""
    made = Rig(tmp_path, (3, 2))
    yield made
    made.close()


@pytest.fixture
def geared(tmp_path: Path) -> Iterator[Rig]:
    """One joint whose actuator is geared, turned around and not at zero."""
    changes = {"gear": 3.0, "sign": -1, "zero_rad": 0.4, "torque_constant": 2.0}
    made = Rig(tmp_path, (1,), {**changes, "current_a": 5.0, "watchdog": 250})
    yield made
    made.close()


@pytest.fixture
def soft(tmp_path: Path) -> Iterator[Rig]:
    """Actuators whose gains may be written with the torque on."""
    made = Rig(tmp_path, (3, 2), gains_while_enabled=True)
    yield made
    made.close()
