"""Settings out of range are refused."""

import msgspec
import pytest

from core.behave.settings import MotionSettings


@pytest.mark.parametrize(
    "text",
    [
        b'{"transition_s": 0.0}',
        b'{"freeze_s": 11.0}',
        b'{"velocity_share": 1.5}',
        b'{"transition_s": "soon"}',
        b'{"wobble": 1.0}',
    ],
)
def test_settings_out_of_range_or_unknown_are_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=MotionSettings)
