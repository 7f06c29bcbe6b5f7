"""An operator reads one line, whatever a file held."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from shows.errors import ShowError


def test_says_file_place_reason_and_advice() -> None:
    error = ShowError("wave.json", "line 3", "is too fast", "slow it")
    assert str(error) == "wave.json, line 3: is too fast; slow it"


def test_leaves_out_what_is_unknown() -> None:
    assert str(ShowError("", "", "is too fast")) == "is too fast"


@given(st.text(), st.text(), st.text(min_size=1))
def test_is_one_printable_line_of_bounded_length(file: str, place: str, reason: str) -> None:
    text = str(ShowError(file, place, reason * 200, "advice"))
    assert len(text.splitlines()) <= 1
    assert not any(ord(char) < 32 for char in text)
    assert len(text) < 1300
    text.encode("utf-8")


def test_survives_the_way_to_another_process() -> None:
    error = ShowError("a", "b", "c", "d")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.file, copy.place, copy.reason, copy.advice) == ("a", "b", "c", "d")
