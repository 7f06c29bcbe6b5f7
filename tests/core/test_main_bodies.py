"""Which body stands below the core, and what its making must not need."""

import datetime
import subprocess
import sys
from pathlib import Path

from core.__main__ import robot_unit
from core.robot.profile_file import load_profile
from core.run.launch import LaunchConfig
from devices.real.calibration import Calibration, is_absent, save_calibration
from tests.core.rig import ENDPOINT
from tests.tracked import REPOSITORY

WITHOUT_SIMULATOR = """
import sys
sys.modules["mujoco"] = None
from core.__main__ import wired_body
from core.run.launch import LaunchConfig
from core.robot.profile_file import load_profile
config = LaunchConfig.from_json(sys.argv[1])
body, handset = wired_body(config, load_profile(config.robot))
body.stop()
sample = body.read()
assert not sample.estop_closed and not body.powered() and handset is not None
assert any("unplugged" in trouble.text for trouble in body.troubles())
body.close()
"""


def test_the_real_body_needs_no_simulator(tmp_path: Path) -> None:
    path = tmp_path / "unit.toml"
    twin = LaunchConfig(endpoint=ENDPOINT, body="twin")
    hardware, _ = robot_unit(twin, load_profile("kid_cosmo"))
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


def test_a_key_that_nobody_may_look_at_is_not_taken_for_none(tmp_path: Path) -> None:
    assert is_absent(tmp_path / "none") and not is_absent(tmp_path)
    (tmp_path / "file").write_text("")
    assert is_absent(tmp_path / "file" / "key")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert not is_absent(loop) and not is_absent(loop / "key")
