"""A picture strip has its size, its pictures and its text."""

import numpy as np
from PySide6.QtGui import QImage

from app.film.strip import MOST_COLUMNS, draw_strip, png_of, writing


def strip(count: int, title: str = "Wave", wide: int = 80, high: int = 100) -> QImage:
    pictures = [np.full((high, wide, 3), 20 * index + 30, np.uint8) for index in range(count)]
    with writing():
        return draw_strip(pictures, [f"{i}.00 s" for i in range(count)], title, "Toy", "light")


def pixels(image: QImage) -> "np.ndarray":
    data = np.frombuffer(image.constBits(), np.uint8)
    return data.reshape(image.height(), -1, 4)[:, : image.width(), :3]


def test_rows_and_columns(qapp: object) -> None:
    one, six, seven = strip(1), strip(MOST_COLUMNS), strip(MOST_COLUMNS + 1)
    assert six.width() > 6 * 80 and six.height() == one.height()
    assert seven.width() == six.width() and seven.height() > six.height() + 100
    middle = pixels(six)[six.height() // 2]
    assert {30 + 20 * index for index in range(6)} <= set(middle[:, 0].tolist())


def test_text_is_written_and_cut_to_its_room(qapp: object) -> None:
    plain, titled = strip(1, ""), strip(1, "A very long title " * 20)
    assert plain.size() == titled.size()
    difference = (pixels(plain) != pixels(titled)).any(axis=2)
    assert difference.any()
    assert not difference[:, -3:].any()


def test_png_reads_back(qapp: object) -> None:
    image = strip(2)
    again = QImage.fromData(png_of(image))
    assert again.size() == image.size()
