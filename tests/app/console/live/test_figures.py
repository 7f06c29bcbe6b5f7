"""Each figure tells the core's values with a unit, and nothing while the core is not there."""

import math
from dataclasses import replace

import msgspec
import pytest

from app.console.live.figures import FIGURES, Dash, Figure, Snapshot
from app.console.toolkit import theme
from core.link.scene import Scene
from core.link.status import Status, TickStats
from tests.app.console.rig import HELLO, READY, STANDING

LOST = Snapshot(HELLO, None, None, 3.2)
NAMES = ("Speed", "Margin", "Hottest joint", "Battery", "Tick", "Link")


def figure(name: str) -> Figure:
    return next(figure for figure in FIGURES if figure.name == name)


def moment(gap_s: float = 0.02, scene: Scene = STANDING, **fields: object) -> Snapshot:
    return Snapshot(HELLO, msgspec.structs.replace(READY, **fields), scene, gap_s)


def test_there_are_the_six_of_a_show() -> None:
    assert tuple(figure.name for figure in FIGURES) == NAMES


@pytest.mark.parametrize("figure", FIGURES, ids=NAMES)
def test_a_lost_core_leaves_nothing_but_the_silence(figure: Figure) -> None:
    values = figure.sample(LOST)
    assert len(values) == len(figure.lines)
    if figure.name == "Link":
        assert values == (3200.0,)
        assert "LOST" in figure.number(LOST).unit
    else:
        assert all(math.isnan(value) for value in values)
        assert figure.number(LOST).text == "?"
        assert figure.number(LOST).tone is theme.UNKNOWN


@pytest.mark.parametrize("figure", FIGURES, ids=NAMES)
def test_lines_are_told_apart_without_their_colour(figure: Figure) -> None:
    dashes = [line.dash for line in figure.lines]
    assert len(set(dashes)) == len(dashes)
    assert dashes[0] is Dash.SOLID
    number = figure.number(moment())
    assert len(number.names) in (0, len(figure.lines))


def test_velocity_is_measured_beside_asked() -> None:
    scene = msgspec.structs.replace(STANDING, velocity=(0.28, -0.01, 0.0))
    found = moment(scene=scene, velocity_command=(0.3, 0.1, 0.5))
    assert figure("Speed").sample(found) == (0.28, 0.3, -0.01, 0.1)
    assert figure("Speed").number(found).text == "+0.28"


def test_balance_is_told_in_millimetres_by_its_smaller_margin() -> None:
    balance = figure("Margin")
    assert balance.sample(moment()) == pytest.approx((100.0, 120.0, 100.0))
    number = balance.number(moment())
    assert (number.text, number.unit, number.tone) == ("100", "mm", theme.GOOD)
    outside = msgspec.structs.replace(STANDING, com=(0.0, 0.15, 0.7))
    number = balance.number(moment(scene=outside))
    assert (number.text, number.unit, number.tone) == ("-30", "mm", theme.WARN)
    assert balance.number(moment(scene=Scene(stamp_s=0.0))).text == "no foot"
    assert balance.limit(moment()) == 0.0


def test_heat_names_its_joint_and_its_limit_where_the_core_tells_it() -> None:
    heat = figure("Hottest joint")
    number = heat.number(moment(flags=("WINDING_WARM",)))
    assert number.names == ("left knee",) and number.tone is theme.WARN
    assert heat.number(moment(flags=("WINDING_WARM", "WINDING_HOT"))).tone is theme.BAD
    assert heat.limit(moment()) is None
    hello = msgspec.structs.replace(HELLO, winding_limit_c=100.0)
    assert heat.limit(Snapshot(hello, READY, STANDING, 0.02)) == 100.0
    assert heat.limit(Snapshot(None, None, None, 0.0)) is None


@pytest.mark.parametrize(
    ("flags", "tone"),
    [((), theme.GOOD), (("BATTERY_LOW",), theme.WARN), (("BATTERY_FLAT",), theme.BAD)],
)
def test_battery_tells_charge_and_volts(flags: tuple[str, ...], tone: theme.Tone) -> None:
    number = figure("Battery").number(moment(flags=flags))
    assert (number.text, number.names, number.tone) == ("80", ("25.0 volts",), tone)
    assert figure("Battery").sample(moment()) == (25.0,)


def test_the_scale_of_the_battery_holds_a_flat_and_a_full_one() -> None:
    assert figure("Battery").scale(HELLO) == (16, 27)


def test_tick_tells_median_and_p99_against_its_period() -> None:
    tick = figure("Tick")
    found = moment(tick=TickStats(310.0, 1040.0, 3000.0, 1))
    assert tick.sample(found) == (310.0, 1040.0)
    assert tick.number(found).tone is theme.WARN
    assert tick.number(found).names == ("median", "p99 1040")
    assert tick.limit(found) == pytest.approx(1000.0)
    slow = replace(found, hello=msgspec.structs.replace(HELLO, tick_s=0.005))
    assert tick.number(slow).tone is theme.GOOD
    assert tick.scale(slow.hello) == pytest.approx((0.0, 6000.0))


def test_link_age_keeps_its_peaks_and_marks_250_ms() -> None:
    age = figure("Link")
    assert age.largest and age.limit(moment()) == 250.0
    assert age.sample(moment(gap_s=0.15)) == pytest.approx((150.0,))
    assert age.number(moment(gap_s=0.15)).tone is theme.WARN
    assert age.number(moment()).tone is theme.GOOD


def test_a_status_without_anything_breaks_no_figure() -> None:
    empty = Snapshot(None, Status(stamp_s=0.0), Scene(stamp_s=0.0), 0.0)
    for found in FIGURES:
        assert len(found.sample(empty)) == len(found.lines)
        assert found.number(empty).text
