"""The line to a twin: orders, answers, silence, and what is no twin."""

import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.handset import twin as module
from app.handset.twin import MOST_WAITING, Twin, find_twins
from app.handset.window import HandsetWindow
from devices.twin.exchange import CLOCK_SOCKET, ORDERS_SOCKET
from tests.app.handset.conftest import Running
from tests.devices.twin import rig

pytestmark = [pytest.mark.realtime, pytest.mark.timeout(300)]  # a twin starts
NOBODY = 65534  # a user who owns nothing


def test_only_twins_that_live_are_found(tmp_path: Path, qtbot: QtBot) -> None:
    assert find_twins(tmp_path) == []
    for name in ("footlight-dead", "footlight-alive", "other"):
        (tmp_path / name).mkdir()
    with socket.socket(socket.AF_UNIX) as dead, socket.socket(socket.AF_UNIX) as alive:
        dead.bind(str(tmp_path / "footlight-dead" / ORDERS_SOCKET))
        alive.bind(str(tmp_path / "footlight-alive" / ORDERS_SOCKET))
        alive.listen()
        dead.close()
        assert find_twins(tmp_path) == [tmp_path / "footlight-alive"]


def test_orders_are_done_and_refusals_are_told(twin: Twin, running: Running, qtbot: QtBot) -> None:
    told: list[tuple[str, str]] = []
    twin.answered.connect(lambda words, answer: told.append((words, answer)))
    assert twin.order("press 3")
    qtbot.waitUntil(lambda: twin.hands is not None and twin.hands.buttons == 4)
    assert twin.order("press   \n 11")  # never two orders
    assert twin.ask("release 3")
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told[0][0] == "press   \n 11" and told[0][1].startswith("refused twin: press is")
    assert told[1] == ("release 3", "ok")


def test_who_leaves_lays_the_handset_down(twin: Twin, running: Running, qtbot: QtBot) -> None:
    twin.order("hold")
    twin.order("stick left_y 0.5")
    qtbot.waitUntil(lambda: twin.hands is not None and twin.hands.sticks[1] == 0.5)
    twin.close()
    qtbot.waitUntil(lambda: running.tell("hands")["dead_man"] is False)
    assert running.tell("hands")["sticks"] == [0.0] * 4
    assert not twin.order("hold")


def test_a_twin_that_stands_still_is_told_and_not_flooded(
    twin: Twin, running: Running, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLOW_S", 0.3)
    running.process.send_signal(signal.SIGSTOP)
    try:
        qtbot.waitUntil(lambda: twin.slow)
        assert twin.order("press 1")
    finally:
        running.process.send_signal(signal.SIGCONT)
    qtbot.waitUntil(lambda: not twin.slow)
    qtbot.waitUntil(lambda: twin.hands is not None and twin.hands.buttons == 1)


def test_a_twin_too_far_behind_to_hear_the_letting_go_is_left_and_so_lets_go(
    twin: Twin, running: Running, qtbot: QtBot
) -> None:
    twin.order("hold")
    qtbot.waitUntil(lambda: twin.hands is not None and twin.hands.dead_man)
    running.process.send_signal(signal.SIGSTOP)
    try:
        taken = sum(twin.order("stick left_y 0.5") for _ in range(2 * MOST_WAITING))
        assert 0 < taken <= MOST_WAITING
        assert not twin.order("let_go")
    finally:
        running.process.send_signal(signal.SIGCONT)
    qtbot.waitUntil(lambda: twin.hands is not None and not twin.hands.dead_man)
    assert running.tell("hands")["sticks"] == [0.0] * 4
    assert twin.order("hold")


def test_a_twin_that_is_killed_is_missed_and_its_successor_found(
    tmp_path: Path, qtbot: QtBot
) -> None:
    with rig.process(tmp_path) as child:
        rig.wait_for(tmp_path / CLOCK_SOCKET)
        twin = Twin(tmp_path)
        qtbot.waitUntil(lambda: twin.hands is not None)
        child.kill()
        qtbot.waitUntil(lambda: not twin.connected)
        assert twin.hands is None and not twin.order("hold")
    with rig.process(tmp_path):
        qtbot.waitUntil(lambda: twin.hands is not None, timeout=200_000)
    twin.close()


def test_a_folder_that_this_user_may_not_enter_is_told(tmp_path: Path, qtbot: QtBot) -> None:
    folder = tmp_path / "another's"
    folder.mkdir(mode=0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        twin = Twin(folder)
        window = HandsetWindow(twin, lambda: [""] * 10)
        qtbot.addWidget(window)
        qtbot.waitUntil(lambda: twin.barred)
        assert "another user's; open this as that user" in window.state.text()
    finally:
        os.seteuid(user)
    folder.chmod(0o700)
    qtbot.waitUntil(lambda: not twin.barred)
    assert "no twin runs in" in window.state.text()


@pytest.mark.parametrize(
    "says",
    [b"hello\nhello\n", b"ok\nok {}\n", b"ok\nok [1\n", b"x" * 100_000, b"ok\nrefused twin: no\n"],
)
def test_what_is_no_twin_is_left_alone(tmp_path: Path, qtbot: QtBot, says: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / ORDERS_SOCKET))
        door.listen()
        twin = Twin(tmp_path)
        peer, _ = door.accept()
        with peer:
            _say(peer, says, lambda: twin.foreign, qtbot)
            qtbot.waitUntil(lambda: twin.foreign)
        assert not twin.connected
        door.settimeout(0.5)
        with pytest.raises(TimeoutError):
            door.accept()


def _say(peer: socket.socket, says: bytes, heard: Callable[[], bool], qtbot: QtBot) -> None:
    peer.settimeout(0.1)
    while says and not heard():
        try:
            says = says[peer.send(says) :]
        except TimeoutError:
            qtbot.wait(10)
        except OSError:
            return
