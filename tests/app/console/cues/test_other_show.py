"""Another show in the core is told above GO, with what becomes of the open one."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from app.console.cues.other_show import OtherShow
from shows.document import Cue, Show
from tests.app.console.cues.conftest import Desk, bring_up
from tests.app.console.rig import LineCore

GALA = Show(name="Gala", cues=(Cue(number="1"),))


@pytest.fixture
def strip(desk: Desk, qtbot: QtBot) -> OtherShow:
    found = OtherShow(desk.caller)
    qtbot.addWidget(found)
    return found


def shown(strip: OtherShow) -> Callable[[], bool]:
    return lambda: not strip.isHidden()


def test_it_is_not_there_while_the_core_has_the_open_show(strip: OtherShow) -> None:
    assert strip.isHidden()


def test_it_names_the_show_and_who_loaded_it(
    strip: OtherShow, core: LineCore, qtbot: QtBot
) -> None:
    core.load(GALA, "/elsewhere", "console-1-ab")
    qtbot.waitUntil(shown(strip))
    assert strip.words.text() == (
        "▲ GO is off: the core has another show, Gala, loaded by another console (process 1)."
    )


def test_the_button_is_there_only_where_nothing_happens_by_itself(
    strip: OtherShow, core: LineCore, qtbot: QtBot
) -> None:
    core.load(GALA, "/elsewhere")
    qtbot.waitUntil(shown(strip))
    strip.set_version("the core gets the show", offers=False)
    assert strip.load.isHidden()
    assert strip.words.text().endswith("loaded at its start. The core gets the show.")
    strip.set_version("press Send to core", offers=True)
    bring_up(qtbot, strip)
    assert not strip.load.isHidden()
    with qtbot.waitSignal(strip.load_asked):
        strip.load.click()
