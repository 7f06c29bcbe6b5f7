"""A small show, a caller with a clock that is set by hand, and the keys of the program."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.core_link import CoreLink
from app.console.context.document import Document
from app.console.context.lock import EditLock
from app.console.context.notices import Notice, Notices
from app.console.cues.caller import Caller
from app.console.cues.keys import ShowKeys
from app.console.preferences.store import PreferencesStore
from shows.document import Cue, LightClip, LightTrack, Show, WalkClip, WalkTrack
from tests.app.console.rig import ROBOT, LineCore

STAGED = "/stage/1/small"  # where the core has read the desk's show


@dataclass
class Clock:
    """Time that passes when it is told to."""

    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class Desk:
    """What a panel of this part is given, and what was said.

    Attributes:
        said: sentences for the operator.
    """

    context: Context
    caller: Caller
    clock: Clock
    said: list[str] = field(default_factory=list)

    def numbers(self) -> list[str]:
        return [cue.number for cue in self.context.document.show.cues]

    def cue(self, number: str) -> Cue:
        return self.context.document.show.cue(number)


def small_show() -> Show:
    walk = WalkTrack(clips=(WalkClip(length_s=4.0, vx=0.1),))
    light = LightTrack(clips=(LightClip(event="warm"),))
    return Show(
        name="Small",
        cues=(
            Cue(number="1", name="Hello", hotkey="H", tracks=(walk,)),
            Cue(number="2", name="Walk on", group="Act", continue_mode="auto_follow"),
            Cue(number="3", name="Turn", group="Act", notes="slowly", tracks=(light,)),
            Cue(number="4", name="Bow", colour="red", armed=False),
            Cue(number="5", name="Off", next="1"),
        ),
    )


def make_desk(context: Context) -> Desk:
    clock = Clock()
    desk = Desk(context, Caller(context, clock=clock), clock)

    def keep(notice: Notice) -> None:
        desk.said.append(notice.text)

    context.notices.said.connect(keep)
    context.document.open(small_show(), None, {}, {})
    return desk


@pytest.fixture
def desk(context: Context, core: LineCore, qtbot: QtBot) -> Desk:
    """A desk with a core that has the show."""
    found = make_desk(context)
    found.caller.add_version(STAGED, small_show())
    core.load(small_show(), STAGED)
    qtbot.waitUntil(lambda: found.caller.loaded.playbill == core.playbill)
    return found


@pytest.fixture
def lone_desk(qtbot: QtBot) -> Iterator[Desk]:
    """A desk without a core."""
    link = CoreLink("tcp/127.0.0.1:1", ROBOT)
    yield make_desk(Context(link, Document(), EditLock(), Notices(), PreferencesStore()))
    link.close()


@pytest.fixture
def keys(desk: Desk) -> Iterator[ShowKeys]:
    """The keys of the program, for as long as a test lasts."""
    found = ShowKeys(desk.caller, desk.context)
    yield found
    application = QApplication.instance()
    assert application is not None
    application.removeEventFilter(found)


def click(widget: QWidget, stamp_ms: int) -> None:
    """Click on a widget, the press at a time on the screen's clock [ms]."""
    centre, left = QPointF(widget.rect().center()), Qt.MouseButton.LeftButton
    for kind, after_ms in (
        (QEvent.Type.MouseButtonPress, 0),
        (QEvent.Type.MouseButtonRelease, 5),
    ):
        event = QMouseEvent(
            kind, centre, widget.mapToGlobal(centre), left, left, Qt.KeyboardModifier.NoModifier
        )
        event.setTimestamp(stamp_ms + after_ms)
        QApplication.sendEvent(widget, event)


def bring_up(qtbot: QtBot, widget: QWidget) -> None:
    """Show a widget, with the keyboard."""
    qtbot.addWidget(widget)
    widget.resize(900, 500)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
