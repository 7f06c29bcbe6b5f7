"""The document keeps what it is given, and knows what comes next and how long it takes."""

import math
import string
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows import document
from shows.document import (
    Cue,
    GestureClip,
    GestureTrack,
    HeadClip,
    HeadTrack,
    JumpClip,
    LightClip,
    Show,
    VoiceClip,
    VoiceTrack,
    WalkClip,
    WalkTrack,
    clip_length_s,
)
from shows.errors import ShowError
from shows.jsonfile import decode
from shows.storage import encode_show
from tests.shows.examples import small_show

LETTERS = "B9.-_+:" + string.ascii_lowercase
STRUCTS = [
    kind
    for kind in vars(document).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct
]


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_every_part_is_frozen_and_refuses_unknown_keys(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.frozen
    assert kind.__struct_config__.forbid_unknown_fields


def plain(kind: Any) -> st.SearchStrategy[Any]:
    """Return values of a document's type that the type admits."""
    info = msgspec.inspect.type_info(kind)
    return of_info(info)


def of_info(info: Any) -> st.SearchStrategy[Any]:
    match info:
        case msgspec.inspect.StrType(pattern=str(pattern)):
            return st.from_regex(pattern.replace(r"\Z", ""), fullmatch=True, alphabet=LETTERS)
        case msgspec.inspect.StrType(max_length=longest):
            return st.text(st.characters(codec="utf-8"), max_size=min(longest or 9, 9))
        case msgspec.inspect.FloatType(ge=ge, gt=gt, le=le):
            least = gt if ge is None else ge
            return st.floats(least, le, exclude_min=gt is not None)
        case msgspec.inspect.IntType(ge=least, le=most):
            return st.integers(least, most)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case msgspec.inspect.UnionType(types=types):
            return st.one_of([of_info(t) for t in types])
        case msgspec.inspect.VarTupleType(item_type=item, min_length=least):
            return st.lists(of_info(item), min_size=least or 0, max_size=2).map(tuple)
        case msgspec.inspect.TupleType(item_types=items):
            return st.tuples(*(of_info(item) for item in items))
        case msgspec.inspect.DictType(key_type=key, value_type=value, min_length=least):
            return st.dictionaries(of_info(key), of_info(value), min_size=least or 0, max_size=3)
        case msgspec.inspect.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{f.name: of_info(f.type) for f in fields})
    raise AssertionError(f"the document holds a type that this test does not know: {info}")


@given(plain(Show))
def test_any_show_comes_back_as_it_was_saved(show: Show) -> None:
    data = encode_show(show)
    assert decode(data, Show, "show.json") == show
    assert encode_show(decode(data, Show, "show.json")) == data


def test_only_jumps_name_their_kind_on_a_walk_track() -> None:
    track = WalkTrack(
        clips=(WalkClip(length_s=2.0), JumpClip(start_s=2.0, length_s=1.4), WalkClip(length_s=1.0))
    )
    show = Show(name="x", cues=(Cue(number="1", tracks=(track,)),))
    data = encode_show(show)
    assert data.count(b'"kind"') == 2 and b'"kind": "jump"' in data
    assert decode(data, Show, "show.json") == show
    explicit = data.replace(b'"length_s": 1.0', b'"kind": "walk", "length_s": 1.0')
    assert decode(explicit, Show, "show.json") == show
    wrong = data.replace(b'"jump"', b'"hop"')
    with pytest.raises(ShowError, match="use one of jump, mark, walk"):
        decode(wrong, Show, "show.json")


def test_an_event_takes_no_time_and_a_phrase_its_own() -> None:
    assert clip_length_s(LightClip(event="on"), {}, {}) == 0.0
    assert clip_length_s(VoiceClip(phrase="hello"), {}, {"hello": 1.25}) == 1.25
    with pytest.raises(KeyError):
        clip_length_s(VoiceClip(phrase="hello"), {}, {})


@pytest.mark.parametrize(
    ("clip", "length_s"),
    [
        (GestureClip(motion="wave"), 2.0),
        (GestureClip(motion="wave", speed=0.5), 4.0),
        (GestureClip(motion="wave", speed=2.0, freeze_at_s=0.5, freeze_s=3.0), 4.0),
        (GestureClip(motion="wave", length_s=1.5, speed=0.5), 1.5),
        (GestureClip(motion="wave", length_s=9.0, loop=True), 9.0),
    ],
)
def test_a_gestures_length(clip: GestureClip, length_s: float) -> None:
    assert clip_length_s(clip, {"wave": 2.0}, {}) == length_s


def test_a_cue_lasts_until_its_last_clip_ends() -> None:
    cue = Cue(
        number="1",
        pre_wait_s=100.0,
        tracks=(
            GestureTrack(clips=(GestureClip(start_s=1.0, motion="wave"),)),
            HeadTrack(clips=(HeadClip(start_s=0.5, length_s=1.0),)),
            VoiceTrack(clips=(VoiceClip(start_s=2.0, phrase="hello"),)),
        ),
    )
    assert cue.duration_s({"wave": 2.0}, {"hello": 0.25}) == 3.0
    assert cue.duration_s({"wave": 2.0}, {"hello": 2.0}) == 4.0
    assert Cue(number="2").duration_s({}, {}) == 0.0


def test_what_comes_next_is_the_cue_below_or_the_one_named() -> None:
    show = Show(name="x", cues=(Cue(number="1"), Cue(number="2", next="1"), Cue(number="3")))
    following = [show.next_cue(number) for number in ("1", "2", "3")]
    assert [cue and cue.number for cue in following] == ["2", "1", None]
    with pytest.raises(KeyError):
        show.next_cue("4")


def test_saved_text_is_short_and_starts_with_its_schema() -> None:
    lines = encode_show(small_show()).decode().splitlines()
    assert lines[1].strip() == '"schema": 2,'
    assert not any('"armed"' in line for line in lines), "defaults are left out"
    assert any("Grüße" in line for line in lines)


def test_times_are_finite_by_type() -> None:
    for value in (math.nan, math.inf):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"length_s": value}, HeadClip)
