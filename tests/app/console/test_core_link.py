"""The link is found, lost within 250 ms and found again; nothing is sent to a core that is gone."""

import time

from pytestqt.qtbot import QtBot

from app.console.context import Context
from app.console.core_link import CoreLink
from core.link.messages import Event, Go, Stop
from core.link.playbill import Playbill
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
    qtbot.waitUntil(lambda: late.playbill == core.playbill, timeout=5000)
    qtbot.wait(600)
    assert told.count(core.playbill) == 1  # repeated, and no news
    late.close()


def test_what_is_asked_reaches_the_core(context: Context, core: LineCore, qtbot: QtBot) -> None:
    assert context.link.send(Go())
    qtbot.waitUntil(lambda: core.commands == [Go()])


def test_a_lost_core_is_seen_soon_and_asked_nothing(
    context: Context, core: LineCore, qtbot: QtBot
) -> None:
    link = context.link
    refusals: list[str] = []
    link.refused.connect(refusals.append)
    core.stop()
    stopped_s = time.monotonic()
    qtbot.waitUntil(lambda: not link.connected, timeout=2000)
    assert time.monotonic() - stopped_s < 0.5  # 250 ms, and what a busy machine adds
    assert not link.send(Go())
    assert refusals
    link.send(Stop())  # tried in any case


def test_a_core_that_comes_back_is_found(context: Context, core: LineCore, qtbot: QtBot) -> None:
    core.stop()
    qtbot.waitUntil(lambda: not context.link.connected, timeout=2000)
    with LineCore(core.endpoint) as again:
        qtbot.waitUntil(lambda: context.link.connected, timeout=8000)
        assert context.link.send(Go())
        qtbot.waitUntil(lambda: again.commands == [Go()])


def test_a_console_without_a_core_waits(qtbot: QtBot) -> None:
    link = CoreLink("tcp/127.0.0.1:1", ROBOT)
    link.start()
    qtbot.wait(300)
    assert not link.connected
    assert not link.send(Go())
    link.close()
