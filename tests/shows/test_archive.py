"""A zip from anywhere can neither write outside the cache nor fill the disk."""

import io
import os
import stat
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shows import archive
from shows.archive import pack, unpack
from shows.errors import ShowError

FILES = {"show.json": b'{"schema": 1}' * 9, "motions/wave.json": b"{}", "audio/hi.wav": b"RIFF"}


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return buffer.getvalue()


def unpacked(tmp_path: Path, data: bytes) -> dict[str, bytes]:
    source = tmp_path / "show.zip"
    source.write_bytes(data)
    folder = unpack(source, source.name, tmp_path / "cache")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def refusal(tmp_path: Path, data: bytes) -> ShowError:
    with pytest.raises(ShowError) as refused:
        unpacked(tmp_path, data)
    error = refused.value
    assert error.file == "show.zip"
    assert len(str(error).splitlines()) == 1
    cache = tmp_path / "cache"
    assert not cache.exists() or list(cache.iterdir()) == [], "nothing is left behind"
    assert {path.name for path in tmp_path.iterdir()} <= {"show.zip", "cache"}
    return error


def test_gives_back_what_was_packed(tmp_path: Path) -> None:
    assert unpacked(tmp_path, pack(FILES)) == FILES
    assert pack(FILES) == pack(dict(reversed(FILES.items())))


def test_takes_a_folder_zipped_by_a_file_manager(tmp_path: Path) -> None:
    inside = {f"my show/{name}": data for name, data in FILES.items()}
    clutter = {"__MACOSX/my show/._show.json": b"x", "my show/.DS_Store": b"x", "my show/": b""}
    assert unpacked(tmp_path, zipped(clutter | inside)) == FILES


@pytest.mark.parametrize(
    "name",
    [
        "../show.json",
        "motions/../../evil.json",
        "/etc/evil.json",
        "motions\\..\\..\\evil.json",
        "C:/evil.json",
        "motions/wave.json/../../evil",
        "motions/sub/wave.json",
        "motions/WAVE.json",
        "motions/wave.py",
        "audio/hi.mp3",
        "audio/hi.exe",
        "evil.pkl",
        "show.json ",
        "show.json\n",
    ],
)
def test_refuses_a_file_that_no_show_has(tmp_path: Path, name: str) -> None:
    assert "is no file of a show" in refusal(tmp_path, zipped(FILES | {name: b"evil"})).reason


def test_refuses_a_link(tmp_path: Path) -> None:
    buffer = io.BytesIO(zipped(FILES))
    with zipfile.ZipFile(buffer, "a") as made:
        member = zipfile.ZipInfo("motions/link.json")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(member, "/etc/passwd")
    assert "is a link" in refusal(tmp_path, buffer.getvalue()).reason


def test_refuses_a_name_that_is_there_twice(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("show.json", "{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr("show.json", "[]")
    assert "is there twice" in refusal(tmp_path, buffer.getvalue()).reason


def test_refuses_what_is_not_plainly_zipped(tmp_path: Path) -> None:
    assert "compressed in a way" in refusal(tmp_path, zipped(FILES, zipfile.ZIP_LZMA)).reason
    encrypted = bytearray(zipped({"show.json": b"{}"}, zipfile.ZIP_STORED))
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted" in refusal(tmp_path, bytes(encrypted)).reason


def test_refuses_a_zip_without_a_show(tmp_path: Path) -> None:
    assert "holds no show.json" in refusal(tmp_path, zipped({"motions/wave.json": b"{}"})).reason
    assert "holds no show.json" in refusal(tmp_path, zipped({})).reason


def test_refuses_too_many_files(tmp_path: Path) -> None:
    many = {f"motions/m{i}.json": b"" for i in range(archive.MAX_MEMBERS)}
    assert "holds more than 4000 files" in refusal(tmp_path, zipped(FILES | many)).reason


def test_refuses_a_bomb_by_what_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 2**20)
    bomb = zipped({"show.json": bytes(2**20 + 1)})
    assert len(bomb) < 2000
    assert "unpacks to more than 1 MiB" in refusal(tmp_path, bomb).reason


def test_a_bomb_that_lies_about_its_size_stops_at_what_it_declared(tmp_path: Path) -> None:
    bomb = bytearray(zipped({"show.json": bytes(2**22)}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = bomb.index(signature) + offset
        bomb[at : at + 4] = (100).to_bytes(4, "little")
    assert "cannot be unpacked" in refusal(tmp_path, bytes(bomb)).reason


def test_refuses_a_zip_that_is_too_large_without_reading_it(tmp_path: Path) -> None:
    source = tmp_path / "show.zip"
    with source.open("wb") as stream:
        stream.truncate(archive.MAX_ZIP_BYTES + 1)
    with pytest.raises(ShowError, match="is larger than 512 MiB"):
        unpack(source, source.name, tmp_path / "cache")


def test_a_zip_cut_anywhere_is_refused(tmp_path: Path) -> None:
    data = pack(FILES)
    for length in range(len(data)):
        refusal(tmp_path, data[:length])


@given(st.data())
def test_a_damaged_zip_is_refused_or_unpacks_to_a_shows_files(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    packed = bytearray(pack(FILES))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    tmp_path = tmp_path_factory.mktemp("zip")
    try:
        files = unpacked(tmp_path, bytes(packed))
    except ShowError as error:
        assert "\n" not in str(error)
    else:
        assert set(files) <= {"show.json"} | {
            name for name in files if name.startswith(("motions/", "audio/"))
        }


def test_a_show_is_unpacked_once_and_mended_when_the_cache_was_touched(tmp_path: Path) -> None:
    source = tmp_path / "show.zip"
    source.write_bytes(pack(FILES))
    folder = unpack(source, "show.zip", tmp_path / "cache")
    inode = (folder / "show.json").stat().st_ino
    assert unpack(source, "show.zip", tmp_path / "cache") == folder
    assert (folder / "show.json").stat().st_ino == inode
    (folder / "show.json").write_bytes(b"[]" + FILES["show.json"][2:])
    (folder / "motions" / "more.json").touch()
    unpack(source, "show.zip", tmp_path / "cache")
    assert (folder / "show.json").read_bytes() == FILES["show.json"]
    assert not (folder / "motions" / "more.json").exists()


def test_the_cache_forgets_the_shows_used_longest_ago(tmp_path: Path) -> None:
    source = tmp_path / "show.zip"
    folders = []
    for i in range(archive.KEPT_SHOWS + 2):
        source.write_bytes(pack(FILES | {"show.json": bytes([i])}))
        folders.append(unpack(source, "show.zip", tmp_path / "cache"))
        then = time.time() - 1000 + i
        os.utime(folders[-1], (then, then))
    assert [folder.exists() for folder in folders[-archive.KEPT_SHOWS :]] == (
        [True] * archive.KEPT_SHOWS
    )
    assert not folders[0].exists()
