"""A saved layout is restored; an invalid file is reported, and the profile's layout is used."""

from pathlib import Path

import pytest

from core.handset.kept import keep, kept_path, read_kept
from shows.errors import ShowError
from tests.core.handset.rig import LAYOUT


@pytest.mark.parametrize(
    "text", ["", "{", "{}", '{"buttons": []}', '{"buttons": ["halt"]}', "[]", "\0" * 100]
)
def test_a_file_that_is_no_layout_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "handset.json"
    path.write_text(text)
    layout, warning = read_kept(path)
    assert layout is None
    assert "handset.json" in warning


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    layout, warning = read_kept(tmp_path)
    assert layout is None and warning


def test_a_disk_that_refuses_is_told_and_the_old_layout_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ShowError):
        keep(tmp_path / "file" / "handset.json", LAYOUT)
    with pytest.raises(ShowError):
        keep(tmp_path, None)  # a folder cannot be removed as a file


def test_nothing_kept_is_nothing_wrong(tmp_path: Path) -> None:
    assert read_kept(tmp_path / "none.json") == (None, "")


def test_what_is_kept_comes_back_until_it_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = kept_path("kid_cosmo")
    assert path.is_relative_to(tmp_path)
    keep(path, LAYOUT)
    assert read_kept(path) == (LAYOUT, "")
    keep(path, None)
    keep(path, None)
    assert read_kept(path) == (None, "")
