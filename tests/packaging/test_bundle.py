"""A bundle starts in a clean root file system, elsewhere than it was built, without a network.

Building one takes minutes, so these run by `make bundles` alone, which builds both and names them.
"""

import os
import subprocess
from pathlib import Path

import pytest

from tests.tracked import REPOSITORY

ROBOT, LAPTOP = (os.environ.get(f"FOOTLIGHT_{kind}_BUNDLE", "") for kind in ("ROBOT", "LAPTOP"))
CLEAN_ROOT = REPOSITORY / "tests" / "packaging" / "clean_root.sh"
BUNDLE = "packaging/bundle.sh"
PLACE = "/opt/elsewhere"
PATIENCE_S = 1200.0  # a first start where nothing can be written compiles every kernel anew

robot = pytest.mark.skipif(not ROBOT, reason="no robot's bundle: make bundles builds it")
laptop = pytest.mark.skipif(not LAPTOP, reason="no laptop's bundle: make bundles builds it")


def run(bundle: str, folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of a bundle where nothing but that and the base system is."""
    python = Path(bundle) / "venv" / "bin" / "python"
    base = python.resolve().parents[1]
    namespaces = ("--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child")
    return subprocess.run(
        ["unshare", *namespaces, str(CLEAN_ROOT), str(folder), bundle, str(base), *command],
        input="\n" * 9,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def imports(bundle: str, folder: Path, package: str) -> bool:
    python = f"{PLACE}/venv/bin/python"
    return run(bundle, folder, python, "-c", f"import {package}").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "usage:"),
        (("tablet", "out"), "tablet is no bundle"),
        (("robot", "."), "is there already"),
    ],
)
def test_another_bundle_is_refused(arguments: tuple[str, ...], words: str) -> None:
    done = subprocess.run(
        [BUNDLE, *arguments], cwd=REPOSITORY, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2
    assert words in done.stderr and done.stderr.count("\n") == 1


@robot
def test_the_robots_bundle_has_neither_a_window_nor_a_simulator(tmp_path: Path) -> None:
    assert imports(ROBOT, tmp_path, "pinocchio")
    for package in ("PySide6", "mujoco", "pip", "pytest"):
        assert not imports(ROBOT, tmp_path, package), package


@robot
def test_the_robots_doctor_finds_missing_devices(tmp_path: Path) -> None:
    done = run(ROBOT, tmp_path, f"{PLACE}/footlight", "doctor")
    assert done.returncode == 1, done.stderr
    assert "left leg bus" in done.stdout and "unplugged" in done.stdout
    assert "packages" not in done.stdout


@robot
def test_a_technician_finds_the_lines_by_the_robots_bundle(tmp_path: Path) -> None:
    done = run(ROBOT, tmp_path, f"{PLACE}/footlight", "commission", "sign", "head", "--unit", "07")
    assert done.returncode == 2 and done.stderr.startswith("head bus: "), done.stderr
    assert "unplugged" in done.stderr and "Traceback" not in done.stderr


@robot
def test_the_robots_bundle_holds_the_installed_files(tmp_path: Path) -> None:
    script = f"DESTDIR=$HOME/x {PLACE}/packaging/install.sh && ls $HOME/x/etc/systemd/system"
    done = run(ROBOT, tmp_path, "/bin/sh", "-c", script)
    assert "footlight-core.service" in done.stdout, done.stderr


@laptop
def test_the_laptops_bundle_has_all_but_the_tools(tmp_path: Path) -> None:
    for package in ("mujoco", "PySide6", "soundfile", "sdl2"):
        assert imports(LAPTOP, tmp_path, package), package
    for package in ("pytest", "mypy", "pip"):
        assert not imports(LAPTOP, tmp_path, package), package


@laptop
@pytest.mark.timeout(PATIENCE_S + 20.0)
def test_a_laptop_rehearses(tmp_path: Path) -> None:
    options = ("--walk", "dur=1", "--pace", "max")
    done = run(LAPTOP, tmp_path, f"{PLACE}/footlight", "rehearse", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "distance walked" in done.stdout


@laptop
def test_a_laptop_needs_no_robot_for_its_doctor(tmp_path: Path) -> None:
    done = run(LAPTOP, tmp_path, f"{PLACE}/footlight", "doctor", "--body", "sim")
    assert done.returncode == 0, done.stdout + done.stderr
