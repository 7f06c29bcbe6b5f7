"""A defect is told in one sentence, and does not bury what else there is to read."""

import sys

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from app.console import application
from app.console.application import DEFECT, _teller
from app.console.context.notices import Notice, Notices


class Source(QObject):
    """Something of a core that comes often."""

    came = Signal(str)


def fails(text: str) -> None:
    raise ValueError(text)


def test_a_defect_that_repeats_is_told_once_and_another_one_too(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notices, said, source = Notices(), list[Notice](), Source()
    notices.said.connect(said.append)
    tell = _teller(notices)

    def hear(text: str) -> None:
        try:
            fails(text)
        except ValueError:
            kind, error, trace = sys.exc_info()
            assert kind is not None and error is not None
            tell(kind, error, trace)

    source.came.connect(hear)
    for tick in range(50):
        source.came.emit(f"joint {tick}")
    assert [notice.text for notice in said] == [f"{DEFECT} (ValueError: joint 0)"]
    assert capsys.readouterr().err.count("Traceback") == 1
    try:
        raise KeyError("other")
    except KeyError as error:
        tell(KeyError, error, error.__traceback__)
    assert len(said) == 2
    monkeypatch.setattr(application, "SILENCE_S", 0.0)
    source.came.emit("later")
    assert len(said) == 3
