"""The plan of a take: paths that are no take's are refused with a sentence."""

import msgspec
import pytest

from core.link.take import TakePlan


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("takes/a.take", "not an absolute path"),
        ("", "not an absolute path"),
        ("/shows/../etc/a.take", "without '..'"),
        ("/shows/a\0.take", "not an absolute path"),
        ("/shows/a.json", "does not end in .take"),
        ("/shows/.take", "does not end in .take"),
        ("/shows/take", "does not end in .take"),
    ],
)
def test_a_path_that_is_no_takes_is_refused(path: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TakePlan(path=path)
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert({"path": path}, TakePlan)


def test_a_punch_is_as_long_as_a_take_may_be() -> None:
    assert TakePlan(path="/shows/a b/ä.take", punch_in_s=0.0, punch_out_s=600.0).moves
    with pytest.raises(msgspec.ValidationError, match="600"):
        msgspec.convert({"path": "/a.take", "punch_out_s": 600.1}, TakePlan)
