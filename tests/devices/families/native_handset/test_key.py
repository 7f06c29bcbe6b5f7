"""A key that others could know is refused."""

import os
from pathlib import Path

import pytest

from devices.errors import DeviceError
from devices.families.native_handset.key import read_key

KEY = bytes(range(32))


def key_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "handset.key"
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_read_or_change_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(DeviceError, match="mode 0600"):
        read_key(key_file(tmp_path, KEY.hex(), mode))


@pytest.mark.parametrize("text", ["", "00" * 31, "00" * 33, "zz" * 32, KEY.hex() + "\nmore", "é"])
def test_an_invalid_key_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DeviceError, match="64 hexadecimal digits"):
        read_key(key_file(tmp_path, text))


def test_a_key_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="pair handset and robot by cable"):
        read_key(tmp_path / "none")


def test_a_device_in_place_of_a_key_is_not_read() -> None:
    with pytest.raises(DeviceError):
        read_key(Path("/dev/zero"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_key_of_another_user_is_refused(tmp_path: Path) -> None:
    path = key_file(tmp_path, KEY.hex())
    os.chown(path, 12345, 12345)
    with pytest.raises(DeviceError, match="others may"):
        read_key(path)


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_key_of_our_own_is_read(tmp_path: Path, end: str) -> None:
    assert read_key(key_file(tmp_path, KEY.hex() + end)) == KEY
