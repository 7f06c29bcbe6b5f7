"""A recorded run opens in a process of its own; one that does not open is told with its reason."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.console.context.notices import Notice, Notices
from app.console.files.chooser import ChooserSheet
from app.console.files.run_opener import RunOpener
from app.console.toolkit.sheet import Sheet


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
    qtbot.waitUntil(lambda: not opener._opened, timeout=120_000)  # it tries the display first
    assert [notice.text for notice in said] == [
        "odd.mcap opens in a window of its own",
        f"odd.mcap was not shown: {odd} is not a record of a run (it is not MCAP)",
    ]
