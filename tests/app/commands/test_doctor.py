"""`footlight doctor` from outside: its table, its file, its exit status."""

import json
from pathlib import Path

import pytest

import core.service.doctor.process
from app.__main__ import main
from core.errors import CoreError
from core.service.doctor.finding import Finding, State
from core.service.doctor.order import DoctorOrder

WELL = Finding("monotonic clock", State.WELL, "steps of 1 ns")
WRONG = Finding("left leg bus", State.WRONG, "unplugged", "check the adapter's USB plug")
NOTE = Finding("kernel", State.NOTE, "without [PREEMPT_RT]", "see packaging/realtime.md")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[DoctorOrder]:
    """Orders that were given; the doctor finds what `findings` holds."""
    orders: list[DoctorOrder] = []

    def ask(order: DoctorOrder) -> list[Finding]:
        orders.append(order)
        return [*findings]

    monkeypatch.setattr(core.service.doctor.process, "ask_doctor", ask)
    monkeypatch.setenv("COLUMNS", "160")
    return orders


findings: list[Finding] = []


def test_nothing_wrong_is_status_0(
    asked: list[DoctorOrder], capsys: pytest.CaptureFixture[str]
) -> None:
    findings[:] = [WELL, NOTE]
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "without [PREEMPT_RT]" in out and "nothing is wrong" in out
    assert asked == [DoctorOrder(records=str(Path.cwd()))]


def test_what_is_wrong_is_said_in_words_and_written(
    asked: list[DoctorOrder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    findings[:] = [WELL, WRONG]
    file = tmp_path / "found.json"
    options = ["--robot", "kid_cosmo", "--ports", str(tmp_path), "--sound", "USB"]
    assert main(["doctor", *options, "--json", str(file)]) == 1
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "left leg bus" in line]
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "left leg bus",
        "WRONG",
        "unplugged",
        "check the adapter's USB plug",
    ]
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["schema"] == 1 and report["nothing_wrong"] is False
    assert report["findings"][1] == {
        "what": "left leg bus",
        "state": "WRONG",
        "found": "unplugged",
        "todo": "check the adapter's USB plug",
    }
    assert (asked[0].ports, asked[0].sound) == (str(tmp_path), "USB")


def test_a_rehearsal_without_a_display_is_only_noted(
    asked: list[DoctorOrder],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    findings[:] = [WELL]
    assert main(["doctor", "--body", "sim"]) == 0
    assert "--headless" in capsys.readouterr().out
    assert asked[0].body == "sim"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--json", "/does/not/exist.json"], "its folder does not exist"),
        (["--robot", "No body"], "no robot is called 'No body'"),
        (["--faults", "here"], "--faults is for a twin that the doctor starts"),
        (["--body", "twin", "--ports", ".", "--faults", "here"], "--faults is for a twin that"),
        (["--body", "twin", "--faults", "nowhere"], "there is no file nowhere"),
        (["--body", "twin", "--calibration", "a"], "--calibration is of a real robot"),
    ],
)
def test_bad_input_is_refused_before_anything_is_asked(
    asked: list[DoctorOrder], options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", *options]) == 2
    err = capsys.readouterr().err
    assert why in err and len(err.splitlines()) == 1
    assert asked == []


def test_a_doctor_that_failed_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(order: DoctorOrder) -> list[Finding]:
        raise CoreError("the doctor did not end within 120 s")

    monkeypatch.setattr(core.service.doctor.process, "ask_doctor", fail)
    assert main(["doctor"]) == 2
    assert capsys.readouterr().err == "footlight: the doctor did not end within 120 s\n"
