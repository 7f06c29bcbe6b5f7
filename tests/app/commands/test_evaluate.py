"""Plants that cannot be drawn are refused before anything runs."""

import pytest

from app.__main__ import main


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--spread", "2"], "--spread is of plants; give their number with --plants"),
        (["--plants", "2", "--spread", "10.5"], "the spread of the plants"),
        (["--plants", "2", "--spread", "nan"], "the spread of the plants"),
        (["--plants", "0"], "the number of plants"),
    ],
)
def test_plants_that_cannot_be_drawn_are_refused_in_one_sentence(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["evaluate", "walk", *words])
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        status = ended.code
    out, err = capsys.readouterr()
    assert status == 2 and out == ""
    assert told in err and len(err.splitlines()) == 1
