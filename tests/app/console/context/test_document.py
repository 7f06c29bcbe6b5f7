"""Edits of the show and of its motions go back and forth together, and name what is not saved."""

from pathlib import Path

import msgspec
import numpy as np
from pytestqt.qtbot import QtBot

from app.console.context.document import EMPTY, Document
from shows.document import Cue, Show
from shows.motion import Motion
from shows.pose import Pose

SHOW = Show(name="Evening", cues=(Cue(number="1"),))


def motion(name: str) -> Motion:
    return Motion(name, ("head_yaw",), 50.0, np.zeros((3, 1)))


def renamed(show: Show, name: str) -> Show:
    return msgspec.structs.replace(show, name=name)


def test_motions_are_undone_with_the_cues_that_need_them(qtbot: QtBot) -> None:
    document, wave, mine = Document(), motion("wave"), motion("mine")
    document.open(SHOW, Path("evening"), {"wave": wave}, {}, borrowed=(wave,))
    document.edit("new motion", renamed(SHOW, "B"), motions={"wave": wave, "mine": mine})
    assert document.own_motions == {"mine": mine}
    document.undo.undo()
    assert document.show == SHOW
    assert document.motions == {"wave": wave}
    document.undo.redo()
    assert set(document.motions) == {"wave", "mine"}


def test_motions_alone_are_an_edit_and_the_same_motions_are_none(qtbot: QtBot) -> None:
    document, mine = Document(), motion("mine")
    document.open(SHOW, None, {"mine": mine}, {})
    document.edit("nothing", SHOW, motions={"mine": mine})
    assert document.undo.count() == 0
    document.edit("replace mine", SHOW, motions={"mine": motion("mine")})
    assert document.dirty
    document.edit("rename", renamed(SHOW, "B"))
    document.undo.undo()
    document.undo.undo()
    assert document.motions["mine"] is mine


def test_poses_are_undone_like_the_rest_and_another_show_has_its_own(qtbot: QtBot) -> None:
    document, hero = Document(), Pose("hero", {"head_yaw": 0.1})
    document.open(SHOW, None, {}, {}, poses={"hero": hero})
    document.edit("nothing", SHOW, poses={"hero": hero})
    assert document.undo.count() == 0
    document.edit("delete pose", SHOW, poses={})
    document.edit("rename", renamed(SHOW, "B"))
    assert document.dirty and document.poses == {}
    document.undo.undo()
    document.undo.undo()
    assert document.poses == {"hero": hero} and document.show == SHOW
    document.open(SHOW, None, {}, {})
    assert document.poses == {}


def test_a_dragged_value_is_one_edit(qtbot: QtBot) -> None:
    document, mine = Document(), motion("mine")
    for name in ("a", "b", "c"):
        document.edit("rename", renamed(EMPTY, name), key="name")
    document.edit("new", renamed(EMPTY, "c"), key="other", motions={"mine": mine})
    document.undo.undo()
    assert (document.show.name, document.motions) == ("c", {})
    document.undo.undo()
    assert document.show == EMPTY
    assert not document.dirty


def test_a_motion_taken_over_from_the_library_and_changed_is_the_shows_own(qtbot: QtBot) -> None:
    document, wave, other = Document(), motion("wave"), motion("wave")
    document.open(SHOW, None, {"wave": wave}, {}, borrowed=(wave,))
    assert document.own_motions == {}
    document.edit("change wave", SHOW, motions={"wave": other})
    assert document.own_motions == {"wave": other}


def test_a_recovered_document_is_not_saved(qtbot: QtBot) -> None:
    document = Document()
    document.open(SHOW, Path("evening"), {}, {}, saved=False)
    assert document.dirty
    document.undo.setClean()
    clean = not document.dirty
    assert clean


def test_a_document_that_moves_says_so(qtbot: QtBot) -> None:
    document = Document()
    document.open(SHOW, Path("evening.zip"), {}, {}, folder=Path("cache"))
    assert document.folder == Path("cache")
    with qtbot.waitSignal(document.moved):
        document.move(Path("other"), Path("other"), {})
    assert (document.path, document.folder) == (Path("other"), Path("other"))
