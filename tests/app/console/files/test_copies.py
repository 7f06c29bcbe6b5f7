"""What the core is given: the document as it is edited, one folder a content, whole or none."""

import os
from pathlib import Path

import pytest

from app.console.files.copies import KEPT, WorkingCopies
from app.console.files.saver import read
from app.console.files.snapshot import Snapshot
from shows.document import Cue, LiveClip, LiveTrack, Show, VoiceClip, VoiceTrack
from shows.errors import ShowError
from tests.app.console.files.rig import SHOW, motion, robot, snapshot
from tests.shows.examples import write_wav

SPEAKS = Show(
    name="Speaks",
    cues=(Cue(number="1", tracks=(VoiceTrack(clips=(VoiceClip(phrase="hello"),)),)),),
)


@pytest.fixture
def speaking(tmp_path: Path) -> Snapshot:
    sound = tmp_path / "hello.wav"
    write_wav(sound)
    return Snapshot(SPEAKS, None, None, {}, {"hello": sound})


def test_a_copy_is_a_whole_show(tmp_path: Path, speaking: Snapshot) -> None:
    copies = WorkingCopies(tmp_path / "stage")
    found = read(copies.make(snapshot(SHOW, None, motion())), robot())
    assert found.loaded.show == SHOW
    assert set(found.loaded.motions) == {"mine"}
    spoken = read(copies.make(speaking), robot())
    assert set(spoken.loaded.audio) == {"hello"}


def test_a_repertoire_goes_with_a_copy_and_a_taught_one_makes_another(tmp_path: Path) -> None:
    file = tmp_path / "gala" / "repertoires" / "duel" / "repertoire.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    live = LiveTrack(clips=(LiveClip(length_s=9.0, mode="answer", repertoire="duel"),))
    show = Show(name="Live", cues=(Cue(number="1", tracks=(live,)),))
    copies = WorkingCopies(tmp_path / "stage")
    whole = Snapshot(show, tmp_path / "gala", tmp_path / "gala", {}, {})
    folder = copies.make(whole)
    assert read(folder, robot()).loaded.answers == {"duel": ()}
    assert copies.make(whole) == folder
    file.write_text('{"motions": [{"answer": "wave"}]}')
    taught = read(copies.make(whole), robot())
    assert taught.path != folder and taught.loaded.answers == {"duel": ("wave",)}


def test_equal_contents_are_one_folder_and_others_are_others(tmp_path: Path) -> None:
    first = WorkingCopies(tmp_path).make(snapshot(SHOW, None, motion()))
    again = WorkingCopies(tmp_path).make(snapshot(SHOW, None, motion()))
    assert first == again
    assert first.name == "Evening"
    assert WorkingCopies(tmp_path).make(snapshot(SHOW, None, motion(yaw=0.2))) != first
    assert WorkingCopies(tmp_path).make(snapshot(SHOW, Path("gala.zip"), motion())).name == "gala"


def test_a_sound_that_was_changed_makes_another_copy(tmp_path: Path, speaking: Snapshot) -> None:
    copies = WorkingCopies(tmp_path / "stage")
    first = copies.make(speaking)
    write_wav(speaking.audio["hello"], seconds=1.0)
    assert copies.make(speaking) != first


def test_a_damaged_copy_is_made_anew(tmp_path: Path) -> None:
    copies = WorkingCopies(tmp_path)
    folder = copies.make(snapshot())
    (folder / "show.json").write_text("")
    assert copies.make(snapshot()) == folder
    assert (folder / "show.json").stat().st_size > 10


def test_old_copies_make_room_but_not_the_one_in_use(tmp_path: Path) -> None:
    copies = WorkingCopies(tmp_path)
    used = copies.make(snapshot())
    os.utime(used.parent, (1, 1))
    for i in range(KEPT + 3):
        copies.make(snapshot(Show(name=f"Show {i}")), in_use=str(used))
    assert (used / "show.json").exists()
    assert len(list(tmp_path.iterdir())) == KEPT + 2  # those, the newest, and the one in use


def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    folder = WorkingCopies(tmp_path).make(snapshot(Show(name="../../etc/..")))
    assert folder.parent.parent == tmp_path
    assert WorkingCopies(tmp_path).make(snapshot(Show(name="..."))).name == "show"


def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ShowError, match="could not be copied for the core"):
        WorkingCopies(tmp_path / "file" / "stage").make(snapshot())
    broken = Snapshot(SHOW, None, None, {}, {"hello": tmp_path / "file" / "gone.wav"})
    with pytest.raises(ShowError):
        WorkingCopies(tmp_path / "file").make(broken)
