"""TSID that is missing, or made for another Pinocchio, costs a sentence and not the bench."""

import importlib.util
from pathlib import Path

import pytest

from core.lab.bench.tsid import tsid_here


def test_a_missing_tsid_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert tsid_here() == ("missing", "TSID is not installed, so it is not compared.")


WORKS = "FLOATING_BASE_SYSTEM = 1\ndef RobotWrapper(model, kind, verbose): assert model.nv > 6"


@pytest.mark.parametrize(
    ("code", "state", "told"),
    [
        ("raise ImportError('libpinocchio is gone')", "broken", "libpinocchio is gone"),
        ("import os; os.abort()", "broken", "exit status -6"),
        (WORKS, "works", "TSID works with Pinocchio"),
    ],
)
def test_a_tsid_is_tried_where_it_can_do_no_harm(
    code: str, state: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tsid.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found, sentence = tsid_here()
    assert found == state
    assert told in sentence
