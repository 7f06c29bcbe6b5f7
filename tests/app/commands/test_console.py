"""A rehearsal with a console beside it, and the console's own command, from outside."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.__main__ import main
from core.record.reader import read
from tests.processes import descendants, wait_gone
from tests.stand_in import Conduct

pytestmark = pytest.mark.realtime

COMMAND = (sys.executable, "-m", "tests.app.rehearsal")


class Rehearsal:
    """A rehearsal whose consoles do, one after the other, what the words say."""

    def __init__(self, folder: Path, *options: str, words: str = "", display: bool = True) -> None:
        self.log = folder / "run.mcap"
        (folder / "words").write_text(words)
        environment = {**os.environ, "CONSOLES": str(folder / "words")}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            environment.pop(name, None)
        if display:
            environment["QT_QPA_PLATFORM"] = "offscreen"
        self.process = subprocess.Popen(
            [*COMMAND, "rehearse", "--log", str(self.log), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def until(self, words: str) -> str:
        """Return what is printed up to a line that holds these words, with that line."""
        assert self.process.stdout is not None
        seen = ""
        for line in self.process.stdout:
            seen += line
            if words in line:
                return seen
        raise AssertionError(f"{words!r} was never printed: {seen}")

    def end(self) -> tuple[int, str, str]:
        """Return exit status, output and errors."""
        out, errors = self.process.communicate(timeout=40)
        return self.process.returncode, out, errors


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Rehearsal]]:
    """Rehearsals that end with the test, whatever it does."""
    found: list[Rehearsal] = []
    yield found
    for rehearsal in found:
        rehearsal.process.kill()
        rehearsal.process.communicate()


def test_closing_the_console_ends_the_rehearsal_in_order(
    tmp_path: Path, started: list[Rehearsal]
) -> None:
    rehearsal = Rehearsal(tmp_path, words="close")
    started.append(rehearsal)
    status, out, errors = rehearsal.end()
    assert (status, errors) == (0, "")
    advice = "footlight console --robot kid_cosmo --connect tcp/"
    assert f"should the console be gone, open another: {advice}" in out
    assert "meet_cosmo" in out
    assert "asked to end" in out  # the core was, and did
    assert read(rehearsal.log).problem == ""


def test_a_console_that_is_killed_comes_back_and_the_core_goes_on(
    tmp_path: Path, started: list[Rehearsal]
) -> None:
    rehearsal = Rehearsal(tmp_path, words="kill close")
    started.append(rehearsal)
    status, out, errors = rehearsal.end()
    assert (status, errors) == (0, "")
    assert "the console was killed (SIGKILL); the core continues, and another console opens" in out
    assert out.count("core: started") == 1


def test_a_console_that_never_stays_up_leaves_the_core_alone(
    tmp_path: Path, started: list[Rehearsal]
) -> None:
    rehearsal = Rehearsal(tmp_path, words="fail fail")
    started.append(rehearsal)
    seen = rehearsal.until("again; the core continues")
    assert "the console died (the window has a defect)" in seen
    assert rehearsal.process.poll() is None
    rehearsal.process.send_signal(signal.SIGINT)
    status, _, errors = rehearsal.end()
    assert (status, errors) == (0, "footlight: ended by SIGINT\n")


def test_a_core_that_dies_leaves_the_console_open(tmp_path: Path, started: list[Rehearsal]) -> None:
    rehearsal = Rehearsal(tmp_path, "--seed", str(int(Conduct.DIES)), words="outlive")
    started.append(rehearsal)
    status, out, errors = rehearsal.end()
    assert status == 1
    assert "the core is gone, and the console stays open" in out
    assert errors == "footlight: the core was killed (SIGKILL)\n"


def test_ctrl_c_ends_core_and_console(tmp_path: Path, started: list[Rehearsal]) -> None:
    rehearsal = Rehearsal(tmp_path, words="stay")
    started.append(rehearsal)
    rehearsal.until("READY")
    family = descendants(rehearsal.process.pid)
    assert len(family) >= 5  # loop, scribe, stagehand, voice and the console
    rehearsal.process.send_signal(signal.SIGINT)
    status, _, errors = rehearsal.end()
    assert (status, errors) == (0, "footlight: ended by SIGINT\n")
    wait_gone(family)
    assert read(rehearsal.log).problem == ""


def test_without_a_display_it_says_so_and_operates_itself(
    tmp_path: Path, started: list[Rehearsal]
) -> None:
    rehearsal = Rehearsal(tmp_path, words="fail", display=False)
    started.append(rehearsal)
    seen = rehearsal.until("READY")
    assert "there is no display" in seen and "the rehearsal operates itself" in seen
    assert "should the console be gone" not in seen
    assert (tmp_path / "words").read_text() == "fail"  # no console took it


@pytest.mark.parametrize(
    ("options", "why"),
    [(["--pace", "max"], "another pace"), (["--push", "t=1,dur=0.1,fx=9"], "operates itself")],
)
def test_what_only_a_robot_without_operator_can_do_opens_none(
    options: list[str], why: str, tmp_path: Path, started: list[Rehearsal]
) -> None:
    rehearsal = Rehearsal(tmp_path, *options, words="fail")
    started.append(rehearsal)
    seen = rehearsal.until("READY")
    assert why in seen
    assert (tmp_path / "words").read_text() == "fail"


def test_a_console_needs_a_display_and_a_show_that_exists(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert main(["console"]) == 2
    assert main(["console", "/does/not/exist"]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    display, show = errors.splitlines()
    assert "there is no display" in display and "there is no show /does/not/exist" in show
