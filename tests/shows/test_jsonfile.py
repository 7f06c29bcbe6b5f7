"""JSON is read strictly, and a fault's line is the line that an editor shows."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.json_places import line_of
from shows.jsonfile import decode


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: float
    parts: tuple["Thing", ...] = ()
    row: list[float] = []


TEXT = b"""{
  "size": 1,
  "parts": [
    {"size": 2},
    {
      "size": 3,
      "row": [1,
              2,
              3]
    }
  ],
  "row": []
}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("$", 1),
        ("$.size", 2),
        ("$.parts", 3),
        ("$.parts[0]", 4),
        ("$.parts[0].size", 4),
        ("$.parts[1]", 5),
        ("$.parts[1].size", 6),
        ("$.parts[1].row", 7),
        ("$.parts[1].row[2]", 9),
        ("$.row", 12),
        ("$.parts[1].nothing", 5),
        ("$.parts[...]", 3),
    ],
)
def test_finds_the_line_of_a_path(path: str, line: int) -> None:
    assert line_of(TEXT, path) == line


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("", "line 1", "too early"),
        ('{\n"size": 1', "line 2", "too early"),
        ('{\n"size": NaN}', "line 2, column 9", "NaN is not a number"),
        ('{\n"size": -Infinity}', "line 2, column 10", "Infinity is not a number"),
        ('{"size": 1e999}', "line 1, size", "out of range"),
        ('{"size": 1\n"row": []}', "line 2, column 1", "expected"),
        ('{"size": "big"}', "line 1, size", "must be a number, not text"),
        ('{"size": true}', "line 1, size", "must be a number, not true or false"),
        ('{"size": 1,\n"colour": 2}', "line 2, colour", "'colour' is unknown"),
        ('{"parts": []}', "line 1, the whole", "'size' is missing"),
        ('{"size": 1,\n"size": 2}', "line 2", "'size' is given twice"),
        ('{"size": 1, "parts": [{"size": 1,\n"size": 2}]}', "line 2", "given twice"),
        ("[]", "line 1, the whole", "must be a group of keys, not a list"),
        ('{"size": 1} x', "line 1, column 14", "trailing"),
        ("\ufeff{}", "line 1, column 1", "not valid JSON"),
    ],
)
def test_names_place_and_reason(text: str, place: str, word: str) -> None:
    with pytest.raises(ShowError) as refused:
        decode(text.encode(), Thing, "thing.json")
    assert refused.value.file == "thing.json"
    assert refused.value.place == place
    assert word in refused.value.reason
    assert refused.value.advice


@given(st.text('[]{},:"0a\\\n', max_size=30), st.sampled_from(["$", "$.a", "$[0]", "$.a[0][1].b"]))
def test_any_text_has_lines(text: str, path: str) -> None:
    assert 1 <= line_of(text.encode(), path) <= text.count("\n") + 1


def test_refuses_nesting_without_end() -> None:
    deep = b'{"size": 1, "parts": ' + b'[{"size": 1, "parts": ' * 100_000
    with pytest.raises(ShowError, match="too deep"):
        decode(deep, Thing, "thing.json")


def test_refuses_text_that_is_not_utf_8() -> None:
    with pytest.raises(ShowError, match="UTF-8"):
        decode(b'{"size": 1, "\xff": 2}', Thing, "thing.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@given(json_values, st.integers(0, 2**30))
def test_any_json_gives_a_thing_or_one_line(value: object, seed: int) -> None:
    text = json.dumps(value, indent=seed % 3 or None).encode()
    for data in (text, text[: seed % (len(text) + 1)]):
        try:
            decode(data, Thing, "thing.json")
        except ShowError as error:
            assert "\n" not in str(error)
            assert error.reason


def test_a_paths_line_is_the_line_of_its_value_in_any_layout() -> None:
    value = {"a": [[1, 2], [3, {"b": 4}]], "c": {"d": [5, 6], "e": '}]"\\'}, "f": [7]}
    for indent in (0, 1, 4):
        text = json.dumps(value, indent=indent)
        lines = text.splitlines()
        for path, found in (("$.a[1][0]", "3"), ("$.a[1][1].b", '"b"'), ("$.c.d[1]", "6"),
                            ("$.c.e", '"e"'), ("$.f[0]", "7")):  # fmt: skip
            line = line_of(text.encode(), path)
            assert found in lines[line - 1], (path, indent)
