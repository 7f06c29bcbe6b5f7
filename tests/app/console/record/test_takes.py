"""The takes of the open show: which files are found, and what is known of each."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.files.robot import joint_table
from app.console.record.takes import (
    IMPORTED,
    TakeEntry,
    TakeLibrary,
    imported_folder,
    next_path,
    takes_folder,
)
from shows.document import Show
from shows.folders import LIBRARY
from shows.motion import Motion, check_joints, save_motion
from tests.app.console.record.test_panel import write_sound, write_take
from tests.app.console.rig import HELLO, LineCore


class Rig:
    def __init__(self, context: Context, qtbot: QtBot, folder: Path) -> None:
        context.document.open(Show(name="Gala"), folder / "gala", {}, {})
        self.context, self.qtbot = context, qtbot
        self.takes = TakeLibrary(context)
        self.folder = self.takes.folder
        qtbot.waitUntil(lambda: context.link.hello is not None)

    def look(self, count: int) -> dict[str, TakeEntry]:
        """Look until so many takes are known; return them by name."""

        def known() -> bool:
            self.takes.look()
            return len(self.takes.entries) == count

        self.qtbot.waitUntil(known)
        return {entry.name: entry for entry in self.takes.entries}


@pytest.fixture
def rig(context: Context, core: LineCore, qtbot: QtBot, tmp_path: Path) -> Iterator[Rig]:
    found = Rig(context, qtbot, tmp_path)
    yield found
    found.takes.close()


def test_a_folder_that_is_not_there_has_no_takes(rig: Rig) -> None:
    assert not rig.folder.exists()
    assert rig.look(0) == {}


def test_a_take_is_summed_up(rig: Rig) -> None:
    path = rig.folder / "arm_1.take"
    write_take(path)
    write_sound(path, 1.5)
    taken = rig.look(1)["arm_1"]
    assert taken.whole and taken.markers == 1 and taken.limbs == ("left_arm",)
    assert taken.duration_s == pytest.approx(2.995)
    assert taken.sound_s == pytest.approx(1.5)
    assert taken.pose is not None
    away = 0.2 * np.sin(2.0 * 0.005 * np.arange(600))
    assert taken.pose.positions[0, 0] == pytest.approx(away[np.abs(away).argmax()], abs=1e-4)


def test_a_sound_that_is_none_is_no_sound(rig: Rig) -> None:
    path = rig.folder / "arm_1.take"
    write_take(path)
    write_sound(path).write_bytes(b"no sound")
    taken = rig.look(1)["arm_1"]
    assert taken.sound_s is None and taken.trouble == ""


def test_a_file_that_changes_is_read_again_and_others_are_not(rig: Rig) -> None:
    write_take(rig.folder / "arm_1.take")
    broken = rig.folder / "arm_2.take"
    broken.write_bytes(b"no take")
    before = rig.look(2)
    assert "is not a take" in before["arm_2"].trouble
    write_take(broken, ended=False)

    def read_again() -> bool:
        return not rig.look(2)["arm_2"].trouble

    rig.qtbot.waitUntil(read_again)
    after = rig.look(2)
    assert not after["arm_2"].whole and after["arm_1"] is before["arm_1"]
    broken.unlink()
    assert set(rig.look(1)) == {"arm_1"}


def test_imported_motions_are_listed_with_the_limbs_that_they_move(rig: Rig) -> None:
    joints = joint_table(HELLO)
    assert joints is not None
    arm = joints.joints_of["left_arm"]
    positions = np.linspace(0.0, 0.5, 101)[:, None] * np.ones(len(arm))
    motion = Motion("clap", arm, 50.0, positions, source="imported")
    check_joints(motion, joints, "clap.json")
    folder = rig.folder / IMPORTED
    folder.mkdir(parents=True)
    save_motion(motion, folder / "clap.json")
    (folder / "torn.json").write_text("{")
    found = rig.look(2)
    assert found["clap"].moved == found["clap"].limbs == ("left_arm",)
    assert found["clap"].duration_s == pytest.approx(2.0) and found["clap"].pose is not None
    assert "torn.json" in found["torn"].trouble


def test_another_show_has_its_own_takes(rig: Rig, tmp_path: Path) -> None:
    write_take(rig.folder / "arm_1.take")
    rig.look(1)
    rig.context.document.open(Show(name="Other"), tmp_path / "other", {}, {})
    assert rig.takes.folder == tmp_path / "other" / "takes"
    assert rig.look(0) == {}


def test_takes_of_the_programs_own_shows_are_the_users() -> None:
    assert LIBRARY not in takes_folder(LIBRARY / "meet_cosmo").parents
    assert takes_folder(Path("/shows/gala.zip")) == Path("/shows/gala.takes")
    assert takes_folder(Path("/shows/gala")) == Path("/shows/gala/takes")
    assert takes_folder(None) in takes_folder(LIBRARY / "meet_cosmo").parents
    assert imported_folder(Path("/shows/gala")) == Path("/shows/gala/takes/imported")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("L arm", "l_arm_1"),
        ("2nd arm", "take_2nd_arm_1"),
        ("Große Geste!", "gro_e_geste_1"),
        ("", "take_1"),
        ("…", "take_1"),
    ],
)
def test_a_take_is_named_after_what_it_is_about(tmp_path: Path, word: str, name: str) -> None:
    assert next_path(tmp_path, word) == tmp_path / f"{name}.take"


def test_no_take_gets_the_name_of_another_or_of_a_sound(tmp_path: Path) -> None:
    write_take(tmp_path / "arm_1.take")
    write_sound(tmp_path / "arm_2.take")
    assert next_path(tmp_path, "arm") == tmp_path / "arm_3.take"
