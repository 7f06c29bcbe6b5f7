"""What was not saved is on the disk, is found when its console died, and by one console only."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.console.files import journal as module
from app.console.files.journal import Journal, Leftover, leftovers, others_with
from app.console.files.recovery import describe, recover
from app.console.files.snapshot import stamp_of
from shows.document import Show
from shows.errors import ShowError
from shows.pose import Pose
from tests.app.console.files.rig import SHOW, motion, robot, saved, snapshot

DIES = """
import sys
from pathlib import Path
from app.console.files.journal import Journal
from tests.app.console.files.rig import SHOW, motion, snapshot
journal = Journal(Path(sys.argv[1]), None)
journal.write(snapshot(SHOW, None, motion()), None)
print("written", flush=True)
sys.stdin.read()
"""


def die(root: Path) -> None:
    """Let a console write a journal and kill it."""
    child = subprocess.Popen(
        [sys.executable, "-c", DIES, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline() == b"written\n"
    assert leftovers(root) == []  # it lives: nobody may take what is its own
    child.kill()
    child.wait()
    child.stdout.close()
    child.stdin.close()


def only(root: Path) -> Leftover:
    (found,) = leftovers(root)
    return found


@pytest.fixture
def abandoned(tmp_path: Path) -> Journal:
    """A journal with two entries, whose console is gone."""
    found = Journal(tmp_path, None)
    found.write(snapshot(SHOW, None, motion()), None)
    found.write(snapshot(Show(name="Later", cues=SHOW.cues), None, motion()), None)
    found.release()
    return found


def test_a_killed_console_leaves_its_document(tmp_path: Path) -> None:
    die(tmp_path)
    left = only(tmp_path)
    found = recover(left, robot())
    assert found.entry.show == SHOW
    assert found.motions["mine"].positions.tolist() == motion().positions.tolist()
    assert (found.path, found.faults) == (None, ())
    left.remove()
    assert leftovers(tmp_path) == []


def test_one_that_is_offered_is_not_offered_by_another_console(abandoned: Journal) -> None:
    root = abandoned.folder.parent
    left = only(root)
    assert leftovers(root) == []
    left.release()
    only(root).release()


def test_one_that_was_declined_is_kept_and_not_offered_again(abandoned: Journal) -> None:
    root = abandoned.folder.parent
    place = only(root).keep()
    assert leftovers(root) == []
    again = only(place.parent)
    assert recover(again, robot()).entry.show.name == "Later"
    assert again.keep() == place  # it stays where it is


def test_a_torn_entry_leaves_the_one_before(abandoned: Journal) -> None:
    (abandoned.folder / "entry-0.json").write_bytes(b'{"schema": 1, "sequ')
    left = only(abandoned.folder.parent)
    assert left.entry is not None
    assert left.entry.show == SHOW
    assert "entry" in left.fault or "journal" in left.fault
    left.release()


def test_a_journal_that_cannot_be_read_is_told_and_kept(abandoned: Journal) -> None:
    for name in ("entry-0.json", "entry-1.json"):
        (abandoned.folder / name).write_bytes(os.urandom(100))
    left = only(abandoned.folder.parent)
    assert left.entry is None
    assert "cannot be read" in describe(left)[2]
    with pytest.raises(ShowError, match="is kept in"):
        recover(left, robot())
    assert (left.keep() / "entry-0.json").exists()


def test_a_motion_that_cannot_be_read_does_not_lose_the_show(abandoned: Journal) -> None:
    for path in abandoned.folder.glob("motions/*/mine.json"):
        path.write_text("{")
    left = only(abandoned.folder.parent)
    found = recover(left, robot())
    assert found.entry.show.cues == SHOW.cues
    assert len(found.faults) == 1
    left.release()


def test_poses_are_written_once_found_again_and_a_broken_one_is_told(tmp_path: Path) -> None:
    journal, hero = Journal(tmp_path, None), Pose("hero", {"left_elbow": 0.5}, "Hero")
    other = Pose("other", {"head_yaw": 0.1})
    document = replace(snapshot(SHOW, None, motion()), poses={"hero": hero, "other": other})
    for _ in range(2):
        journal.write(document, None)
    (path,) = journal.folder.glob("poses/*/hero.json")
    journal.release()
    left = only(tmp_path)
    found = recover(left, robot())
    assert (found.poses["hero"].title, dict(found.poses["hero"].angles)) == (
        "Hero", {"left_elbow": 0.5}
    )  # fmt: skip
    path.write_text(path.read_text().replace("left_elbow", "left_nose"))
    found = recover(left, robot())
    assert set(found.poses) == {"other"}
    assert "line 8" in found.faults[0] and "no joint 'left_nose'" in found.faults[0]
    left.release()


def test_a_saved_document_leaves_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path, None)
    document = replace(snapshot(), poses={"hero": Pose("hero", {"left_elbow": 0.5})})
    journal.write(document, None)
    journal.clear()
    assert not list(journal.folder.rglob("*hero*"))
    journal.release()
    assert leftovers(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_motions_are_written_once(tmp_path: Path) -> None:
    journal, mine = Journal(tmp_path, None), motion()
    for _ in range(3):
        journal.write(snapshot(SHOW, None, mine), None)
    assert len(list(journal.folder.glob("motions/*/mine.json"))) == 1
    journal.write(snapshot(SHOW, None, motion(yaw=0.2)), None)
    assert len(list(journal.folder.glob("motions/*/mine.json"))) == 2
    journal.close()


def test_a_file_that_was_saved_since_is_not_written_over(tmp_path: Path) -> None:
    path = saved(tmp_path / "evening")
    journal = Journal(tmp_path / "state", path)
    journal.write(snapshot(SHOW, path, motion()), stamp_of(path))
    journal.release()
    left = only(tmp_path / "state")
    assert recover(left, robot()).path == path
    os.utime(path / "show.json", (1, 1))
    found = recover(left, robot())
    assert found.path is None
    assert "was changed since" in found.faults[0]
    left.release()


def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ShowError, match="cannot be written"):
        Journal(tmp_path / "file" / "journal", None)


def test_a_full_disk_leaves_the_former_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, None)
    journal.write(snapshot(), None)

    def full(path: Path, data: bytes) -> None:
        raise ShowError(path.name, "", "could not be saved (No space left on device)")

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_atomically", full)
        with pytest.raises(ShowError, match="No space left"):
            journal.write(snapshot(Show(name="Later")), None)
    journal.release()
    left = only(tmp_path)
    assert left.entry is not None
    assert left.entry.show == SHOW
    left.release()


def test_another_console_with_the_same_document_is_named(tmp_path: Path) -> None:
    path = tmp_path / "evening"
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys\nfrom pathlib import Path\nfrom app.console.files.journal import Journal\n"
            "kept = Journal(Path(sys.argv[1]), Path(sys.argv[2]))\nprint('x', flush=True)\n"
            "sys.stdin.read()",
            str(tmp_path),
            str(path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    assert child.stdout is not None
    assert child.stdin is not None
    child.stdout.readline()
    assert others_with(tmp_path, path) == [child.pid]
    assert others_with(tmp_path, tmp_path / "other") == []
    child.kill()
    child.wait()
    child.stdout.close()
    child.stdin.close()
    assert others_with(tmp_path, path) == []


def test_what_could_not_be_read_back_is_told_when_it_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path, None)
    with pytest.raises(ShowError, match="name"):
        journal.write(snapshot(Show(name="x" * 1000)), None)
    journal.close()
