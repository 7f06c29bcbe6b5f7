"""A motion file is read exactly, or refused with joint and time before anything moves."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from shows.errors import ShowError
from shows.motion import (
    MAX_MOTION_BYTES,
    Marker,
    Motion,
    check_motion,
    encode_motion,
    load_motion,
    mirror_motion,
    save_motion,
)
from tests.shows.examples import joint_table, wave_motion

JOINTS = joint_table()


def document(**changes: Any) -> dict[str, Any]:
    """Return a good motion's file as plain data, changed."""
    data: dict[str, Any] = json.loads(encode_motion(wave_motion()))
    return data | changes


def refusal(tmp_path: Path, text: str | bytes, name: str = "wave") -> ShowError:
    path = tmp_path / f"{name}.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ShowError) as refused:
        load_motion(path, JOINTS)
    error = refused.value
    assert type(error) is ShowError
    assert error.file == path.name
    assert len(str(error).splitlines()) == 1
    return error


def test_duration_is_from_first_to_last_sample() -> None:
    assert wave_motion(seconds=2.0).duration_s == 2.0
    assert len(wave_motion(seconds=2.0).positions) == 101


def test_positions_are_a_read_only_copy() -> None:
    positions = np.zeros((3, 1))
    motion = Motion("still", ("head_yaw",), 50.0, positions)
    positions[0, 0] = 9.0
    assert motion.positions[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        motion.positions[0, 0] = 1.0


@pytest.mark.parametrize(
    "positions",
    [np.zeros((1, 1)), np.zeros((3, 2)), np.zeros(3), np.array([[0.0], [np.nan]])],
)
def test_cannot_be_made_of_a_wrong_array(positions: np.ndarray[Any, Any]) -> None:
    with pytest.raises(ShowError, match="positions"):
        Motion("still", ("head_yaw",), 50.0, positions)


@pytest.mark.parametrize("rate_hz", [0.0, -50.0, 9.9, 1001.0, float("nan")])
def test_cannot_be_made_at_a_wrong_rate(rate_hz: float) -> None:
    with pytest.raises(ShowError, match="rate_hz"):
        Motion("still", ("head_yaw",), rate_hz, np.zeros((3, 1)))


motions = st.integers(1, 4).flatmap(
    lambda m: st.builds(
        lambda q, rate, title, tags, source: Motion(
            name="made_up",
            joint_names=JOINTS.names[:m],
            rate_hz=rate,
            positions=np.array(q),
            title=title,
            markers=(Marker(0.0, title),),
            tags=tuple(tags),
            source=source,
        ),
        hnp.arrays(np.float64, st.tuples(st.integers(2, 9), st.just(m)), elements=st.floats(-9, 9)),
        st.floats(10.0, 1000.0),
        st.text(st.characters(codec="utf-8"), max_size=20),
        st.lists(st.text(st.characters(codec="utf-8"), max_size=9), max_size=3),
        st.sampled_from(["recorded", "keyed", "imported"]),
    )
)


@given(motions)
def test_a_saved_motion_comes_back_to_the_microradian(
    tmp_path_factory: pytest.TempPathFactory, motion: Motion
) -> None:
    free = replace(
        JOINTS, lower=JOINTS.lower - 99.0, upper=JOINTS.upper + 99.0,
        velocity_limit=np.full(len(JOINTS.names), 1e6),
        acceleration_limit=np.full(len(JOINTS.names), 1e9),
    )  # fmt: skip
    path = tmp_path_factory.getbasetemp() / "made_up.json"
    save_motion(motion, path)
    back = load_motion(path, free)
    np.testing.assert_allclose(back.positions, motion.positions, rtol=0.0, atol=0.51e-6)
    assert (back.name, back.title, back.joint_names) == (
        motion.name,
        motion.title,
        motion.joint_names,
    )
    assert (back.rate_hz, back.tags) == (motion.rate_hz, motion.tags)
    assert (back.markers, back.source) == (motion.markers, motion.source)
    assert encode_motion(back) == encode_motion(motion), "saving again changes nothing"


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    data = encode_motion(wave_motion(seconds=0.4, rate_hz=10.0))
    path = tmp_path / "wave.json"
    path.write_bytes(data)
    load_motion(path, JOINTS)
    for length in range(len(data.rstrip())):
        error = refusal(tmp_path, data[:length])
        assert error.reason


@given(st.data())
def test_a_damaged_byte_gives_a_motion_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = encode_motion(wave_motion(seconds=0.4, rate_hz=10.0))
    at = data.draw(st.integers(0, len(good) - 1))
    path = tmp_path_factory.getbasetemp() / "wave.json"
    path.write_bytes(good[:at] + bytes([data.draw(st.integers(0, 255))]) + good[at + 1 :])
    try:
        motion = load_motion(path, JOINTS)
    except ShowError as error:
        assert "\n" not in str(error)
    else:
        check_motion(motion, JOINTS)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"schema": 2}, "schema"),
        ({"name": "hello"}, "named 'hello', its file 'wave'"),
        ({"name": "../wave"}, "name"),
        ({"joint_names": ["head_yaw", "right_shoulder_pitch", "right_elbo"]}, "no joint"),
        ({"joint_names": ["head_yaw", "right_shoulder_pitch", "left_knee"]}, "left_knee"),
        ({"joint_names": ["head_yaw", "right_elbow", "right_elbow"]}, "named twice"),
        ({"joint_names": ["head_yaw", "right_elbow"]}, "3 positions for 2 joints"),
        ({"joint_names": []}, "joint_names"),
        ({"rate_hz": 0}, "rate_hz"),
        ({"rate_hz": -50}, "rate_hz"),
        ({"rate_hz": 50_000}, "rate_hz"),
        ({"rate_hz": "fast"}, "rate_hz"),
        ({"positions": []}, "positions"),
        ({"positions": [[0.0, 0.0, 0.0]]}, "positions"),
        ({"positions": [[0.0, 0.0, 0.0], [0.0, 0.0]]}, "2 positions for 3 joints"),
        ({"positions": [[0.0, 0.0, 0.0], [0.0, "0", 0.0]]}, "position 2, item 2"),
        ({"positions": [[0.0, 0.0, 0.0], [0.0, None, 0.0]]}, "position 2, item 2"),
        ({"positions": {"0": [0.0, 0.0, 0.0]}}, "positions"),
        ({"markers": [{"time_s": 2.5, "name": "late"}]}, "after the motion's end"),
        ({"markers": [{"time_s": -1.0, "name": "early"}]}, "marker 1, time_s"),
        ({"thumbnail_s": 2.1}, "after the motion's end"),
        ({"source": "stolen"}, "source"),
        ({"tags": "greeting"}, "tags"),
        ({"title": "x" * 1000}, "title"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_refuses(tmp_path: Path, changes: dict[str, Any], word: str) -> None:
    error = refusal(tmp_path, json.dumps(document(**changes), indent=1))
    assert word in str(error)
    assert "line " in error.place
    assert error.advice


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "nan"])
def test_refuses_a_number_that_is_none(tmp_path: Path, value: str) -> None:
    text = encode_motion(wave_motion()).decode().replace("[-0.0,", "[0.0,")
    error = refusal(tmp_path, text.replace("1.2", value, 1))
    assert error.place.startswith("line ")


def changed(row: int, column: int, value: float) -> Motion:
    motion = wave_motion()
    positions = motion.positions.copy()
    positions[row, column] += value
    return replace(motion, positions=positions)


def test_a_position_outside_its_limits_names_joint_and_time(tmp_path: Path) -> None:
    error = refusal(tmp_path, encode_motion(changed(62, 2, 9.0)))
    assert "right_elbow at 1.24 s" in error.place
    assert "line 74, position 63, item 3" in error.place
    assert "rad is outside its limits -0.436 to 2.007 rad" in error.reason


def test_a_velocity_spike_names_joint_time_value_and_limit(tmp_path: Path) -> None:
    error = refusal(tmp_path, encode_motion(changed(62, 2, 0.6)))
    assert "right_elbow at 1.24 s" in error.place
    assert error.reason.endswith("rad/s is more than its limit 20.9 rad/s")


def test_an_acceleration_spike_names_joint_time_value_and_limit(tmp_path: Path) -> None:
    error = refusal(tmp_path, encode_motion(changed(62, 2, 0.2)))
    assert "right_elbow at 1.2" in error.place
    assert error.reason.endswith("rad/s² is more than its limit 418 rad/s²")


def test_encoder_noise_at_a_high_rate_is_no_spike() -> None:
    motion = wave_motion(rate_hz=1000.0)
    noise = np.random.default_rng(1).uniform(-5e-4, 5e-4, motion.positions.shape)
    check_motion(replace(motion, positions=motion.positions + noise), JOINTS)


@given(st.integers(1, 99), st.integers(0, 2), st.floats(0.5, 1e300), st.booleans())
def test_no_spike_passes_and_the_joint_is_the_right_one(
    row: int, column: int, height: float, up: bool
) -> None:
    motion = changed(row, column, height if up else -height)
    with pytest.raises(ShowError) as refused:
        check_motion(motion, JOINTS)
    assert motion.joint_names[column] in refused.value.place
    time_s = float(refused.value.place.split(" at ")[1].removesuffix(" s"))
    assert abs(time_s - row / motion.rate_hz) <= 0.021


def test_a_thousand_times_too_large_is_refused(tmp_path: Path) -> None:
    motion = wave_motion(seconds=3.0)
    scaled = replace(motion, positions=motion.positions * 1000.0)
    assert "outside its limits" in refusal(tmp_path, encode_motion(scaled)).reason
    row = "[0.0, 0.0, 0.0],\n"
    text = json.dumps(document(positions=[])).replace("[]", f"[{row * 150_000}[0.0, 0.0, 0.0]]")
    assert "lasts 3000 s" in refusal(tmp_path, text.replace("[0.0, 0.0, 0.0]", "[0,0,0]")).reason
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(1000 * MAX_MOTION_BYTES)
    with pytest.raises(ShowError, match=r"huge\.json: is larger than 16 MiB"):
        load_motion(path, JOINTS)


def test_what_could_not_be_read_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "wave.json"
    save_motion(wave_motion(), path)
    before = path.read_bytes()
    for bad in ({"title": "x" * 999}, {"thumbnail_s": float("nan")}, {"tags": ("\ud800",)}):
        with pytest.raises(ShowError):
            save_motion(replace(wave_motion(), **bad), path)
    assert path.read_bytes() == before


def test_a_mirrored_motion_swaps_sides_and_turns_the_head_the_other_way() -> None:
    motion = wave_motion()
    joints = joint_table()
    mirrored = mirror_motion(motion, joints)
    assert mirrored.joint_names == ("head_yaw", "left_shoulder_pitch", "left_elbow")
    np.testing.assert_array_equal(mirrored.positions[:, 0], -motion.positions[:, 0])
    np.testing.assert_array_equal(mirrored.positions[:, 1:], motion.positions[:, 1:])
    twice = mirror_motion(mirrored, joints)
    assert twice.joint_names == motion.joint_names
    np.testing.assert_array_equal(twice.positions, motion.positions)
