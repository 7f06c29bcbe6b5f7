"""An animated picture has its frames, its duration and its colours."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pictures

from app.film.gif import durations, encode_gif
from app.film.studio import Image


def frames(count: int) -> list[Image]:
    found = []
    for index in range(count):
        picture = np.full((40, 60, 3), (230, 232, 235), np.uint8)
        picture[10:20, 2 * index : 2 * index + 8] = (200, 30, 40)
        found.append(picture)
    return found


def test_frames_and_durations_are_read_back() -> None:
    drawn = frames(12)
    shown = durations(12, 16.0)
    picture = Pictures.open(io.BytesIO(encode_gif(drawn[::4], iter(drawn), shown)))
    assert (picture.n_frames, picture.size, picture.info["loop"]) == (12, (60, 40), 0)  # type: ignore[attr-defined]
    total = 0
    for index in range(12):
        picture.seek(index)
        total += picture.info["duration"]
        assert picture.info["duration"] == 10 * shown[index]
        seen = np.asarray(picture.convert("RGB")).astype(int)
        assert np.abs(seen - drawn[index]).max() <= 3, "few colours are kept as they are"
    assert total == pytest.approx(750, abs=5)


@given(st.integers(1, 300), st.floats(1.0, 50.0))
def test_durations_add_up_to_the_film(count: int, fps: float) -> None:
    found = durations(count, fps)
    assert len(found) == count and min(found) >= 2
    assert sum(found) == round(100.0 * count / fps)
