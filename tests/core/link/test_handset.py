"""An invalid handset layout is refused; a valid one survives the log."""

import math
from typing import Any

import msgspec
import pytest

from core.link.handset import BUTTONS, WORDS, HandsetMap, HandsetStatus
from core.link.statement import Statement

USES = ("stop", *("none",) * 9)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"buttons": ["none"] * 10}, "no button of the handset is STOP"),
        ({"buttons": ["stop"] * 9}, "length"),
        ({"buttons": ["stop"] * 11}, "length"),
        ({"buttons": ["halt", *["stop"] * 9]}, "regex"),
        ({"buttons": ["gesture:", *["stop"] * 9]}, "regex"),
        ({"buttons": ["gesture:../x", *["stop"] * 9]}, "regex"),
        ({"walk_stick": "right"}, "one stick cannot both"),
        ({"walk_stick": "middle"}, "Invalid enum value"),
        ({"dead_zone": 0.0}, ">= 0.02"),
        ({"dead_zone": 0.6}, "<= 0.5"),
        ({"expo": 1.1}, "<= 1"),
        ({"speed_share": 1.5}, "<= 1"),
        ({"speed": 1.0}, "unknown field"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert({"buttons": list(USES), **changes}, HandsetMap)


@pytest.mark.parametrize("field", ["dead_zone", "expo", "speed_share"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_setting_that_is_no_number_is_refused(field: str, value: float) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"buttons": list(USES), field: value}, HandsetMap)


def test_no_stick_may_be_needed() -> None:
    assert HandsetMap(buttons=USES, walk_stick="none", head_stick="none")


@pytest.mark.parametrize("use", [*WORDS, "gesture:wave"])
def test_every_use_is_known(use: str) -> None:
    layout = HandsetMap(buttons=("stop", use, *("none",) * 8))
    assert msgspec.json.decode(msgspec.json.encode(layout), type=HandsetMap) == layout


def test_what_is_told_survives_the_log() -> None:
    status = HandsetStatus(
        heard=False,
        needed=False,
        ready=False,
        age_s=None,
        dead_man=False,
        buttons=(False,) * BUTTONS,
        sticks=(0.0,) * 4,
        battery_v=None,
        quality=0.0,
        authenticated=True,
        note=Statement("rest_first"),
        troubles=("unplugged",),
        map=HandsetMap(buttons=USES),
    )
    assert msgspec.json.decode(msgspec.json.encode(status), type=HandsetStatus) == status
