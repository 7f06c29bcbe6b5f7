"""A recorded run opens in a process of its own; one that does not open is told with its reason."""

import signal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.console.context.notices import Notice, Notices
from app.console.files.chooser import ChooserSheet
from app.console.files.run_opener import RunOpener
from app.console.toolkit.sheet import Sheet
from tests.app.runs.recording import write_run


def test_the_reason_comes_from_the_other_process(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    notices, said, sheets = Notices(), list[Notice](), list[Sheet]()
    notices.said.connect(said.append)
    opener = RunOpener(notices, sheets.append)
    opener.choose()
    (sheet,) = sheets
    qtbot.addWidget(sheet)
    assert isinstance(sheet, ChooserSheet)
    odd = tmp_path / "odd.mcap"
    odd.write_bytes(b"no run")
    opener.open(odd)
    opener.open(write_run(tmp_path / "run.mcap", length_s=1.0))
    (_, odd_window), (_, window) = opener._opened
    qtbot.waitUntil(lambda: odd_window.poll() is not None and len(said) == 3)
    assert said[-1].text == (
        f"odd.mcap was not shown: {odd} is not a record of a run (it is not MCAP)"
    )
    assert window.poll() is None
    window.send_signal(signal.SIGTERM)
    assert window.wait(60.0) in (0, -signal.SIGTERM)
    qtbot.waitUntil(lambda: not opener._opened)
