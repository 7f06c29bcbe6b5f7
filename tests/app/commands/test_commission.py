"""`footlight commission` from outside: what it takes, what it refuses, its exit status."""

from pathlib import Path

import pytest

import core.service.commission.process
from app.__main__ import main
from core.errors import CoreError
from core.service.commission.order import CommissionOrder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[CommissionOrder]:
    orders: list[CommissionOrder] = []

    def work(order: CommissionOrder) -> int:
        orders.append(order)
        return 1

    monkeypatch.setattr(core.service.commission.process, "commission", work)
    return orders


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["zero", "left_leg", "--faults", "x"], "--faults is for a twin that is started"),
        (
            ["scan", "--body", "twin", "--ports", ".", "--faults", "x"],
            "--faults is for a twin that",
        ),
        (["scan", "--body", "twin", "--faults", "nowhere"], "there is no file nowhere"),
        (["scan", "--robot", "No body"], "no robot is called 'No body'"),
        (["sign", "../knee"], "the commissioning order is refused"),
        (["zero", "head", "--unit", "../07"], "the commissioning order is refused"),
        (["zero", "head", "--posture", "../asleep"], "the commissioning order is refused"),
    ],
)
def test_bad_input_is_refused_before_anything_is_asked(
    asked: list[CommissionOrder], options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["commission", *options]) == 2
    err = capsys.readouterr().err
    assert why in err and len(err.splitlines()) == 1
    assert asked == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "ACTION"),
        (["torque"], "invalid choice"),
        (["id"], "JOINT"),
        (["id", "left_knee", "--to", "253"], "no whole number from 0 to 252"),
        (["sign"], "JOINT"),
        (["zero", "head", "--at", "head_yaw"], "is not JOINT=DEG"),
        (["zero", "head", "--at", "head_yaw=1,head_yaw=2"], "head_yaw is given twice"),
        (["zero", "head", "--at", "head_yaw=400"], "outside -360 to 360"),
    ],
)
def test_what_is_no_such_command_is_refused_in_one_line(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["commission", *options])
    assert left.value.code == 2
    err = capsys.readouterr().err
    assert why in err and len(err.splitlines()) == 1


def test_what_is_asked_for_is_ordered(asked: list[CommissionOrder], tmp_path: Path) -> None:
    file = tmp_path / "07.toml"
    options = ["--unit", "07", "--calibration", str(file), "--ports", str(tmp_path)]
    assert main(["commission", "id", "left_knee", "--from", "1", "--to", "4", *options]) == 1
    assert asked[-1] == CommissionOrder(
        action="id",
        names=("left_knee",),
        old_id=1,
        new_id=4,
        unit="07",
        calibration=str(file),
        ports=str(tmp_path),
    )
    main(["commission", "zero", "head", "--posture", "seat", "--at", "head_yaw=-5,head_pitch=2"])
    assert (asked[-1].posture, asked[-1].angles) == ("seat", {"head_yaw": -5.0, "head_pitch": 2.0})


def test_a_twin_that_died_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(order: CommissionOrder) -> int:
        raise CoreError("the twin was killed (SIGKILL)")

    monkeypatch.setattr(core.service.commission.process, "commission", fail)
    assert main(["commission", "scan", "--body", "twin"]) == 2
    assert capsys.readouterr().err == "footlight: the twin was killed (SIGKILL)\n"
