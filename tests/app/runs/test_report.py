"""The report on paper: complete, safe from what it quotes, and whole or not there."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.__main__ import main
from app.runs.report import _page, write_report
from app.runs.run import Run


def test_it_tells_of_cues_stops_alarms_and_loads(run: Run) -> None:
    run.digest.finish()
    page = _page(run, [])
    assert "<td>0:02.0" in page and "<td>Hello</td>" in page
    assert "<td>FAULT</td><td>1.4" in page or "<td>FAULT</td><td>1.5" in page
    assert "the knee is &lt;hot&gt;" in page
    assert "<td>left knee</td><td>40.00 N·m</td><td>56%</td><td>0:21.3</td><td>70 °C</td>" in page
    assert "<td>duration</td><td>30.00 s, 30000 ticks</td>" in page


def test_it_is_a_document_of_several_pages(run: Run, tmp_path: Path, qtbot: QtBot) -> None:
    run.digest.finish()
    path = tmp_path / "report.pdf"
    write_report(run, path)
    content = path.read_bytes()
    assert content.startswith(b"%PDF") and content.count(b"/Type /Page\n") >= 2
    assert list(tmp_path.iterdir()) == [path]


def test_where_it_cannot_be_written_nothing_is_left(run: Run, tmp_path: Path, qtbot: QtBot) -> None:
    run.digest.finish()
    folder = tmp_path / "folder.pdf"
    folder.mkdir()
    with pytest.raises(OSError):
        write_report(run, folder)
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("action", ["view", "report"])
def test_the_command_refuses_in_one_sentence(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("os.nice", lambda by: by)
    odd = tmp_path / "odd.mcap"
    odd.write_bytes(b"no run")
    arguments = [
        "log",
        action,
        str(odd),
        *([str(tmp_path / "o.pdf")] if action == "report" else []),
    ]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("footlight: ") and len(error.splitlines()) == 1
    assert "odd.mcap is not a record of a run" in error


def test_a_report_into_no_folder_is_refused(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", "report", str(recorded), str(tmp_path / "no" / "r.pdf")]) == 2
    assert "its folder does not exist" in capsys.readouterr().err
