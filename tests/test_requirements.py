"""What is installed where: no Qt on the robot's computer, every file pinned by its hash."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.tracked import REPOSITORY

QT = re.compile(r"qt|pyside|shiboken", re.IGNORECASE)
PINNED = re.compile(
    r"^([a-z0-9][a-z0-9.-]*)==(\S+)(?: ; python_version < \"3\.12\")?"
    r"((?: --hash=sha256:[0-9a-f]{64})+)$"
)


def _project() -> dict[str, Any]:
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return match.group().lower().replace("_", "-")


def _locked(name: str) -> dict[str, str]:
    """Return version by name; every requirement must be pinned and hashed."""
    text = (REPOSITORY / "packaging" / "lock" / f"{name}.txt").read_text(encoding="utf-8")
    joined = re.sub(r" \\\n\s*", " ", text)
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    matches = {line: PINNED.match(line) for line in lines}
    loose = [line for line, match in matches.items() if match is None]
    assert not loose, f"{name}.txt has requirements without a version or a hash: {loose}"
    return {match[1]: match[2] for match in matches.values() if match}


def test_the_base_names_no_qt_and_no_simulator() -> None:
    names = [_name(requirement) for requirement in _project()["dependencies"]]
    assert "numpy" in names
    assert not [name for name in names if QT.search(name) or name == "mujoco"]


def test_the_robots_lock_holds_no_qt_and_no_simulator() -> None:
    locked = _locked("robot")
    assert not [name for name in locked if QT.search(name) or name.startswith("mujoco")]


def test_every_requirement_is_locked() -> None:
    project = _project()
    extras = project["optional-dependencies"]
    base = {_name(requirement) for requirement in project["dependencies"]}
    everything = base | {_name(r) for extra in extras.values() for r in extra}
    assert everything <= _locked("development").keys()
    assert base | {_name(r) for r in extras["sound"]} <= _locked("robot").keys()
    assert base | {_name(r) for r in extras["camera"]} <= _locked("camera").keys()


@pytest.mark.parametrize("name", ["robot", "laptop", "camera"])
def test_what_is_shipped_are_the_versions_that_were_tested(name: str) -> None:
    assert _locked(name).items() <= _locked("development").items()


def test_the_laptops_lock_holds_all_but_the_tools_and_the_camera() -> None:
    extras = _project()["optional-dependencies"]
    locked = _locked("laptop")
    wanted = {
        _name(r) for extra, names in extras.items() if extra not in ("dev", "camera") for r in names
    }
    assert wanted <= locked.keys()
    assert not {_name(requirement) for requirement in extras["dev"]} & locked.keys()


@pytest.mark.parametrize(
    "lock", sorted((REPOSITORY / "packaging" / "lock").glob("*.txt")), ids=lambda path: path.name
)
def test_a_lock_file_names_no_place(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*(-|--(?!hash))\w*(index|find-links|trusted-host)", text, re.M)


def test_the_fuzzer_is_locked_by_itself() -> None:
    assert _locked("fuzz").keys() == {"atheris"}
