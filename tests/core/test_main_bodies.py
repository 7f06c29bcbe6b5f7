"""Which body stands below the core, and what its making must not need."""

import datetime
import subprocess
import sys
from pathlib import Path

from core.__main__ import robot_piece
from core.launch import LaunchConfig
from core.robot.profile import load_profile
from devices.real.calibration import Calibration, save_calibration
from tests.core.rig import ENDPOINT
from tests.tracked import REPOSITORY

WITHOUT_SIMULATOR = """
import sys
sys.modules["mujoco"] = None
from core.__main__ import wired_body
from core.launch import LaunchConfig
from core.robot.profile import load_profile
config = LaunchConfig.from_json(sys.argv[1])
body, handset = wired_body(config, load_profile(config.robot))
body.stop()
sample = body.read()
assert not sample.estop_closed and not body.powered() and handset is not None
assert any("unplugged" in trouble.text for trouble in body.troubles())
body.close()
"""


def test_the_real_body_needs_no_simulator(tmp_path: Path) -> None:
    path = tmp_path / "piece.toml"
    twin = LaunchConfig(endpoint=ENDPOINT, body="twin")
    hardware, _ = robot_piece(twin, load_profile("kid_cosmo"))
    today = datetime.date(2026, 11, 21)
    save_calibration(Calibration.assumed(hardware, "kid_cosmo", "one", today), path)
    config = LaunchConfig(
        endpoint=ENDPOINT, body="real", autopilot=False, ports=str(tmp_path), calibration=str(path)
    )
    made = subprocess.run(
        (sys.executable, "-c", WITHOUT_SIMULATOR, config.to_json()),
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        check=False,
    )
    assert made.returncode == 0, made.stderr
