"""BVH files of many writers give the same person; a damaged one is refused with its line."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows import bvh as bvh_module
from shows.bvh import Bvh, BvhJoint, Channel, decode_bvh, encode_bvh
from shows.bvh_human import METRES, Unit, Up, bvh_of, load_bvh, read_bvh, save_bvh
from shows.bvh_names import match_names, missing_bones, plain
from shows.bvh_tree import Tree, elementary_angles
from shows.errors import ShowError
from shows.human import BONES, INDEX, HumanTake, heading
from shows.joints import Floats
from tests.shows.people import STYLES, Style, write


def about(axis: str, degrees: Floats) -> Floats:
    """Return rotations about a world axis (k, 3, 3)."""
    angle = np.radians(degrees)
    c, s, one, zero = np.cos(angle), np.sin(angle), np.ones_like(angle), np.zeros_like(angle)
    rows = {
        "x": [[one, zero, zero], [zero, c, -s], [zero, s, c]],
        "y": [[c, zero, s], [zero, one, zero], [-s, zero, c]],
        "z": [[c, -s, zero], [s, c, zero], [zero, zero, one]],
    }[axis]
    return np.moveaxis(np.array(rows), -1, 0)


def gesture(count: int = 9) -> tuple[dict[str, Floats], Floats]:
    """Return a gesture from the T-pose: arms down, left forearm forward, head and body turn."""
    share = np.linspace(0.0, 1.0, count)
    turns = {
        "hips": about("z", 40.0 + 20.0 * share),
        "head": about("z", 30.0 * share) @ about("y", 20.0 * share),
        "left_upper_arm": about("x", -90.0 * share),
        "right_upper_arm": about("x", 90.0 * share),
        "left_lower_arm": about("z", -90.0 * share),
        "left_lower_leg": about("y", 25.0 * share),
    }
    return turns, np.stack((share, -0.5 * share, 0.02 * share), axis=1)


def text_of(style: Style) -> bytes:
    return encode_bvh(write(style, *gesture()))


REFERENCE = read_bvh(text_of(STYLES[3]), "reference.bvh").take
SMALL = text_of(STYLES[5])
WORDS = (b"{", b"}", b"\n", b"1e308", b"-9999999", b"nan", b"JOINT x", b"End Site", b"\0")


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.title)
def test_every_writer_gives_the_same_person(style: Style) -> None:
    reading = read_bvh(text_of(style), f"{style.title}.bvh")
    assert (reading.unit, reading.up) == (style.unit, style.up)
    assert reading.guessed == ("unit", "up")
    assert "guessed" in reading.sentence()
    assert set(reading.filled) == set(BONES) - set(style.names)
    assert set(reading.ignored) == set(style.extra)
    take = reading.take
    assert take.rate_hz == 120.0
    assert heading(take.positions[0]) == pytest.approx(0.0, abs=1e-6)
    same = [INDEX[bone] for bone in style.names]
    ankles = 0.0 if "left_toe" in style.names else 0.07  # it stands on what it has
    places = take.positions + [0.0, 0.0, ankles]
    np.testing.assert_allclose(places[:, same], REFERENCE.positions[:, same], atol=1e-4)
    parts = ("head", "hips", "spine") if style.zero else ("head", "hips", "arm", "hand")
    arms = [INDEX[bone] for bone in style.names if any(part in bone for part in parts)]
    np.testing.assert_allclose(
        take.orientations[:, arms], REFERENCE.orientations[:, arms], atol=1e-4
    )


def test_the_reference_is_the_gesture() -> None:
    start, end = REFERENCE.positions[0], REFERENCE.positions[-1]
    left = start[INDEX["left_hand"]] - start[INDEX["left_upper_arm"]]
    np.testing.assert_allclose(left, [0.0, 0.53, 0.0], atol=1e-5)
    upper = end[INDEX["left_lower_arm"]] - end[INDEX["left_upper_arm"]]
    np.testing.assert_allclose(upper, [0.0, 0.0, -0.28], atol=1e-5)
    right = end[INDEX["right_hand"]] - end[INDEX["right_upper_arm"]]
    np.testing.assert_allclose(right, [0.0, 0.0, -0.53], atol=1e-5)
    hanging = REFERENCE.orientations[-1, INDEX["right_lower_arm"]]
    np.testing.assert_allclose(hanging, about("z", np.array([20.0]))[0], atol=1e-5)
    head = REFERENCE.orientations[-1, INDEX["head"]]
    wanted = about("z", np.array([50.0])) @ about("y", np.array([20.0]))
    np.testing.assert_allclose(head, wanted[0], atol=1e-5)


@pytest.mark.parametrize("order", list(itertools.permutations((0, 1, 2))))
def test_every_order_of_rotations(order: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(3)
    degrees = rng.uniform(-180.0, 180.0, (20, 3)) * [1.0, 0.49, 1.0]
    matrices = [about("xyz"[axis], degrees[:, i]) for i, axis in enumerate(order)]
    expected = matrices[0] @ matrices[1] @ matrices[2]
    channels = tuple(Channel("rotation", axis) for axis in order)  # type: ignore[arg-type]
    file = Bvh((BvhJoint("Root", -1, (0.0, 0.0, 0.0), channels),), 0.01, degrees)
    again = decode_bvh(encode_bvh(file), "one.bvh")
    assert [c.axis for c in again.joints[0].channels] == list(order)
    _, turns = Tree(again).pose(again.frames, (0,))
    np.testing.assert_allclose(turns[:, 0], expected, atol=1e-7)
    np.testing.assert_allclose(elementary_angles(expected, order), degrees, atol=1e-6)
    upright = about("xyz"[order[1]], np.full(1, 90.0)) @ about("xyz"[order[2]], np.full(1, 30.0))
    flat = elementary_angles(upright, order)
    back = [about("xyz"[axis], flat[:, i]) for i, axis in enumerate(order)]
    np.testing.assert_allclose(back[0] @ back[1] @ back[2], upright, atol=1e-7)


def random_take(seed: int) -> HumanTake:
    rng = np.random.default_rng(seed)
    turns = about("x", rng.uniform(-180, 180, 22 * 5)) @ about("z", rng.uniform(-180, 180, 22 * 5))
    noise = rng.normal(0.0, 0.01, (5, 22, 3))
    return HumanTake(
        "random", 50.0, REFERENCE.positions[:5] + noise, turns.reshape(5, 22, 3, 3)
    ).normalised()


@given(st.integers(0, 1000), st.sampled_from(list(METRES)), st.sampled_from(["y", "z"]))
def test_what_was_written_is_read_again(seed: int, unit: Unit, up: Up) -> None:
    take = random_take(seed)
    reading = read_bvh(encode_bvh(bvh_of(take, unit, up)), "again.bvh", unit, up)
    assert reading.filled == reading.ignored == reading.guessed == ()
    assert reading.sentence() == ""
    np.testing.assert_allclose(reading.take.positions, take.positions, atol=1e-4)
    np.testing.assert_allclose(reading.take.orientations, take.orientations, atol=1e-4)


def test_a_file_is_saved_and_loaded(tmp_path: Path) -> None:
    save_bvh(REFERENCE, tmp_path / "gesture.bvh")
    take = load_bvh(tmp_path / "gesture.bvh").take
    assert take.name == "gesture"
    np.testing.assert_allclose(take.positions, REFERENCE.positions, atol=1e-4)


def test_a_joint_without_offset_stands_where_its_position_says() -> None:
    file = write(STYLES[6], *gesture())
    bare = tuple(replace(joint, offset=(0.0, 0.0, 0.0)) for joint in file.joints)
    take = read_bvh(encode_bvh(Bvh(bare, file.frame_s, file.frames)), "bare.bvh").take
    same = read_bvh(encode_bvh(file), "full.bvh").take
    np.testing.assert_allclose(take.orientations, same.orientations, atol=1e-6)


def test_spellings_that_real_files_have() -> None:
    text = SMALL.decode()
    for old, new in (
        ("\n", "\r\n"),
        ("Xposition Yposition Zposition", "Xposition Yposition ZPosition "),
        ("End Site", "END SITE"),
        ("ROOT Hips\n{", "ROOT Hips {"),
        ("Frames: ", "Frames:\t"),
        ("MOTION", "MOTION "),
        ("Frame Time: 0.008333333", "Frame Time:\t0.0083333"),
        ("HIERARCHY", "\ufeffHIERARCHY"),
        ("HIERARCHY", "\n\nHIERARCHY"),
    ):
        take = read_bvh(text.replace(old, new).encode(), "spelled.bvh").take
        assert take.rate_hz == pytest.approx(120.0)
    one = "Xrotation"
    assert read_bvh(text.replace(one, "xROTATION").encode(), "spelled.bvh").take.name == "spelled"


def test_names_without_namespace_and_separators() -> None:
    names = ("mixamorig:LeftArm", "Character1_LeftArm", "Armature|left_arm", " Left-Arm")
    assert {plain(name) for name in names} == {"leftarm"}
    assert plain("Bip01 L UpperArm") == "lupperarm"
    assert plain("DEF-upper_arm.L") == "upperarml"
    convention, found = match_names(["Box", "Sphere"])
    assert not found
    assert missing_bones(found)[0] == "hips"
    assert convention.title


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("HIERARCHY", "HIERARCHI", 1, "not expected"),
        ("ROOT Hips", "JOINT Hips", 2, "outside ROOT"),
        ("ROOT Hips", "ROOT", 2, "no name"),
        ("\tOFFSET 0.000000 0.000000 0.000000", "", 111, "no OFFSET"),
        ("\tOFFSET 0.000000 0.000000 0.000000", "\tOFFSET 0 0", 4, "2 numbers, not 3"),
        ("\tOFFSET 0.000000 0.000000 0.000000", "\tOFFSET 0 0 nan", 4, "not within"),
        ("\tOFFSET 0.000000 0.000000 0.000000", "\tOFFSET 0 0 1e99", 4, "not within"),
        ("CHANNELS 6", "CHANNELS 5", 5, "CHANNELS of 'Hips'"),
        ("Xposition Yposition", "Xposition Xposition", 5, "different"),
        ("Xposition Yposition", "Xposition Wposition", 5, "Wposition"),
        ("Xposition Yposition", "Xposition Yscale", 5, "Yscale"),
        ("MOTION", "", None, "not expected"),
        ("Frames: 9", "Frames: 10", None, "9 of 10 frames"),
        ("Frames: 9", "Frames: 8", None, "one frame more"),
        ("Frames: 9", "Frames: 9999999", None, "200000"),
        ("Frames: 9", "Frames: 1", None, "2 to"),
        ("Frames: 9", "Frames: 9.5", None, "2 to"),
        ("Frames: 9", "", None, "Frames: is missing"),
        ("Frame Time: 0.008333333", "Frame Time: 0", None, "0.0001"),
        ("Frame Time: 0.008333333", "Frame Time: -1", None, "0.0001"),
        ("Frame Time: 0.008333333", "Frame Time: 0,0083", None, "with a point"),
        ("LeftElbow", "LeftHinge", None, "left_lower_arm"),
    ],
)
def test_refuses(old: str, new: str, line: int | None, word: str) -> None:
    with pytest.raises(ShowError, match=word) as refused:
        read_bvh(SMALL.decode().replace(old, new, 1).encode(), "bad.bvh")
    assert refused.value.file == "bad.bvh"
    assert refused.value.advice
    assert line is None or refused.value.place == f"line {line}"


def test_a_cut_last_frame_is_refused_with_its_line() -> None:
    lines = SMALL.splitlines()
    cut = b"\n".join(lines)[:-30]
    with pytest.raises(ShowError, match="frame 9 has .* numbers, not") as refused:
        read_bvh(cut, "cut.bvh")
    assert refused.value.place == f"line {len(lines)}"


@pytest.mark.parametrize(("frames", "frame_s"), [(200_000, 0.0083333), (66, 10.0)])
def test_a_file_that_lasts_too_long_is_refused_before_its_frames(
    frames: int, frame_s: float
) -> None:
    head = SMALL.decode().split("Frames: ")[0]
    text = f"{head}Frames: {frames}\nFrame Time: {frame_s}\nno number\n"
    with pytest.raises(ShowError, match="more than 600 s") as refused:
        decode_bvh(text.encode(), "long.bvh")
    assert refused.value.place == f"line {len(text.splitlines()) - 1}"


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "HIERARCHY\n" + "".join(
        f"{'JOINT' if i else 'ROOT'} a{i}\n{{\nOFFSET 0 0 0\n" for i in range(70)
    )
    with pytest.raises(ShowError, match="deeper than 64"):
        decode_bvh(deep.encode(), "deep.bvh")
    joint = "JOINT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n"
    wide = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + joint * 600
    with pytest.raises(ShowError, match="more than 512 joints"):
        decode_bvh(wide.encode(), "wide.bvh")
    with pytest.raises(ShowError, match="too long for a line"):
        decode_bvh(b"HIERARCHY\nROOT " + b"x" * 5000, "long.bvh")
    with pytest.raises(ShowError, match="lines"):
        decode_bvh(b"\n" * 700_000, "lines.bvh")
    monkeypatch.setattr(bvh_module, "MAX_BVH_BYTES", 100)
    with pytest.raises(ShowError, match="larger than"):
        decode_bvh(SMALL, "huge.bvh")


def test_two_people_and_a_person_of_no_size_are_refused() -> None:
    text = SMALL.decode()
    with pytest.raises(ShowError, match="second ROOT"):
        read_bvh(text.replace("MOTION", "ROOT Other\nMOTION").encode(), "two.bvh")
    with pytest.raises(ShowError, match="give the unit"):
        file = write(STYLES[5], *gesture())
        tiny = tuple(
            replace(joint, offset=(joint.offset[0] * 1e-4, 0.0, 0.0)) for joint in file.joints
        )
        read_bvh(encode_bvh(Bvh(tiny, file.frame_s, file.frames)), "tiny.bvh")


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")))
def test_any_text_is_refused_in_one_line(text: str) -> None:
    for prefix in ("", "HIERARCHY\nROOT a\n{\n", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\n"):
        with pytest.raises(ShowError) as refused:
            read_bvh((prefix + text).encode("utf-8", "replace"), "any.bvh")
        assert len(str(refused.value).splitlines()) == 1


@given(st.data())
def test_a_damaged_file_gives_a_take_or_one_line(data: st.DataObject) -> None:
    text = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["cut", "swap", "drop", "double", "word"]))
        if kind == "cut":
            del text[at:]
            text += b" "
        elif kind == "swap":
            text[at] = data.draw(st.integers(0, 255))
        elif kind == "drop":
            del text[at : at + data.draw(st.integers(1, 200))]
            text += b" "
        elif kind == "double":
            text[at:at] = text[at : at + data.draw(st.integers(1, 400))]
        else:
            text[at:at] = data.draw(st.sampled_from(WORDS))
    try:
        take = read_bvh(bytes(text), "damaged.bvh").take
    except ShowError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert np.isfinite(take.positions).all()
