"""What the recorder writes: even samples, up to the moment at which the disk refuses."""

import errno
import math
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from core.link.take import TakeBegin, TakeEnd, TakeMark, TakeZero
from core.takes.recorder import OpenTake
from shows.audio import audio_info
from shows.take import MAX_TAKE_S, RATE_HZ, TakeHead, read_take
from shows.take_sound import sound_path
from tests.core.takes.blocks import heard

HEAD = TakeHead(robot="robby", body="sim", joint_names=("a", "b"), limb_names=("arm",))
TICK_S = 0.001
BLOCK = 50


def block(first_tick: int, count: int = BLOCK) -> npt.NDArray[np.void]:
    """Return ticks as the core publishes them, as far as a take needs them."""
    rows = np.zeros(
        count,
        dtype=[
            ("t", "f8"),
            ("q", "f4", (2,)),
            ("velocity_command", "f4", (3,)),
            ("mode", "u1"),
            ("motion_state", "u1", (1,)),
        ],
    )
    rows["t"] = TICK_S * (first_tick + np.arange(count))
    rows["q"][:, 0] = rows["t"]
    rows["mode"] = 6
    return rows


def begin(path: Path, start_s: float = 1.0, microphone: str | None = None) -> OpenTake:
    """Return a take that has begun; its sound begins at 100 s."""
    take = OpenTake(TakeBegin(str(path), start_s, microphone), 0)
    take.begin(TakeZero(start_s, HEAD, 100.0))
    return take


@pytest.mark.parametrize("start_s", [1.0123, math.nextafter(1023 * TICK_S, 2.0)])
def test_samples_are_even_from_the_start_to_the_end(tmp_path: Path, start_s: float) -> None:
    path = tmp_path / "new folder" / "a.take"
    take = begin(path, start_s)  # the second start is rounded up from the time of a tick
    for first in range(0, 1500, BLOCK):
        take.take(block(first))
    take.mark(TakeMark(1.2, "up"))
    take.end_at(TakeEnd(1.7, "ended"))
    for first in (1500, 1550, 1600):
        take.take(block(first))
        assert not take.done
    take.take(block(1650, 60))
    assert take.done
    take.finish("ended")
    found = read_take(path)
    assert found.whole and found.head.recorded_at
    assert found.time_s[0] == pytest.approx(0.0, abs=TICK_S)
    assert np.diff(found.time_s) == pytest.approx(1.0 / RATE_HZ, abs=1e-6)
    assert found.duration_s == pytest.approx(1.7 - start_s, abs=1.0 / RATE_HZ)
    assert found.positions[:, 0] == pytest.approx(found.time_s + start_s, abs=1e-3)
    assert found.markers[0].time_s == pytest.approx(1.2 - start_s)


def test_lost_blocks_leave_a_gap_and_no_shift(tmp_path: Path) -> None:
    take = begin(tmp_path / "a.take", 0.0)
    for first in (0, 50, 200, 250):
        take.take(block(first))
    take.finish("ended")
    found = read_take(tmp_path / "a.take")
    assert found.positions[:, 0] == pytest.approx(found.time_s, abs=1e-6)
    assert len(found.gaps()) == 1


def test_a_slow_robot_gives_every_tick(tmp_path: Path) -> None:
    take = begin(tmp_path / "a.take", 0.0)
    rows = block(0)
    rows["t"] = 0.005 * np.arange(BLOCK)
    take.take(rows)
    take.finish("ended")
    assert len(read_take(tmp_path / "a.take").time_s) == BLOCK


def test_no_take_replaces_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.take"
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError):
        begin(path)
    assert path.read_bytes() == b"precious"


def test_a_take_waits_for_the_end_of_its_sound(tmp_path: Path) -> None:
    path = tmp_path / "a.take"
    take = begin(path, 0.0, "")
    assert take.sound is not None
    for first in range(0, 500, BLOCK):
        take.take(block(first))
    take.end_at(TakeEnd(0.4, "ended"))
    take.take(block(500))
    done = [take.done]
    take.sound.take(heard(99.5, 1.0), "")
    assert take.complete and [*done, take.done] == [False, True]
    take.finish("ended")
    info = audio_info(sound_path(path), "a.wav")
    assert info.duration_s == pytest.approx(0.4, abs=1e-4) and not take.sound.trouble


def test_a_take_without_samples_leaves_no_sound(tmp_path: Path) -> None:
    take = begin(tmp_path / "a.take", 0.0, "")
    assert take.sound is not None
    take.sound.take(heard(100.0, 1.0), "")
    take.finish("cancelled")
    assert list(tmp_path.iterdir()) == []


def test_a_take_that_never_began_leaves_no_file(tmp_path: Path) -> None:
    take = OpenTake(TakeBegin(str(tmp_path / "a.take"), 0.0), 0)
    assert list(tmp_path.iterdir()) and not take.begun
    take.take(block(0))
    take.mark(TakeMark(0.1, "up"))
    take.finish("cancelled")
    assert list(tmp_path.iterdir()) == []


def test_the_longest_take_ends_by_itself_and_becomes_a_motion(tmp_path: Path) -> None:
    take = begin(tmp_path / "a.take", 0.5, None)
    last = round((0.5 + MAX_TAKE_S) / TICK_S)
    take.take(block(500))
    done = [take.done]
    take.take(block(last - 20))  # the blocks between were lost
    assert [*done, take.done] == [False, True] and take.end is not None
    take.finish(take.end.reason)
    found = read_take(tmp_path / "a.take")
    assert found.duration_s == pytest.approx(MAX_TAKE_S, abs=1e-6) and "600 s" in found.reason


@pytest.mark.parametrize("name", ["a\0.take", "a" * 300 + ".take"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises((OSError, ValueError)):
        begin(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_refuses_before_there_is_a_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no room"):
        OpenTake(TakeBegin(str(tmp_path / "a.take"), 1.0), 2**60)
    assert list(tmp_path.iterdir()) == []


def test_room_is_left_on_the_disk(tmp_path: Path) -> None:
    take = begin(tmp_path / "a.take", 0.0)
    take.take(block(0))
    take._reserve_bytes = 2**60
    with pytest.raises(OSError, match="no room") as caught:
        take.take(block(50))
    assert caught.value.errno == errno.ENOSPC
    take.close()
    assert len(read_take(tmp_path / "a.take").time_s) == 10


@pytest.fixture
def small_files() -> Iterator[int]:
    """No file of this process may be larger than this [bytes]."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    most = 3000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    yield most
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def test_a_description_that_the_disk_refuses_leaves_no_file(
    tmp_path: Path, small_files: int
) -> None:
    take = OpenTake(TakeBegin(str(tmp_path / "a.take"), 0.0), 0)
    names = tuple(f"joint_{i}" for i in range(small_files // 10))
    with pytest.raises(OSError):
        take.begin(TakeZero(0.0, msgspec.structs.replace(HEAD, joint_names=names)))
    take.close()
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses_leaves_what_was_written_before(
    tmp_path: Path, small_files: int
) -> None:
    take = begin(tmp_path / "a.take", 0.0)
    with pytest.raises(OSError):
        for first in range(0, 5000, BLOCK):
            take.take(block(first))
    take.close()
    assert (tmp_path / "a.take").stat().st_size == small_files
    found = read_take(tmp_path / "a.take")
    assert not found.whole and found.duration_s == pytest.approx(take.saved_s, abs=1e-6)
    assert found.duration_s > 0.2
