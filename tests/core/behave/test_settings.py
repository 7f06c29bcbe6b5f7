"""Settings are refused where they cannot be meant."""

import msgspec
import pytest

from core.behave.settings import MotionSettings


@pytest.mark.parametrize(
    "text",
    [
        b'{"rest_q": [0.0, "up"]}',
        b'{"rest_q": [9.0]}',
        b'{"rest_q": [0.0], "transition_s": 0.0}',
        b'{"rest_q": [0.0], "freeze_s": 11.0}',
        b'{"rest_q": [0.0], "wobble": 1.0}',
        b"{}",
    ],
)
def test_settings_out_of_range_or_unknown_are_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=MotionSettings)
