"""The plots of a motion: what their axes show."""

import pytest
from pytestqt.qtbot import QtBot

from app.console.motions.plot import LEAST_LABEL_PX, ValueAxis


@pytest.mark.parametrize("most", [9.0, 90.0, 700.0])
def test_labels_of_a_low_plot_have_room(most: float, qtbot: QtBot) -> None:
    axis, height_px = ValueAxis("left"), 32.0
    levels = axis.tickSpacing(0.0, most, height_px)
    assert len(levels) == 1
    assert LEAST_LABEL_PX <= levels[0][0] * height_px / most < 2.0 * LEAST_LABEL_PX + 8.0
    assert len(axis.tickSpacing(0.0, most, 300.0)) > 1  # a high plot keeps its minor ticks
