"""A camera: pictures go through the real model to frames, and its end or silence is told."""

import os
import signal
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from devices.capture import camera
from devices.capture.camera import PACKAGES, CameraSource, cameras
from devices.capture.errors import Refusal
from devices.capture.eye import stamp_s
from devices.capture.skeleton import INDEX, SIDES
from devices.errors import DeviceError
from devices.interface import Floats, PoseFrame
from tests.devices.capture.film import film
from tests.tracked import REPOSITORY

needs_packages = pytest.mark.skipif(
    any(find_spec(name) is None for name in PACKAGES), reason="footlight[camera] is not installed"
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[CameraSource]]:
    paths = (str(REPOSITORY), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))  # of the child
    found: list[CameraSource] = []
    yield found
    for source in found:
        source.close()


def collected(source: CameraSource, wanted: int, within_s: float = 40.0) -> list[PoseFrame]:
    found: list[PoseFrame] = []
    end_s = time.monotonic() + within_s
    while len(found) < wanted and time.monotonic() < end_s and not source.trouble:
        found += source.read()
        time.sleep(0.002)
    return found


def way(frame: PoseFrame, begin: str, end: str) -> Floats:
    """Return the direction from a joint to another, the person facing along x."""
    turned: Floats = (frame.positions[INDEX[end]] - frame.positions[INDEX[begin]]) * [-1, -1, 1]
    return turned / np.linalg.norm(turned)


@needs_packages
def test_a_person_in_a_video_is_seen_at_its_pace(
    tmp_path: Path, opened: list[CameraSource]
) -> None:
    source = CameraSource(str(film(tmp_path, (("t_pose", 2.0), ("wave", 2.0)))), time.monotonic)
    opened.append(source)
    assert source.paired == source.address == ("person.mp4", 0) and source.stranger is None
    frames = collected(source, 1000)
    assert source.trouble == "the video person.mp4 has ended"
    assert len(frames) > 10 and set(source.refused) <= {Refusal.HIDDEN.value, Refusal.NOBODY.value}
    stamps = [frame.stamp_s for frame in frames]
    assert stamps == sorted(set(stamps)) and stamps[-1] - stamps[0] < 4.01
    assert all(frame.stamp_s <= frame.arrival_s for frame in frames)
    # The model's errors on a mannequin are some ten degrees.
    t_pose = [frame for frame in frames if 0.7 < frame.stamp_s - stamps[0] < 1.9]
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for frame in t_pose:
            assert way(frame, f"{side}_upper_arm", f"{side}_hand")[1] * sign > np.cos(0.35)
            assert way(frame, f"{side}_upper_leg", f"{side}_foot")[2] < -np.cos(0.35)
    waved = frames[-1]
    forearm = way(waved, "right_lower_arm", "right_hand")
    assert forearm[2] > np.cos(0.35) * np.hypot(forearm[1], forearm[2])  # its depth is guessed
    assert way(waved, "left_upper_arm", "left_lower_arm")[2] < -np.cos(0.35)
    feet = [INDEX[f"{side}_foot"] for side in SIDES]
    moved = waved.positions[feet, :2] - t_pose[0].positions[feet, :2]
    assert np.abs(moved).max() < 0.1


@needs_packages
def test_a_camera_that_hangs_is_silent_and_ends(tmp_path: Path, opened: list[CameraSource]) -> None:
    source = CameraSource(str(film(tmp_path, (("t_pose", 60.0),))), time.monotonic)
    opened.append(source)
    assert collected(source, 1)
    source.pair(None)
    assert source.paired is None and source.stranger == source.address
    time.sleep(0.3)
    assert source.read() == []
    source.pair("camera 7")
    assert source.paired is None
    source.pair(source.address[0])
    assert collected(source, 1)
    os.kill(source._process.pid, signal.SIGSTOP)
    time.sleep(0.1)
    source.read()
    begin_s = time.monotonic()
    assert source.read() == [] and source.trouble == "" and time.monotonic() - begin_s < 0.05
    source.close()
    assert source._process.poll() == -signal.SIGKILL and source.read() == []


@needs_packages
def test_the_process_ends_with_its_parent(tmp_path: Path, opened: list[CameraSource]) -> None:
    source = CameraSource(str(film(tmp_path, (("t_pose", 60.0),))), time.monotonic)
    opened.append(source)
    assert collected(source, 1) and source._process.stdin is not None
    source._process.stdin.close()
    assert source._process.wait(5.0) == 0


@needs_packages
def test_what_cannot_be_opened_is_told_in_a_sentence(
    tmp_path: Path, opened: list[CameraSource]
) -> None:
    (tmp_path / "text.mp4").write_text("no video", encoding="utf-8")
    for name, said in (
        (str(tmp_path / "text.mp4"), "text.mp4 is no video that can be read; choose another file"),
        ("63", "camera 63 cannot be opened; connect it, and close other programs that use it"),
    ):
        source = CameraSource(name, time.monotonic)
        opened.append(source)
        assert collected(source, 1) == [] and source.trouble == said
    with pytest.raises(DeviceError, match="is no file; choose a video, or a camera's number"):
        CameraSource(str(tmp_path / "nothing.mp4"), time.monotonic)


def test_without_its_packages_a_camera_tells_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(camera, "find_spec", lambda name: None)
    with pytest.raises(DeviceError, match=r"footlight\[camera\].*packaging/lock/camera.txt"):
        CameraSource("0", time.monotonic)


def test_the_cameras_of_the_computer_are_named(tmp_path: Path) -> None:
    for node, index, name in (
        ("video10", "0", "Second\x07 camera\n"),
        ("video2", "0", "HD Webcam: HD Webcam\n"),
        ("video3", "1", "HD Webcam: HD Webcam\n"),  # tells of pictures, and gives none
        ("video4", "none", "broken"),
    ):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index, encoding="utf-8")
        (tmp_path / node / "name").write_text(name, encoding="utf-8")
    assert cameras(tmp_path) == {2: "HD Webcam: HD Webcam", 10: "Second camera"}
    assert cameras(tmp_path / "nothing") == {}


def test_a_stamp_of_the_driver_counts_only_on_the_host_s_clock() -> None:
    assert stamp_s(99_950.0, 100.0) == pytest.approx(99.95)
    for other in (0.0, 100_001.0, 1.7e12, -5.0):
        assert stamp_s(other, 100.0) == 100.0
