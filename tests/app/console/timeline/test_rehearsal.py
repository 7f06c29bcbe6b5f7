"""A range rehearses on a simulated robot, and the core has the whole cue afterwards."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.cues.caller import Caller
from app.console.files.publisher import Publisher
from app.console.gestures.library import GestureLibrary
from app.console.timeline.editor import LOCKED, Editor
from app.console.timeline.rehearsal import BUSY, NOT_STANDING, ONLY_SIMULATED, RangeRehearsal
from core.link.commands import Cancel, Go, LoadShow
from shows.document import Cue, HeadClip, HeadTrack, Show
from shows.jsonfile import decode
from tests.app.console.rig import HELLO, LineCore

CLIPS = (HeadClip(start_s=0.0, length_s=4.0), HeadClip(start_s=6.0, length_s=4.0, yaw=0.3))
CUE = Cue(number="7", tracks=(HeadTrack(clips=CLIPS),), safe_points_s=(0.0, 5.0))


class Desk:
    def __init__(self, context: Context, core: LineCore, folder: Path, qtbot: QtBot) -> None:
        self.core, self.qtbot, self._loads = core, qtbot, 0
        caller = Caller(context)
        library = GestureLibrary(context.link, context.document, context.notices, [])
        self.publisher = Publisher(context.link, context.document, context.notices, folder)
        self.publisher.version_made.connect(caller.add_version)
        self.editor = Editor(context, library, caller)
        self.rehearsal = RangeRehearsal(context, caller, self.publisher, self.editor)
        self.refused: list[str] = []
        self.rehearsal.refused.connect(self.refused.append)
        context.document.open(Show(name="x", robot=HELLO.robot, cues=(CUE,)), None, {}, {})
        self.editor.show_cue("7")
        self.load()

    def load(self) -> Cue:
        """Have the core load the folder that it is asked to; return its cue."""
        self._loads += 1
        self.qtbot.waitUntil(lambda: len(self._asked) >= self._loads)
        path = self._asked[-1]
        show = decode((Path(path) / "show.json").read_bytes(), Show, "show.json")
        self.core.load(show, path)
        self.qtbot.waitUntil(lambda: self.publisher.current)
        return show.cues[0]

    @property
    def _asked(self) -> list[str]:
        return [c.path or "" for c in self.core.commands if isinstance(c, LoadShow)]

    def has_gone(self, times: int) -> bool:
        return self.sent(Go) == times

    def sent(self, kind: type[Go] | type[Cancel]) -> int:
        return sum(isinstance(command, kind) for command in self.core.commands)


@pytest.fixture
def desk(context: Context, core: LineCore, tmp_path: Path, qtbot: QtBot) -> Iterator[Desk]:
    found = Desk(context, core, tmp_path / "copies", qtbot)
    yield found
    found.publisher.close()


def test_a_range_plays_from_the_safe_point_before_it_again_and_again(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.editor.put_span(7.0, 8.0)
    desk.rehearsal.toggle()
    part = desk.load()
    assert desk.rehearsal.entry_s == 5.0
    (clip,) = (clip for clip in part.clips())
    assert (clip.start_s, clip.length_s) == (1.0, 2.0)  # type: ignore[union-attr]
    for passes in (1, 2):
        qtbot.waitUntil(partial(desk.has_gone, passes))
        desk.core.set(running_cues=("7",), running_cue="7", mode="PERFORM")
        qtbot.waitUntil(lambda: desk.rehearsal.state == "playing")
        desk.core.set(running_cues=(), running_cue="", mode="READY")
    qtbot.waitUntil(lambda: desk.sent(Go) == 3)
    desk.core.set(running_cues=("7",), running_cue="7", mode="PERFORM")
    qtbot.waitUntil(lambda: desk.rehearsal.state == "playing")
    desk.rehearsal.toggle()
    qtbot.waitUntil(lambda: desk.sent(Cancel) == 1)
    assert desk.rehearsal.state == "off"
    desk.core.set(running_cues=(), running_cue="", mode="READY")
    assert desk.load() == CUE


def test_a_robot_that_no_longer_stands_ends_it(desk: Desk, qtbot: QtBot) -> None:
    desk.rehearsal.begin()
    desk.core.set(mode="FAULT")
    qtbot.waitUntil(lambda: not desk.rehearsal.active)
    assert "no longer stands" in desk.refused[-1]


def test_why_it_cannot_begin_is_said(desk: Desk, context: Context, qtbot: QtBot) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"mode": "DAMPED"}, NOT_STANDING),
        ({"mode": "READY", "running_cues": ("1",)}, BUSY),
    ]
    for changes, reason in cases:
        desk.core.set(**changes)
        qtbot.waitUntil(partial(_told, context, changes))
        desk.rehearsal.toggle()
        assert desk.refused[-1] == reason and not desk.rehearsal.active
    context.lock.set_locked(True)
    desk.rehearsal.toggle()
    assert desk.refused[-1] == LOCKED and not desk.rehearsal.active
    context.lock.set_locked(False)
    assert context.link.hello is not None
    desk.core.hello = msgspec.structs.replace(HELLO, simulated=False, body="real")
    qtbot.waitUntil(lambda: context.link.hello is not None and not context.link.hello.simulated)
    desk.rehearsal.toggle()
    assert desk.refused[-1] == ONLY_SIMULATED


def _told(context: Context, fields: dict[str, Any]) -> bool:
    return all(getattr(context.link.status, name) == value for name, value in fields.items())
