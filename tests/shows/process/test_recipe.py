"""A recipe's file is read exactly, or refused with its line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows.errors import ShowError
from shows.motion import Motion
from shows.process.curves import Curve, Key
from shows.process.recipe import Recipe, apply, encode_recipe, load_recipe, save_recipe
from shows.process.steps import (
    Keys,
    Layer,
    Loop,
    Mirror,
    Repair,
    Retime,
    RetimeBetween,
    RetimeMarkers,
    Reverse,
    ScaleAmplitude,
    SlowToLimits,
    Smooth,
    Step,
    Trim,
)
from tests.shows.examples import wave_motion
from tests.shows.process.examples import JOINTS, refusal

CURVE = Curve((Key(0.0, 0.5), Key(1.0, 0.25, 1.0, -1.0)))
STEPS: tuple[Step, ...] = (
    Repair(lost=((0.5, 0.6),)),
    Trim(0.1, 1.9),
    Smooth(6.0),
    Keys({"right_elbow": CURVE}),
    RetimeMarkers({"up": 0.5}),
    RetimeBetween(((0.5, 0.7),)),
    Retime(1.25),
    Layer(motion="nod", weight=0.5, mode="add"),
    ScaleAmplitude(0.5, {"head_yaw": 0.0, "right_shoulder_pitch": 0.1, "right_elbow": 0.2}),
    SlowToLimits(),
    Reverse(),
    Loop(0.3),
    Mirror(),
)


def find(name: str) -> Motion:
    return wave_motion(name, seconds=1.0)


@pytest.mark.parametrize(
    "take", ["", "/wave.json", "../wave.json", "a/../../b", "c:x", "a\\b", "."]
)
def test_cannot_be_made_with_a_take_elsewhere(take: str) -> None:
    assert refusal(lambda: Recipe(take)).place == "take"


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('"schema": 1', '"schema": 2', "schema"),
        ('"schema": 1,', "", "'schema' is missing"),
        ("takes/wave.json", "../wave.json", "is not a path inside"),
        ('"step": "trim"', '"step": "cut"', "use one of keys, layer, loop, mirror"),
        ('"step": "trim",', "", "missing"),
        ('"end_s": 1.9', '"ends": 1.9', "did you mean 'end_s'?"),
        ('"end_s": 1.9', '"end_s": "late"', "must be a number"),
        ('"end_s": 1.9', '"end_s": 601', "at most 600"),
        ('"end_s": 1.9', '"end_s": NaN', "NaN is not a number"),
        ('"bandwidth_hz": 6.0', '"bandwidth_hz": -6.0', "more than 0"),
        ('"factor": 1.25', '"factor": 0.0', "more than 0"),
        ('"time_s": 1.0', '"time_s": 0.0', "curve, key 2"),
        ('"motion": "nod"', '"motion": "../nod"', "lower-case letters"),
        ('"mode": "add"', '"mode": "mix"', "use one of add, replace"),
    ],
)
def test_refuses_a_file(tmp_path: Path, old: str, new: str, word: str) -> None:
    text = encode_recipe(Recipe("takes/wave.json", STEPS)).decode()
    assert old in text
    path = tmp_path / "wave.json"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ShowError) as refused:
        load_recipe(path)
    assert word in str(refused.value)
    assert refused.value.file == "wave.json"
    assert refused.value.place.startswith("line ")


def test_what_could_not_be_read_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    with pytest.raises(ShowError, match="more than 0"):
        save_recipe(Recipe("takes/wave.json", (Smooth(-1.0),)), path)
    assert not path.exists()
    with pytest.raises(ShowError, match="does not exist"):
        load_recipe(path)


@given(st.lists(st.sampled_from(STEPS), max_size=6))
def test_a_saved_recipe_comes_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    path = tmp_path_factory.getbasetemp() / "recipe.json"
    recipe = Recipe("takes/wave.json", tuple(steps))
    save_recipe(recipe, path)
    assert load_recipe(path) == recipe


@given(st.data())
def test_a_damaged_byte_gives_a_recipe_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = encode_recipe(Recipe("takes/wave.json", STEPS))
    at = data.draw(st.integers(0, len(good) - 1))
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    path.write_bytes(good[:at] + bytes([data.draw(st.integers(0, 255))]) + good[at + 1 :])
    try:
        load_recipe(path)
    except ShowError as error:
        assert "\n" not in str(error)


def test_applies_every_kind_of_step() -> None:
    result = apply(STEPS, wave_motion(), JOINTS, find)
    assert result.joint_names == ("head_yaw", "left_shoulder_pitch", "left_elbow")
    np.testing.assert_array_equal(result.positions[0], result.positions[-1])
    assert [marker.name for marker in result.markers] == ["up"]
    with pytest.raises(ShowError) as refused:
        apply((Mirror(), Loop(3.0)), wave_motion(), JOINTS, find)
    assert refused.value.place == "step 2 (loop), blend_s"
