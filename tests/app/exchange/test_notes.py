"""Progress is told in lines where no terminal listens, and read back from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exchange.notes import Notes, share_of


def test_lines_are_few_and_tell_each_phase(capsys: pytest.CaptureFixture[str]) -> None:
    with Notes("reading wave.bvh") as notes:
        for phase in ("pictures for the colours", "pictures drawn"):
            for done in range(1, 201):
                notes.count(done, 200, phase)
        notes.say("writing wave.gif")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "reading wave.bvh" and lines[-1] == "writing wave.gif"
    assert 20 <= len(lines) <= 50
    assert lines[-2] == "200 of 200 pictures drawn"
    shares = [share for share in map(share_of, lines) if share is not None]
    assert shares[0] <= 0.1 and shares[-1] == 1.0


@given(st.text(max_size=40))
def test_any_line_is_a_share_or_none(line: str) -> None:
    share = share_of(line)
    assert share is None or 0.0 <= share <= 1.0


def test_other_lines_have_no_share() -> None:
    assert share_of("letting Kid Cosmo follow 480 frames") is None
    assert share_of("3 of 0 pictures") is None
    assert share_of("30 of 60 pictures drawn") == 0.5
