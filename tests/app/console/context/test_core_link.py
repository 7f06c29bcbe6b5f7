"""The link is found, lost within 250 ms and found again; nothing is sent to a core that is gone."""

import signal
import socket
import subprocess
import sys
import time
from typing import get_args

import msgspec
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from core.link.body import LeadBody, ReleaseBody
from core.link.commands import (
    ArmTake,
    BackDrive,
    Cancel,
    Command,
    EndBackDrive,
    EndSway,
    EndTake,
    Freeze,
    Gesture,
    Go,
    GoTo,
    GoToPose,
    Head,
    Hold,
    LoadShow,
    MarkTake,
    Mute,
    PauseShow,
    Pull,
    Push,
    PutBack,
    ReleaseHead,
    Reset,
    ResetShow,
    ResumeShow,
    SetHandsetMap,
    Settle,
    Shutdown,
    StandUp,
    StartJump,
    StartSway,
    StartTake,
    Stop,
    ToggleTake,
    Unfreeze,
    UseSound,
    Volume,
    Walk,
)
from core.link.event import Event
from core.link.improvised import PoseHands, Say, SetIdle
from core.link.partner import EndFollow, Follow
from core.link.place import HoldPoint, LookAt, ShiftPoint, StandsAt, WalkTo
from core.link.playbill import Playbill
from core.link.server import Server
from core.link.session import free_endpoint
from core.link.take import TakePlan
from core.link.topics import STATUS
from shows.document import Cue, Show
from tests.app.console.rig import HELLO, ROBOT, LineCore


def test_what_the_core_says_arrives(context: Context, core: LineCore, qtbot: QtBot) -> None:
    link = context.link
    heard: list[Event] = []
    link.events_arrived.connect(heard.extend)
    core.set(mode="WALK")
    core.say(Event(1.0, "core", "hello"))
    qtbot.waitUntil(lambda: link.status is not None and link.status.mode == "WALK")
    qtbot.waitUntil(lambda: len(heard) == 1)
    assert link.hello == HELLO
    qtbot.waitUntil(lambda: link.scene is not None)


def test_what_is_loaded_is_heard_however_late_one_comes(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    told: list[Playbill] = []
    context.link.playbill_changed.connect(told.append)
    core.load(Show(name="Gala", cues=(Cue(number="1"),)), cue_1="too fast")
    qtbot.waitUntil(lambda: core.playbill in told)
    late = CoreLink(core.endpoint, ROBOT)
    late.start()
    qtbot.waitUntil(lambda: late.playbill == core.playbill)
    qtbot.wait(600)
    assert told.count(core.playbill) == 1  # repeated, and no news
    late.close()


def test_what_is_asked_reaches_the_core(context: Context, core: LineCore, qtbot: QtBot) -> None:
    assert context.link.send(Go())
    qtbot.waitUntil(lambda: core.commands == [Go()])


PLAN = TakePlan(path="/nowhere/a.take")
ALL: tuple[Command, ...] = (
    StandUp(), Settle(), Stop(), Reset(), Hold(), Walk(vx=0.1), Walk(step=True), Walk(),
    Gesture("wave"), Cancel(), Freeze(), Unfreeze(), Head(0.1, 0.0), ReleaseHead(), Go(),
    PauseShow(), ResumeShow(), GoTo("1"), ResetShow(), LoadShow("/nowhere"),
    Push(1.0, 0.0, 0.0, 0.1), Shutdown(), SetHandsetMap(), Volume(0.5), Mute(), UseSound(),
    PutBack(), Pull("a", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.1), BackDrive({}), EndBackDrive(),
    GoToPose({"a": 0.0}), StartTake(PLAN), EndTake(), MarkTake(), ArmTake(), ToggleTake(),
    StartSway("left", 0.01, 0.1), EndSway(), StartJump(),
    WalkTo(0.0, 0.0, 0.0), StandsAt(0.0, 0.0, 0.0), LookAt(0.0, 0.0, 0.0),
    HoldPoint(), ShiftPoint(left=0.5), ShiftPoint(), LeadBody(pitch=0.1), ReleaseBody(),
    Say("hello"), PoseHands("open"), SetIdle(False), Follow(), EndFollow(),
)  # fmt: skip
MOVING = {
    StandUp, Reset, PutBack, Gesture, Unfreeze, Head, Go, ResumeShow, Push, Pull, BackDrive,
    EndBackDrive, GoToPose, StartTake, ToggleTake, StartSway, StartJump, WalkTo, LookAt,
    HoldPoint, PoseHands, Follow, LeadBody,
}  # fmt: skip


def test_what_may_move_the_robot_is_not_sent_on_a_late_press_and_every_stop_is(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    assert {type(command) for command in ALL} == set(get_args(Command))
    link = context.link
    refusals: list[str] = []
    link.refused.connect(refusals.append)
    ends = Walk(), ShiftPoint()
    due = [
        c for c in ALL if type(c) not in MOVING and (c in ends or type(c) not in map(type, ends))
    ]
    due.sort(key=lambda command: isinstance(command, Stop))  # what came before a STOP is void
    for command in (*(c for c in ALL if c not in due), *due):
        link.presses.note(2.5)
        assert link.send(command) is (command in due)
    qtbot.waitUntil(lambda: Stop() in core.commands)
    stopped = core.commands.index(Stop())
    assert core.commands[:stopped] == due[:stopped]
    late = "pressed 2.5 s ago, while the console hung; press again"
    assert refusals[0] == f"Stand up was not sent: {late}"
    assert len(refusals) == len(ALL) - len(due)
    qtbot.waitUntil(lambda: not link.presses.late)
    assert link.send(Go())


def test_a_lost_core_is_seen_soon_and_asked_nothing(core: LineCore, qtbot: QtBot) -> None:
    link = CoreLink(core.endpoint, ROBOT)  # as patient as in the program
    link.start()
    qtbot.waitUntil(lambda: link.connected)
    refusals: list[str] = []
    link.refused.connect(refusals.append)
    core.stop()
    stopped_s = time.monotonic()
    qtbot.waitUntil(lambda: not link.connected)
    assert time.monotonic() - stopped_s < 0.5  # 250 ms, and what a busy machine adds
    assert not link.send(Go())
    assert refusals
    link.send(Stop())  # tried in any case
    link.close()


def test_a_core_that_comes_back_is_found(context: Context, core: LineCore, qtbot: QtBot) -> None:
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected)
    with LineCore(core.endpoint) as again:
        qtbot.waitUntil(lambda: context.link.connected)
        assert context.link.send(Go())
        qtbot.waitUntil(lambda: again.commands == [Go()])


def test_a_console_without_a_core_waits(qtbot: QtBot) -> None:
    link = CoreLink("tcp/127.0.0.1:1", ROBOT)
    link.start()
    qtbot.wait(300)
    assert not link.connected
    assert not link.send(Go())
    link.close()


def test_another_core_is_asked_nothing_before_it_has_introduced_itself(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    link = context.link
    core.stop()
    qtbot.waitUntil(lambda: not link.connected, timeout=2000)
    other = LineCore(core.endpoint)
    other.hello = None
    other.set(started_s=1.0)
    with other:
        qtbot.waitUntil(lambda: link.status is not None and link.status.started_s == 1.0)
        qtbot.wait(100)
        assert not link.connected
        assert not link.send(Go())
        other.hello = msgspec.structs.replace(HELLO, support="seated", started_s=1.0)
        qtbot.waitUntil(lambda: link.connected, timeout=8000)
        assert link.hello == other.hello


def test_a_core_of_another_version_is_told_from_none(core: LineCore, qtbot: QtBot) -> None:
    core.stop()
    link = CoreLink(core.endpoint, ROBOT)
    link.start()
    qtbot.wait(100)
    assert not link.foreign
    with Server(core.endpoint, ROBOT) as server:
        unread = msgspec.msgpack.encode({"stamp_s": 1.0, "new": 2})

        def found() -> bool:
            server._put(server._publishers[STATUS.name], unread)
            return link.foreign

        qtbot.waitUntil(found, timeout=8000)
        assert not link.connected
    qtbot.waitUntil(lambda: not link.foreign, timeout=8000)
    link.close()


def test_stop_reaches_a_core_that_was_frozen(qtbot: QtBot) -> None:
    endpoint = free_endpoint()
    code = f"""
import time
from core.link.commands import Stop
from tests.app.console.rig import LineCore
with LineCore({endpoint!r}) as core:
    while Stop() not in core.commands:
        time.sleep(0.02)
"""
    process = subprocess.Popen([sys.executable, "-c", code])
    link = CoreLink(endpoint, ROBOT)
    try:
        link.start()
        qtbot.waitUntil(lambda: link.connected, timeout=20000)
        process.send_signal(signal.SIGSTOP)
        qtbot.wait(2000)  # far beyond the time after which it counts as lost
        assert not link.connected
        assert link.send(Stop())
        process.send_signal(signal.SIGCONT)
        assert process.wait(10.0) == 0
    finally:
        process.kill()
        process.wait()
        link.close()


def test_a_console_ends_soon_beside_a_frozen_core(qtbot: QtBot) -> None:
    with socket.socket() as frozen:  # takes calls, and answers none
        frozen.bind(("127.0.0.1", 0))
        frozen.listen()
        link = CoreLink(f"tcp/127.0.0.1:{frozen.getsockname()[1]}", ROBOT)
        link.start()
        qtbot.wait(100)
        began_s = time.monotonic()
        link.close()
        assert time.monotonic() - began_s < 6.0  # 10 s without a bound of its own
