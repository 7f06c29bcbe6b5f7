"""Telemetry on a real link: ticks become lines, which pause, measure, and leave as files."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.telemetry.grid import columns_of
from app.console.telemetry.history import STATUS_S, Columns
from app.console.telemetry.layouts import Layout, LayoutStore
from app.console.telemetry.panel import TelemetryPanel
from app.console.telemetry.trace_plot import value_at
from app.console.telemetry.traces import presets_of, traces_of
from core.record.schema import dtype_of
from core.record.tape import Tape
from tests.app.console.rig import HELLO, LineCore

KNEE = HELLO.joint_names.index("left_knee")
SECONDS = 4.0


def batches(seconds: float = SECONDS) -> list[bytes]:
    """Return blocks of ticks in which the left knee swings by 0.5 rad at 1 Hz."""
    found: list[bytes] = []
    tape = Tape(dtype_of(HELLO), found.append)
    for tick in range(round(1000 * seconds)):
        row = tape.row()
        row["t"][:] = tick / 1000.0
        row["q"][0, KNEE] = 0.5 * math.sin(2.0 * math.pi * tick / 1000.0)
        row["tau_applied"][0, KNEE] = 3.0
        tape.commit()
    return found


@pytest.fixture
def asked() -> list[tuple[str, Callable[[Path], None]]]:
    return []


@pytest.fixture
def panel(
    context: Context,
    core: LineCore,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: list[tuple[str, Callable[[Path], None]]],
) -> Iterator[TelemetryPanel]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = TelemetryPanel(context, lambda name, then: asked.append((name, then)))
    qtbot.addWidget(found)
    found.resize(900, 500)
    with qtbot.waitExposed(found):
        found.show()
    found.show_layout(Layout(("left knee position", "left knee torque", "battery"), 5.0))
    core.batches = batches()
    qtbot.waitUntil(lambda: found.history.now_s >= SECONDS - 0.01)
    yield found
    found.hide()


def test_every_tick_becomes_part_of_a_line(panel: TelemetryPanel, qtbot: QtBot) -> None:
    line = panel.plots[0].trace.lines[0]
    times_s, values = panel.history.samples(line)
    assert len(times_s) == 4000
    assert values.max() == pytest.approx(math.degrees(0.5), abs=1e-3)
    _, binned = panel._bins[line].read()
    known = binned[np.isfinite(binned)]
    assert (known.min(), known.max()) == (values.min(), values.max())
    battery = panel.plots[2].trace.lines[0]
    qtbot.waitUntil(lambda: len(panel.history.samples(battery)[0]) > 0)
    assert panel.history.samples(battery)[1][-1] == 25.0


def test_a_plot_that_comes_later_shows_the_past(panel: TelemetryPanel) -> None:
    panel.show_layout(Layout(("left knee position",), 10.0))
    _, values = panel._bins[panel.plots[0].trace.lines[0]].read()
    assert np.isfinite(values).sum() > 100


def test_cursors_pause_and_tell_values_and_their_difference(panel: TelemetryPanel) -> None:
    panel._cursor.click()
    assert panel.paused
    panel._move_cursor(0, -1.75)  # a quarter of a swing after the third second began: 0.5 rad
    panel._move_cursor(1, -1.25)
    said = panel.plots[0].head._values[0]
    assert said == "A 28.65  B -28.65  Δ -57.29"
    assert panel.plots[1].head._values[0] == "A 3  B 3  Δ 0"
    panel._pause.click()
    assert not panel._cursor.isChecked()


def test_a_zoom_of_one_plot_is_that_of_all(panel: TelemetryPanel) -> None:
    panel._pause.click()
    panel.plots[0]._plot.getPlotItem().setXRange(-3.0, -2.0, padding=0.0)
    for plot in panel.plots:
        assert plot._plot.getPlotItem().viewRange()[0] == pytest.approx([-3.0, -2.0], abs=0.01)


def test_ten_minutes_of_statuses_are_kept() -> None:
    table = Columns({"battery_v@status": 1}, STATUS_S, STATUS_S)
    for second in range(1000, 1600):
        times_s = second + np.arange(20) / 20.0
        for at_s in times_s.reshape(10, 2):
            table.add(at_s, np.full((2, 1), second, dtype=np.float32))
    at_s, low, high = table.ranges("battery_v@status", 0)
    assert at_s[0] <= 1000.1 and (low[0], high[-1]) == (1000.0, 1599.0)


def test_values_leave_as_a_table_and_the_plots_as_a_picture(
    panel: TelemetryPanel,
    asked: list[tuple[str, Callable[[Path], None]]],
    tmp_path: Path,
    context: Context,
    qtbot: QtBot,
) -> None:
    panel._ask_csv()
    panel._ask_png()
    (table, write), (picture, paint) = asked
    write(tmp_path / table)
    paint(tmp_path / picture)
    rows = (tmp_path / table).read_text().splitlines()
    assert rows[0].startswith("time [s],Left knee: position measured [°]")
    assert len(rows) > 3990
    assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")
    said: list[str] = []
    context.notices.said.connect(lambda notice: said.append(notice.text))
    write(tmp_path / "nowhere" / table)
    assert "was not written" in said[-1]


def test_a_layout_is_saved_found_again_and_deleted(
    panel: TelemetryPanel, context: Context, tmp_path: Path
) -> None:
    panel._save("My knee")
    assert panel._layouts.currentText() == "★ My knee"
    store = LayoutStore(tmp_path / "footlight" / "telemetry.json")
    assert store.load() == ""
    keys = ("left knee position", "left knee torque", "battery")
    assert store.saved == {"My knee": Layout(keys, 5.0)}
    panel._delete()
    assert panel._layouts.findText("★ My knee") == -1
    (tmp_path / "footlight" / "telemetry.json").write_text('{"x": {"keys": 7}}')
    assert "are not read" in LayoutStore(tmp_path / "footlight" / "telemetry.json").load()


def test_every_preset_names_plots_that_the_robot_has() -> None:
    traces = traces_of(HELLO)
    for name, keys in presets_of(traces, HELLO).items():
        assert keys and set(keys) <= traces.keys(), name
    columns = dtype_of(HELLO)
    for trace in traces.values():
        for line in trace.lines:
            if not line.field.endswith("@status"):
                assert line.field in (columns.names or ()), trace.key


@pytest.mark.parametrize("plots", [0, 1, 2, 3, 5, 12, 24])
def test_the_grid_has_room_for_all(plots: int) -> None:
    assert 1 <= columns_of(plots, 900, 300) <= max(1, plots)


def test_the_value_at_a_time_is_the_last_known_one() -> None:
    times_s, values = np.array([0.0, 1.0, 2.0]), np.array([5.0, np.nan, 7.0], dtype=np.float32)
    assert [value_at(times_s, values, t) for t in (0.5, 1.5, 2.5)] == [5.0, 5.0, 7.0]
    assert math.isnan(value_at(times_s, values, -1.0))


def test_a_robot_on_a_table_has_no_plots_of_a_base_that_moves() -> None:
    table = replace(HELLO, feet=(), walk=None, has_imu=False, has_handset=False, battery=None)
    found = traces_of(table)
    assert not {"base tilt", "walk command", "capture point", "handset", "battery"} & set(found)
    assert "left knee position" in found and "tick time" in found
    assert "Walking" not in presets_of(found, table)
