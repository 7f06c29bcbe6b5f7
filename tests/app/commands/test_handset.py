"""`footlight handset` from outside: what it refuses, in one sentence."""

import socket
import tempfile
from pathlib import Path

import pytest

from app.__main__ import main
from devices.twin.exchange import ORDERS_SOCKET

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def test_without_a_display_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    assert main(["handset"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("footlight: there is no display") and len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("count", "why"),
    [
        (0, "no twin runs here: start footlight rehearse --body twin"),
        (2, "several twins run here: say which with --ports ("),
    ],
)
def test_it_must_know_whose_handset(
    count: int,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    doors = [socket.socket(socket.AF_UNIX) for _ in range(count)]
    for number, door in enumerate(doors):
        folder = tmp_path / f"footlight-{number}"
        folder.mkdir()
        door.bind(str(folder / ORDERS_SOCKET))
        door.listen()
    assert main(["handset"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"footlight: {why}") and len(error.splitlines()) == 1
    for door in doors:
        door.close()
