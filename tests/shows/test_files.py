"""A save is whole or has not happened."""

from pathlib import Path

import pytest

from shows.errors import ShowError
from shows.files import commit, read_capped, stage, write_atomically


def test_reads_up_to_the_limit_and_no_byte_more(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_capped(path, 5, "a") == b"12345"
    with pytest.raises(ShowError, match="a: is larger than"):
        read_capped(path, 4, "a")


@pytest.mark.parametrize("name", ["missing", ".", "no\0name"])
def test_refuses_what_is_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(ShowError):
        read_capped(tmp_path / name, 10, name)


def test_replaces_a_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.json"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert [p.name for p in path.parent.iterdir()] == ["a.json"]


def test_the_old_file_stays_until_the_new_one_is_committed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, b"old")
    staged = stage(path, b"new")
    assert path.read_bytes() == b"old"
    assert staged[0].parent == path.parent, "a rename is atomic within one file system only"
    commit([staged])
    assert path.read_bytes() == b"new"


def test_a_failed_rename_keeps_the_old_file_and_removes_the_new(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    staged = stage(path, b"new")
    path.mkdir()
    (path / "inside").touch()
    with pytest.raises(ShowError, match="could not be saved"):
        commit([staged])
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ShowError, match="could not be saved"):
        write_atomically(tmp_path / "file" / "a.json", b"new")
