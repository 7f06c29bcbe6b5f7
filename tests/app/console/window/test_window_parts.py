"""A console shows the parts that the robot has; a stop is always in sight."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.console.by_hand.panel import ByHandPanel
from app.console.context.context import Context
from app.console.live.strip import LiveStripPanel
from app.console.stage.legend import Legend
from app.console.stop.panel import StopPanel
from app.console.top.bar import TopBarPanel
from app.console.window.tab_order import stops
from core.link.hello import Hello
from tests.app.console.rig import HANDSET, HELLO, LineCore

PARTS = ("head pad", "walk pad", "handset", "BATTERY", "RADIO", "support")
NO_LEGS = replace(HELLO, walk=None, feet=())
NO_HEAD = replace(HELLO, gaze=None)
NO_HANDS = replace(HELLO, limbs=tuple(limb for limb in HELLO.limbs if limb.kind != "hand"))
NO_BATTERY = replace(HELLO, battery=None)
NO_HANDSET = replace(HELLO, has_handset=False)


@dataclass
class Desk:
    """Panels of a console that depend on the robot's parts."""

    whole: QWidget
    by_hand: ByHandPanel
    strip: LiveStripPanel
    top: TopBarPanel
    stop: StopPanel
    legend: Legend

    def hidden(self) -> set[str]:
        """Return the names of the parts that are not visible."""
        parts: dict[str, QWidget] = {
            "head pad": self.by_hand.head_part.pad,
            "walk pad": self.by_hand.walk_part.pad,
            "handset": self.by_hand.handset,
            "BATTERY": self.top.readouts["BATTERY"],
            "RADIO": self.top.readouts["RADIO"],
        } | {plot.figure.name: plot for plot in self.strip.plots}
        found = {name for name, part in parts.items() if not part.isVisible()}
        return found if "support" in self.legend.text() else found | {"support"}


@pytest.fixture
def desk(context: Context, core: LineCore, qtbot: QtBot) -> Iterator[Desk]:
    core.set(handset=HANDSET)
    whole = QWidget()
    column = QVBoxLayout(whole)
    made = Desk(
        whole,
        ByHandPanel(context),
        LiveStripPanel(context),
        TopBarPanel(context),
        StopPanel(context),
        Legend(),
    )
    for panel in (made.by_hand, made.strip, made.top, made.stop, made.legend):
        column.addWidget(panel)
    context.link.hello_changed.connect(made.legend.meet)
    qtbot.addWidget(whole)
    whole.resize(1400, 2200)
    with qtbot.waitExposed(whole):
        whole.show()
    qtbot.waitUntil(lambda: context.link.hello == HELLO and made.by_hand.handset.isVisible())
    yield made
    made.by_hand.close_controllers()


@pytest.mark.parametrize(
    ("hello", "hidden"),
    [
        (NO_LEGS, {"walk pad", "Speed", "Margin", "support"}),
        (NO_HEAD, {"head pad"}),
        (NO_HANDS, set()),
        (NO_BATTERY, {"BATTERY", "Battery"}),
        (NO_HANDSET, {"handset", "RADIO"}),
        (
            replace(NO_LEGS, gaze=None, battery=None, has_handset=False, has_imu=False),
            {*PARTS, "Speed", "Margin", "Battery"},
        ),
    ],
    ids=["legs", "head", "hands", "battery", "handset", "arms alone"],
)
def test_a_part_that_the_robot_lacks_is_not_in_the_console(
    desk: Desk, core: LineCore, context: Context, qtbot: QtBot, hello: Hello, hidden: set[str]
) -> None:
    assert desk.hidden() == set()
    core.hello = hello
    qtbot.waitUntil(lambda: context.link.hello == hello)
    qtbot.waitUntil(lambda: desk.hidden() == hidden)
    tabbed = stops(desk.whole, [])
    assert desk.stop.stop.isVisible() and desk.stop.chain.isVisible() and desk.stop.stop in tabbed
    assert (desk.by_hand.head_part.pad in tabbed) == ("head pad" not in hidden)
    assert (desk.by_hand.walk_part.pad in tabbed) == ("walk pad" not in hidden)
    proxy = desk.by_hand.focusProxy()
    assert proxy is not None and proxy.isVisible()
    core.hello = HELLO
    qtbot.waitUntil(lambda: desk.hidden() == set())
