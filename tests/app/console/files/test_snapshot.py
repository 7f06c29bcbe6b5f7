"""What a document is called, when its file has changed, and which sounds belong to a show."""

import os
from pathlib import Path

from app.console.files.snapshot import Snapshot, all_audio, stamp_of
from shows.document import Show
from tests.app.console.files.rig import SHOW, saved, snapshot


def test_a_label_is_a_plain_name() -> None:
    assert snapshot(SHOW, Path("/shows/gala.zip")).label == "gala"
    assert snapshot(Show(name="a/b: c?")).label == "a_b_ c_"
    assert snapshot(Show(name="///")).label == "_"
    assert len(snapshot(Show(name="x" * 200)).label) == 60


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "evening")
    before = stamp_of(path)
    assert before == stamp_of(path)
    os.utime(path / "show.json", (1, 1))
    assert stamp_of(path) != before
    assert stamp_of(tmp_path / "nothing") is None


def test_every_sound_of_the_folder_belongs_to_it_and_flac_goes_first(tmp_path: Path) -> None:
    (tmp_path / "audio").mkdir()
    for name in ("a.wav", "a.flac", "b.wav", "c.txt"):
        (tmp_path / "audio" / name).write_text("")
    other = tmp_path / "elsewhere.wav"
    found = all_audio(Snapshot(SHOW, tmp_path, tmp_path, {}, {"new": other}))
    assert {phrase: path.name for phrase, path in found.items()} == {
        "a": "a.flac",
        "b": "b.wav",
        "new": "elsewhere.wav",
    }
