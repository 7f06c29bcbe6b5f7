"""The console's keeper: starts it again when it dies, lets go when it is closed."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from app import keeper
from app.keeper import Keeper, console_command, dead_display, no_display, spoken_command

ENDPOINT = "tcp/127.0.0.1:7447"
WAITS = ("sleep", "60")


@pytest.fixture
def kept() -> Iterator[Keeper]:
    """A console that only waits."""
    found = Keeper(WAITS, "footlight console")
    found.start()
    yield found
    found.end(hurry=lambda: True)


Shell: TypeAlias = Callable[[str], Keeper]


@pytest.fixture
def shell() -> Iterator[Shell]:
    """Starts a script as if it were a console."""
    started: list[Keeper] = []

    def start(script: str) -> Keeper:
        started.append(Keeper(("/bin/sh", "-c", script), "footlight console"))
        started[-1].start()
        return started[-1]

    yield start
    for found in started:
        found.end(hurry=lambda: True)


def news(kept: Keeper) -> str:
    """Return what the keeper has to say of a console that is about to end."""
    deadline = time.monotonic() + 20.0
    before = kept.pid
    while True:
        said = kept.look()
        if said or kept.pid != before:
            return said
        assert time.monotonic() < deadline, "it never ended"
        time.sleep(0.01)


def test_a_console_that_runs_is_left_alone(kept: Keeper) -> None:
    pid = kept.pid
    assert kept.look() == "" and kept.pid == pid and not kept.closed


def test_one_that_is_closed_is_not_started_again(shell: Shell) -> None:
    kept = shell("exit 0")
    assert news(kept) == ""
    assert kept.closed and kept.pid is None
    assert kept.look() == ""


def test_one_that_is_killed_is_started_again_and_said_so(kept: Keeper) -> None:
    before = kept.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert news(kept) == (
        "the console was killed (SIGKILL); the core continues, and another console opens"
    )
    assert kept.pid not in (None, before) and not kept.closed


def test_one_that_dies_again_at_once_is_left_to_the_operator(shell: Shell) -> None:
    kept = shell("echo Traceback >&2; echo the window has a defect >&2; exit 3")
    assert news(kept).startswith("the console died (the window has a defect); the core continues")
    assert "again; the core continues (end it with Ctrl-C)" in news(kept)
    assert kept.pid is None and not kept.closed
    assert kept.look() == ""


def test_one_that_lived_for_long_is_started_as_often_as_it_dies(
    kept: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "QUICK_S", 0.0)
    for _ in range(4):
        assert kept.pid is not None
        os.kill(kept.pid, signal.SIGKILL)
        assert "another console opens" in news(kept)


def test_one_that_says_nothing_is_told_by_its_status(shell: Shell) -> None:
    assert "died (exit status 7)" in news(shell("exit 7"))


def test_the_end_asks_first_and_then_insists(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "END_S", 0.2)
    kept = shell("trap '' TERM; sleep 60 & wait; sleep 60")
    time.sleep(0.2)
    pid = kept.pid
    assert pid is not None
    kept.end()
    assert kept.pid is None and not Path(f"/proc/{pid}").exists()
    kept.end()  # there is nothing to end


def test_waiting_for_the_operator_ends_with_the_console_or_with_patience(
    kept: Keeper, shell: Shell
) -> None:
    asked: list[int] = []

    def impatient() -> bool:
        asked.append(1)
        return len(asked) > 3

    kept.await_close(impatient)
    assert kept.pid is not None
    closing = shell("exit 0")
    closing.await_close(lambda: False)
    assert closing.look() == "" and closing.closed


def test_its_command_lines_name_the_core_and_the_show() -> None:
    line = console_command("robby", ENDPOINT, Path("/shows/my evening"))
    assert line[:4] == [sys.executable, "-P", "-m", "app"]
    assert line[4:] == ["console", "--robot", "robby", "--connect", ENDPOINT, "/shows/my evening"]
    assert spoken_command("robby", ENDPOINT, Path("/shows/my evening")) == (
        f"footlight console --robot robby --connect {ENDPOINT} '/shows/my evening'"
    )
    assert console_command("robby", ENDPOINT, None)[-1] == ENDPOINT


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_a_display_is_one_that_is_named(name: str) -> None:
    assert no_display({name: "x"}) == ""
    assert "there is no display" in no_display({name: ""})


def test_a_display_is_tried_before_a_rehearsal_counts_on_it() -> None:
    plain = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    plain.pop("QT_QPA_PLATFORM", None)
    assert "there is no display" in dead_display(plain)
    assert dead_display({**plain, "QT_QPA_PLATFORM": "offscreen"}) == ""
    assert "cannot be opened" in dead_display({**plain, "QT_QPA_PLATFORM": "nothing_of_the_kind"})
