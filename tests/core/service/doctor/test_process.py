"""The doctor in its own process: what it says, and what becomes of one that fails."""

import os
import stat
import sys
from pathlib import Path

import pytest

from core.errors import CoreError
from core.service.doctor import process
from core.service.doctor.finding import State
from core.service.doctor.order import DoctorOrder
from core.service.doctor.process import ask_doctor


def test_without_a_robot_every_line_is_named_and_nothing_is_well(tmp_path: Path) -> None:
    order = DoctorOrder(
        ports=str(tmp_path), calibration=str(tmp_path / "a.toml"), records=str(tmp_path)
    )
    found = {one.what: one for one in ask_doctor(order)}
    assert found["calibration"].state is State.WRONG
    assert found["calibration"].todo
    assert found["left leg bus"].found == "unplugged"
    for what in ("E-stop: wired A", "E-stop: agreement", "battery", "handset"):
        assert found[what].state is State.UNSEEN and found[what].todo, what


def test_a_rehearsal_needs_no_robot(tmp_path: Path) -> None:
    names = [one.what for one in ask_doctor(DoctorOrder(body="sim", records=str(tmp_path)))]
    assert "monotonic clock" in names and "sound" in names
    assert not [name for name in names if "bus" in name or name == "calibration"]


def test_an_unknown_robot_is_refused_in_one_sentence() -> None:
    with pytest.raises(CoreError, match="no robot is called 'nobody'"):
        ask_doctor(DoctorOrder(robot="nobody"))


def stand_in(folder: Path, script: str) -> str:
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return os.fspath(path)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("kill -9 $$", "exit status -9"),
        ("echo Traceback >&2; echo 'OSError: gone' >&2; exit 1", "OSError: gone"),
        ("echo '[{'", "output is invalid"),
        ("true", "output is invalid"),
        ('echo \'[{"what": "x", "state": "fine", "found": "y"}]\'', "output is invalid"),
    ],
)
def test_a_doctor_that_fails_is_reported(
    script: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", stand_in(tmp_path, script))
    with pytest.raises(CoreError, match=words):
        ask_doctor(DoctorOrder())


def test_a_doctor_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", stand_in(tmp_path, "exec sleep 60"))
    monkeypatch.setattr(process, "PATIENCE_S", 0.2)
    with pytest.raises(CoreError, match="did not end within"):
        ask_doctor(DoctorOrder())
