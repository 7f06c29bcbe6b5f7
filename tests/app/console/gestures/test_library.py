"""The library is read when the robot is known; a bad file is one sentence, not the end."""

from pathlib import Path

import msgspec
from pytestqt.qtbot import QtBot

from app.console.context.context import Context
from app.console.context.notices import Notice
from app.console.gestures.library import GestureLibrary
from shows.document import Show
from tests.app.console.gestures import motions
from tests.app.console.rig import HELLO


def library_of(context: Context, folder: Path) -> GestureLibrary:
    return GestureLibrary(context.link, context.document, context.notices, (folder,))


def names(library: GestureLibrary) -> list[str]:
    return [entry.name for entry in library.entries()]


def test_it_is_read_in_slices(context: Context, qtbot: QtBot, tmp_path: Path) -> None:
    library = library_of(context, motions.library(tmp_path))
    assert not library.ready
    qtbot.waitUntil(lambda: library.ready)
    assert names(library) == ["bow", "nod", "wave"]
    wave = library.entry("wave")
    assert wave is not None and not wave.own
    assert library.limbs_of(wave.motion) == ("head", "right_arm")


def test_a_file_that_this_robot_cannot_follow_is_left_out_with_a_sentence(
    context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    said: list[Notice] = []
    context.notices.said.connect(said.append)
    folder = motions.library(tmp_path)
    (folder / "broken.json").write_text("{")
    (folder / "legs.json").write_text(
        (folder / "nod.json").read_text().replace("head_pitch", "left_knee").replace("nod", "legs")
    )
    library = library_of(context, folder)
    qtbot.waitUntil(lambda: library.ready)
    assert names(library) == ["bow", "nod", "wave"]
    assert len(said) == 2
    assert all("left out of the library: gestures/" in notice.text for notice in said)


def test_a_core_that_does_not_tell_its_joints_is_told_of(
    context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    said: list[Notice] = []
    context.notices.said.connect(said.append)
    library = library_of(context, motions.library(tmp_path))
    qtbot.waitUntil(lambda: library.ready)
    context.link.hello_changed.emit(msgspec.structs.replace(HELLO, limbs=()))
    assert "does not tell its joints" in said[0].text
    assert names(library) == ["bow", "nod", "wave"]


def test_the_shows_own_take_the_place_of_the_librarys(
    context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    library = library_of(context, motions.library(tmp_path))
    qtbot.waitUntil(lambda: library.ready)
    own = {name: motions.motion(name, name.capitalize()) for name in ("wave", "yawn")}
    borrowed = {"bow": motions.motion("bow")}
    context.document.open(Show(name="s"), None, {**own, **borrowed}, {}, borrowed=borrowed.values())
    assert names(library) == ["bow", "nod", "wave", "yawn"]
    assert [entry.own for entry in library.entries()] == [False, False, True, True]


def test_another_robot_is_another_library(context: Context, qtbot: QtBot, tmp_path: Path) -> None:
    library = library_of(context, motions.library(tmp_path))
    qtbot.waitUntil(lambda: library.ready)
    (tmp_path / "bow.json").unlink()
    context.link.hello_changed.emit(HELLO)
    qtbot.waitUntil(lambda: library.ready)
    assert names(library) == ["nod", "wave"]
