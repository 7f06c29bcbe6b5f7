"""An earlier take as a backing: what the stagehand makes of it and what the core accepts."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.behave.clip import Clip
from core.link.take import BackingRefused, BackingRequest
from core.robot.joint_table import joint_table
from core.stage.backing import ROWS_PER_STEP, Backing, BackingUnpacker
from core.stage.errors import StageError
from core.stage.stagehand import back_or_refuse
from shows.joints import Floats
from shows.take import TakeHead, TakeWriter
from shows.take_sound import SoundWriter, sound_path
from tests.core.stage.robot import profile
from tests.draws import share

UPPER = 20
NAMES = profile().joint_names


def clip(knots: int = 500, joints: tuple[int, ...] = (1, 4, 7)) -> Clip:
    times_s = np.arange(knots) / 50.0
    return Clip.from_positions("nod", joints, 50.0, np.sin(times_s[:, None] + np.arange(3)))


def unpacked(data: bytes, upper_count: int = UPPER) -> Backing:
    unpacker = BackingUnpacker(data, upper_count)
    while (found := unpacker.step()) is None:
        pass
    return found


@settings(max_examples=share(25))
@given(st.integers(2, 5 * ROWS_PER_STEP))
def test_it_arrives_as_it_was_sent(knots: int) -> None:
    sent = Backing(7, clip(knots), 0.5, "/takes/a.wav", "hello")
    found = unpacked(sent.to_bytes())
    assert (found.number, found.slowed_s, found.sound, found.phrase) == (
        7,
        0.5,
        "/takes/a.wav",
        "hello",
    )
    assert (found.clip.name, found.clip.joints) == ("nod", sent.clip.joints)
    assert (found.clip.knots == sent.clip.knots).all()
    assert found.clip.peak_velocity == pytest.approx(sent.clip.peak_velocity)


@settings(max_examples=share(50))
@given(st.data())
def test_damaged_bytes_are_refused_or_harmless(data: st.DataObject) -> None:
    whole = bytearray(Backing(1, clip(150)).to_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    try:
        found = unpacked(bytes(whole[: data.draw(st.sampled_from([cut, len(whole)]))]))
    except StageError:
        return
    assert np.isfinite(found.clip.knots).all() and max(found.clip.joints) < UPPER


def test_one_of_another_robot_is_refused() -> None:
    with pytest.raises(StageError, match="not of this robot"):
        BackingUnpacker(Backing(1, clip()).to_bytes(), 7)


# The stagehand


def write(
    path: Path, limbs: tuple[str, ...], positions: Floats, robot: str = "", **head: object
) -> Path:
    """Write a take of the robot, whose positions are those of every joint (k)."""
    plain = TakeHead(robot=robot or profile().name, body="sim", joint_names=NAMES, limbs=limbs)
    description = msgspec.structs.replace(plain, **head)
    rows = np.zeros(len(positions), dtype=description.dtype)
    rows["t"] = np.arange(len(positions)) / description.rate_hz
    rows["q"] = positions[:, None]
    with path.open("wb", buffering=0) as stream:
        writer = TakeWriter(stream, description)
        writer.samples(rows)
        writer.end("ended")
    return path


def calm(seconds: float = 2.0) -> Floats:
    return 0.2 * np.sin(np.arange(round(200 * seconds)) / 100.0)


def test_a_take_is_made_ready_with_its_sound_and_its_phrase(tmp_path: Path) -> None:
    path = write(tmp_path / "nod_1.take", ("head",), calm(), phrase="hello")
    with sound_path(path).open("wb", buffering=0) as stream:
        SoundWriter(stream).write(np.zeros(4800))
    found = back_or_refuse(BackingRequest(3, str(path)), profile())
    assert isinstance(found, Backing)
    assert (found.number, found.clip.name, found.slowed_s) == (3, "nod_1", 0.0)
    assert (found.sound, found.phrase) == (str(sound_path(path)), "hello")
    table = joint_table(profile())
    assert found.clip.duration_s == pytest.approx(2.0, abs=0.03)
    q, dq, ddq = (np.zeros(len(found.clip.joints)) for _ in range(3))
    found.clip.sample(1.003, q, dq, ddq)
    assert q == pytest.approx(0.2 * np.sin(2.006), abs=1e-3)
    assert len(table.joints_of["head"]) == len(found.clip.joints)


def test_a_take_that_was_cut_short_plays_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.take", ("head",), calm(4.0))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    refused = back_or_refuse(BackingRequest(1, str(path)), profile())
    assert isinstance(refused, BackingRefused) and "fewer than two samples" in refused.reason
    path.write_bytes(data[:-3])  # its end is damaged, not its samples
    found = back_or_refuse(BackingRequest(1, str(path)), profile())
    assert isinstance(found, Backing) and found.clip.duration_s > 3.9


def test_an_overdub_plays_with_what_it_was_recorded_over(tmp_path: Path) -> None:
    write(tmp_path / "first.take", ("left_arm",), calm())
    path = write(
        tmp_path / "second.take",
        ("head",),
        calm(),
        backing_take="first",
        backing_limbs=("left_arm",),
    )
    found = back_or_refuse(BackingRequest(1, str(path)), profile())
    table = joint_table(profile())
    assert isinstance(found, Backing)
    moved = len(table.joints_of["head"]) + len(table.joints_of["left_arm"])
    assert len(found.clip.joints) == moved


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "a.take"),
        (lambda path: path.write_bytes(b"no take"), "not a take"),
        (lambda path: write(path, ("head",), calm(), "other"), "recorded with other"),
        (lambda path: write(path, ("head",), calm() + 9.0), "beyond its limit"),
        (lambda path: write(path, ("tail",), calm()), "no limb"),
        (lambda path: write(path, ("head",), calm(0.005)), "fewer than two samples"),
    ],
)
def test_what_cannot_play_is_refused_in_one_sentence(
    tmp_path: Path, make: object, words: str
) -> None:
    path = tmp_path / "a.take"
    make(path)  # type: ignore[operator]
    found = back_or_refuse(BackingRequest(9, str(path)), profile())
    assert isinstance(found, BackingRefused) and found.number == 9
    assert words in found.reason and "\n" not in found.reason and "defect" not in found.reason
