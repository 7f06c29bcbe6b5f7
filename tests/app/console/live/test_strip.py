"""The strip collects always and draws while it is seen; a silence is seen growing."""

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.live.plot import LivePlot
from app.console.live.strip import LiveStripPanel, columns
from tests.app.console.rig import LineCore


@pytest.fixture
def strip(context: Context, qtbot: QtBot) -> Iterator[LiveStripPanel]:
    found = LiveStripPanel(context)
    qtbot.addWidget(found)
    found.resize(1280, 190)
    with qtbot.waitExposed(found):
        found.show()
    yield found


def plot(strip: LiveStripPanel, name: str) -> LivePlot:
    return next(plot for plot in strip.plots if plot.figure.name == name)


def text(strip: LiveStripPanel, name: str) -> str:
    number = plot(strip, name).number
    return "" if number is None else number.text


def longest_silence_ms(strip: LiveStripPanel) -> float:
    values = plot(strip, "Link").ring.read(strip._heard_s + 1.0)[1]
    return float(np.nanmax(values))


def newest(strip: LiveStripPanel, name: str, now_s: float) -> float:
    values = plot(strip, name).ring.read(now_s)[1][0]
    known = values[np.isfinite(values)]
    return float(known[-1]) if known.size else float("nan")


def test_what_the_core_says_is_written_and_told(
    strip: LiveStripPanel, core: LineCore, qtbot: QtBot
) -> None:
    core.set(hottest_c=66.0)
    qtbot.waitUntil(lambda: text(strip, "Hottest joint") == "66")
    assert text(strip, "Margin") == "100"
    assert "left knee" in plot(strip, "Hottest joint").accessibleDescription()


def test_a_lost_core_is_a_growing_silence_and_no_number(
    strip: LiveStripPanel, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: text(strip, "Battery") == "80")
    core.stop()
    qtbot.waitUntil(lambda: text(strip, "Battery") == "?")
    qtbot.waitUntil(lambda: longest_silence_ms(strip) > 700.0)


def test_hidden_it_draws_nothing_and_still_collects(
    strip: LiveStripPanel, core: LineCore, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: text(strip, "Battery") == "80")
    strip.hide()
    core.set(battery_charge=0.5, battery_v=21.0)
    qtbot.waitUntil(lambda: newest(strip, "Battery", strip._heard_s) == 21.0)
    assert text(strip, "Battery") == "80"
    strip.show()
    qtbot.waitUntil(lambda: text(strip, "Battery") == "50")


@pytest.mark.parametrize(
    ("width", "height", "plots", "count"),
    [
        (1900, 190, 6, 6),
        (1280, 190, 6, 6),
        (430, 560, 6, 2),
        (690, 330, 6, 3),
        (230, 700, 6, 1),
        (900, 120, 6, 6),
        (546, 214, 6, 3),
        (1280, 190, 3, 3),
        (690, 330, 5, 3),
    ],
)
def test_plots_lie_as_there_is_room(width: int, height: int, plots: int, count: int) -> None:
    assert columns(width, height, plots) == count


def test_it_can_be_made_small_again(strip: LiveStripPanel, qtbot: QtBot) -> None:
    strip.resize(430, 560)
    qtbot.waitUntil(lambda: strip.width() == 430)
    qtbot.wait(20)
    assert all(plot.geometry().right() < 430 for plot in strip.plots)


@pytest.mark.parametrize("width", [852, 1032, 1300, 2400])
def test_no_name_is_cut_and_all_numbers_are_of_one_size(strip: LiveStripPanel, width: int) -> None:
    strip.resize(width, 150)
    for plot in strip.plots:
        assert plot.heading.name() in (plot.figure.name, plot.figure.brief)
    assert len({plot.heading._fonts[1].pixelSize() for plot in strip.plots}) == 1
