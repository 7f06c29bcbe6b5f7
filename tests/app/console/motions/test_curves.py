"""Three plots with one axis of time: what they draw, shade, share, and hide."""

import math

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.console.motions.curves import SHARES, SOUND, CurveView
from app.console.motions.torque_judge import MotionTorque
from core.robot.joint_table import joint_table
from core.robot.profile_file import load_profile
from shows.motion import Marker, Motion

JOINT, OTHER = "left_elbow", "left_shoulder_pitch"
TIMES = np.arange(201) / 100.0
MOTION = Motion(
    "raised",
    (JOINT, OTHER),
    100.0,
    np.column_stack([0.5 + 0.5 * np.sin(3.0 * TIMES), np.zeros(201)]),
    markers=(Marker(0.7, "up"),),
)
TABLE = joint_table(load_profile("kid_cosmo"))


@pytest.fixture
def view(qtbot: QtBot) -> CurveView:
    found = CurveView()
    qtbot.addWidget(found)
    found.resize(800, 600)
    with qtbot.waitExposed(found):
        found.show()
    found.choose((JOINT,))
    found.show_motion(MOTION, MOTION, TABLE)
    qtbot.wait(50)  # the layout follows
    return found


def shades(plot: object) -> list[tuple[float, float]]:
    items = plot._others  # type: ignore[attr-defined]
    return [item.getRegion() for item in items if hasattr(item, "getRegion")]


def test_a_tall_view_shows_every_plot_and_a_low_one_the_position(
    view: CurveView, qtbot: QtBot
) -> None:
    assert all(view.shows(name) for name in (*SHARES, SOUND))
    low = CurveView()
    qtbot.addWidget(low)
    low.resize(600, 180)
    with qtbot.waitExposed(low):
        low.show()
    assert [low.shows(name) for name in (*SHARES, SOUND)] == [True, False, False, False]


def test_velocity_is_the_slope_of_the_position(view: CurveView) -> None:
    (line,) = view.velocity._lines.values()
    times, values = line.getData()
    exact = np.degrees(1.5 * np.cos(3.0 * times))
    assert np.abs(values - exact)[2:-2].max() < 0.1


def test_limits_are_shaded_for_a_lone_joint(view: CurveView) -> None:
    index = TABLE.index[JOINT]
    low, high = math.degrees(TABLE.lower[index]), math.degrees(TABLE.upper[index])
    below, above = shades(view.position)
    assert below[1] == pytest.approx(low) and above[0] == pytest.approx(high)
    fast = math.degrees(TABLE.velocity_limit[index])
    assert [edge for pair in shades(view.velocity) for edge in pair][1:3] == pytest.approx(
        [-fast, fast]
    )
    view.choose((JOINT, OTHER))
    assert not shades(view.position) and not shades(view.velocity)


def test_torque_has_the_limits_of_the_answer(view: CurveView) -> None:
    view.show_torque(None, "not known (no core answers)")
    assert not view.torque._lines and "no core answers" in view.torque.title.text()
    torque = np.full((201, 2), 2.0)
    most = np.full((201, 2), 8.0)
    view.show_torque(MotionTorque((JOINT, OTHER), 100.0, torque, most), "most: 25 %")
    below, above = shades(view.torque)
    assert below[1] == -8.0 and above[0] == 8.0
    assert {name for name, _ in view.torque._lines} == {JOINT, "most", "least"}


def test_the_plots_share_the_playhead_and_the_axis_of_time(view: CurveView, qtbot: QtBot) -> None:
    moved: list[float] = []
    view.moved.connect(moved.append)
    view.velocity.head.setValue(0.8)
    assert view.time_s == 0.8 and moved == [0.8]
    assert view.torque.head.value() == 0.8
    view.wave.show_peaks(np.zeros(500, np.float32), 0.0, 2.0)
    qtbot.wait(50)
    view.position.box.setXRange(0.5, 1.0, padding=0.0)
    for plot in (view.velocity, view.torque, view.wave):
        box = plot.plot.getPlotItem().getViewBox()
        assert box.viewRange()[0] == pytest.approx([0.5, 1.0], abs=0.02)
    lefts = {plot.box.sceneBoundingRect().left() for plot in view.plots}
    assert len(lefts) == 1


def test_a_sound_has_its_part_under_the_curves(view: CurveView) -> None:
    assert view.wave.isHidden()
    peaks = np.linspace(0.0, 1.0, 500, dtype=np.float32)
    view.wave.show_peaks(peaks, 1.0, 2.0)
    assert view.wave.isVisible()
    times, values = view.wave._curve.getData()
    assert times.max() == pytest.approx(1.99) and values[0] == pytest.approx(0.2, abs=0.01)
    view.show_plots(())
    assert view.wave.isHidden()
    view.show_plots((SOUND,))
    assert view.wave.isVisible()
    view.wave.show_peaks(None, 0.0, 0.0)
    assert view.wave.isHidden()
